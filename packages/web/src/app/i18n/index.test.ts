import { MESSAGES } from 'kazahana/inspect';
import { describe, expect, it } from 'vitest';
import en from './en.js';
import { preferredLanguage } from './index.js';
import ja from './ja.js';
import ko from './ko.js';
import zh from './zh.js';

describe('the first language that there is a dictionary for', () => {
  const rows: [wanted: string[], language: string][] = [
    [['ko-KR', 'en'], 'ko'],
    [['zh-Hant-TW'], 'zh'],
    [['de', 'ja-JP', 'en'], 'ja'],
    [['de', 'fr'], 'en'],
    [[], 'en'],
    [['constructor'], 'en'],
  ];
  for (const [wanted, language] of rows) {
    it(wanted.join(', ') || 'none', () => expect(preferredLanguage(wanted)).toBe(language));
  }
});

describe('every dictionary', () => {
  /** The sentences of a dictionary by their place, functions called with markers. */
  function sentences(words: object, path = ''): [string, string][] {
    return Object.entries(words).flatMap(([name, value]) => {
      if (name === 'messages') return [];
      const place = `${path}${name}`;
      if (typeof value === 'string') return [[place, value] as [string, string]];
      if (typeof value === 'function')
        return [[place, String(value('⟨a⟩', '⟨b⟩', '⟨c⟩', '⟨d⟩'))] as [string, string]];
      return sentences(value, `${place}.`);
    });
  }

  for (const [name, words] of Object.entries({ ko, ja, zh })) {
    it(`${name} says everything, and leaves out nothing that it is told`, () => {
      const english = new Map(sentences(en));
      const other = sentences(words);
      expect(other.map(([place]) => place)).toEqual([...english.keys()]);
      for (const [place, text] of other) {
        expect(text.trim(), place).not.toBe('');
        const told = (english.get(place) ?? '').match(/⟨.⟩/g) ?? [];
        expect((text.match(/⟨.⟩/g) ?? []).toSorted(), place).toEqual(told.toSorted());
      }
    });

    it(`${name} has every sentence of the recogniser, with its values`, () => {
      const placesOf = (text: string) => (text.match(/\{\w+\}/g) ?? []).toSorted();
      expect(Object.keys(words.messages).toSorted()).toEqual(Object.keys(MESSAGES).toSorted());
      for (const [key, text] of Object.entries(MESSAGES)) {
        const translated = words.messages[key as keyof typeof MESSAGES] ?? '';
        expect(placesOf(translated), key).toEqual(placesOf(text));
      }
    });
  }
});
