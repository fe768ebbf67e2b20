// Which language the page speaks. English is always there; another one is loaded when it is wanted.
import type { Message } from 'kazahana/inspect';
import { createSignal } from 'solid-js';
import en, { type Words } from './en.js';

export const LANGUAGES = { en: 'English', ko: '한국어', ja: '日本語', zh: '中文' } as const;
export type Language = keyof typeof LANGUAGES;

const LOADERS: Readonly<Record<Language, () => Promise<{ default: Words }>>> = {
  en: async () => ({ default: en }),
  ko: () => import('./ko.js'),
  ja: () => import('./ja.js'),
  zh: () => import('./zh.js'),
};

export const isLanguage = (name: unknown): name is Language =>
  typeof name === 'string' && Object.hasOwn(LANGUAGES, name);

/** The first language of the browser that there is a dictionary for. */
export function preferredLanguage(wanted: readonly string[]): Language {
  for (const tag of wanted) {
    const [name] = tag.toLowerCase().split('-');
    if (isLanguage(name)) return name;
  }
  return 'en';
}

const [current, setCurrent] = createSignal<{ language: Language; words: Words }>({
  language: 'en',
  words: en,
});

export const words = (): Words => current().words;
export const language = (): Language => current().language;

export async function speak(wanted: Language): Promise<void> {
  const { default: loaded } = await LOADERS[wanted]();
  setCurrent({ language: wanted, words: loaded });
  document.documentElement.lang = wanted;
}

/** A whole or broken number, as the language writes it. */
export function count(value: number | bigint, digits = 0): string {
  return new Intl.NumberFormat(language(), { maximumFractionDigits: digits }).format(value);
}

/** A sentence of the recogniser in the reader's language; in English where there is none yet. */
export function messageText({ key, values, text }: Message): string {
  const template = words().messages[key];
  return template === undefined
    ? text
    : template.replace(/\{(\w+)\}/g, (place, name: string) => values[name] ?? place);
}
