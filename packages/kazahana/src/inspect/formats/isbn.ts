// ISBNs, by their check digits: 13 digits since 2007, 10 before.
import { textFacts } from '../facts.js';
import type { Format, Strength } from '../types.js';

const sum = (digits: readonly number[], weightOf: (index: number) => number) =>
  digits.reduce((total, digit, i) => total + digit * weightOf(i), 0);
const valuesOf = (text: string) => [...text].map((digit) => (digit === 'X' ? 10 : Number(digit)));

const isIsbn13 = (digits: string) =>
  /^97[89][0-9]{10}$/.test(digits) && sum(valuesOf(digits), (i) => (i % 2 === 0 ? 1 : 3)) % 10 === 0;
const isIsbn10 = (digits: string) =>
  /^[0-9]{9}[0-9X]$/.test(digits) && sum(valuesOf(digits), (i) => 10 - i) % 11 === 0;

/** The 13 digits of an ISBN of 10: Bookland, and a check digit of its own. */
function toIsbn13(isbn10: string): string {
  const digits = `978${isbn10.slice(0, 9)}`;
  return `${digits}${(10 - (sum(valuesOf(digits), (i) => (i % 2 === 0 ? 1 : 3)) % 10)) % 10}`;
}

/** Without hyphens and the word before it. */
const bare = (text: string) =>
  text
    .replace(/^ISBN(?:-1[03])?:?\s*/i, '')
    .replace(/[- ]/g, '')
    .toUpperCase();
const isWritten = (text: string) =>
  /^ISBN/i.test(text) || /^[0-9]+(?:[- ][0-9]+){2,4}(?:[- ]?[0-9X])?$/i.test(text);

const isbn = <const Name extends string>(
  name: Name,
  title: string,
  isOne: (digits: string) => boolean,
  strengthOf: (text: string) => Strength,
): Format<Name> => ({
  name,
  title,
  family: 'book',
  recognise(text) {
    const digits = bare(text);
    if (text.length > 30 || !isOne(digits)) return undefined;
    const others = name === 'isbn-10' ? [{ name: 'isbn-13', text: toIsbn13(digits) }] : [];
    return { strength: strengthOf(text), facts: textFacts({ text: digits, randomBits: 0, forms: others }) };
  },
});

export const isbnFormats = [
  isbn('isbn-13', 'ISBN-13', isIsbn13, () => 'telling'),
  // One number of ten digits in eleven passes the check; those that are a time of today are one.
  isbn('isbn-10', 'ISBN-10', isIsbn10, (text) =>
    isWritten(text) ? 'telling' : /^1[0-9]{9}$/.test(text) ? 'weak' : 'shared',
  ),
] as const;
