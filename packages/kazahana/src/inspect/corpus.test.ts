import { describe, expect, it } from 'vitest';
import { CORPUS, CORPUS_NOW } from './corpus.js';
import { FORMATS, inspectId } from './index.js';

describe('a pasted text is read as expected', () => {
  for (const { text, first, certainty, made, iso, origin, source } of CORPUS) {
    it(`${JSON.stringify(text.slice(0, 80))} (${origin}, ${source})`, () => {
      const { readings } = inspectId(text, { now: CORPUS_NOW });
      expect(readings[0]?.format ?? null).toBe(first);
      expect(readings[0]?.certainty ?? null).toBe(certainty);
      const reading = readings.find(({ format }) => format === made);
      if (made !== null) expect(reading).toBeDefined();
      if (iso !== null) expect(reading?.time?.iso.slice(0, iso.length)).toBe(iso);
    });
  }
});

describe('the corpus', () => {
  const namesWith = (isCounted: (sample: (typeof CORPUS)[number]) => boolean) =>
    FORMATS.map(({ name }) => name).filter(
      (name) => CORPUS.filter((sample) => sample.made === name).filter(isCounted).length > 0,
    );

  it('has 200 texts, each once, and thirty that are none', () => {
    expect(new Set(CORPUS.map(({ text }) => text)).size).toBe(CORPUS.length);
    expect(CORPUS.length).toBeGreaterThanOrEqual(200);
    expect(CORPUS.filter(({ first }) => first === null).length).toBeGreaterThanOrEqual(30);
  });

  it('has three of each format', () => {
    const few = FORMATS.map(({ name }) => name).filter(
      (name) => CORPUS.filter(({ made }) => made === name).length < 3,
    );
    expect(few).toEqual([]);
  });

  it('names the source of every ID', () => {
    expect(CORPUS.filter(({ origin, source }) => origin !== 'none' && source === '')).toEqual([]);
  });

  it('has a published text of every format of others', () => {
    const known = namesWith(({ origin }) => origin === 'published' || origin === 'quoted');
    const without = FORMATS.filter(({ name, family }) => family !== 'kazahana' && !known.includes(name));
    expect(without).toEqual([]);
  });

  it('has a text that was opened at a source of the format itself, where such a source can be reached', () => {
    const opened = namesWith(({ origin, source }) => origin === 'published' && !source.includes('uuinfo'));
    const without = FORMATS.filter(({ name, family }) => family !== 'kazahana' && !opened.includes(name));
    // Standards that only others quote, services that publish no example, and READMEs that show none.
    expect(without.map(({ name }) => name)).toEqual([
      ...['uuid-ncs', 'uuid-0x', 'sonyflake', 'youtube-video-id', 'prefixed-id', 'nuid'],
      ...['md5', 'sha1', 'sha224', 'sha256', 'sha384', 'sha512'],
      ...['mac-address', 'ipv4-address', 'ipv6-address', 'isbn-13', 'isbn-10'],
    ]);
  });
});
