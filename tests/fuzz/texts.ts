// Hostile texts from a seed: most of them nearly right, since those go deepest.
import { CORPUS } from '../../packages/kazahana/src/inspect/corpus.ts';
import type { Random } from '../../simulation/world.ts';

const HEX = '0123456789abcdefABCDEF';
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const ODD = [
  ...[
    '-',
    '--',
    'g',
    '{',
    '}',
    'urn:uuid:',
    'URN:',
    ' ',
    '\n',
    '\u0000',
    'é',
    '０',
    '\u{1f600}',
    '\ud800',
    '',
  ],
  ...['_', '=', '+', '/', '"', '\\', ':', '.', '%20', '\u202e', '\u200b', '__proto__'],
];

/** So many characters of an alphabet. */
export function word(random: Random, alphabet: string, length: number): string {
  let text = '';
  for (let i = 0; i < length; i++) text += alphabet[random.integer(0, alphabet.length - 1)];
  return text;
}

/** The text with up to so many places changed, removed or filled. */
export function edited(random: Random, text: string, most: number): string {
  let result = text;
  for (let edits = random.integer(0, most); edits > 0; edits--) {
    const at = random.integer(0, result.length);
    const piece = random.chance(0.7)
      ? random.pick(ODD)
      : String.fromCharCode(random.integer(0, random.chance(0.5) ? 127 : 65_535));
    result = result.slice(0, at) + piece + result.slice(at + random.integer(0, 2));
  }
  return result;
}

export function nearlyUuid(random: Random): string {
  let digits = word(random, HEX, 32);
  if (random.chance(0.5)) {
    const [version, variant] = [random.integer(0, 8), word(random, '89ab', 1)];
    digits = `${digits.slice(0, 12)}${version}${digits.slice(13, 16)}${variant}${digits.slice(17)}`;
  }
  let text = random.chance(0.5) ? digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-') : digits;
  if (random.chance(0.33)) text = random.chance(0.5) ? `{${text}}` : `urn:uuid:${text}`;
  return edited(random, text, 3);
}

/** Texts of the corpus, cut, put together, and with characters changed. */
export function nearlyAnyId(random: Random): string {
  let text = '';
  for (let parts = random.integer(1, 3); parts > 0; parts--) text += random.pick(CORPUS).text;
  if (random.chance(0.25)) text = text.slice(random.integer(0, text.length));
  return edited(random, text, 4);
}

/** Eleven characters, more or less, with or without a prefix and the label of a key. */
export function nearlyExternalId(random: Random): string {
  const prefix = random.pick(['', '', 'user_', 'order_', 'user', 'USER_']);
  const label = random.pick(['', '', 'a', 'b', 'c']);
  return edited(random, prefix + label + word(random, ALPHABET, 11), 2);
}

export function nearlyDecimal(random: Random): string {
  return edited(random, word(random, '0123456789', random.integer(1, 20)), 1);
}

export function nearlyHistory(random: Random): string {
  const item = {
    id: 'a',
    uuid: '01941f29-7c00-7aaa-aaaa-aaaaaaaaaaaa',
    version: 'v7',
    createdAt: '2026-01-01T00:00:00.000Z',
  };
  const changed = {
    ...item,
    [random.pick(Object.keys(item))]: random.pick([null, 5, '', [], {}, '2026-02-30', 'v9']),
  };
  const items = random.pick<unknown>([[item], [changed], [item, changed], changed, null, [[]]]);
  return edited(random, JSON.stringify(items), 3);
}
