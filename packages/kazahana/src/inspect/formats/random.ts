// IDs of which nothing can be read: random text, and numbers in disguise.
import { cut, textFacts } from '../facts.js';
import { message } from '../messages.js';
import type { Format } from '../types.js';

/** Text that no person types: both cases, or digits between letters. Words and numbers are left alone. */
const isScrambled = (text: string) =>
  /[0-9]/.test(text) && /[A-Z]/.test(text) && /[a-z]/.test(text) && !/^[A-Z]?[a-z]+[0-9]+$/.test(text);

const NANO_ID = /^[\w-]{21}$/;
/** https://github.com/ai/nanoid: 21 characters of 6 bits, unless a program says otherwise. */
const nanoId: Format<'nanoid'> = {
  name: 'nanoid',
  title: 'Nano ID',
  family: 'random',
  shape: { lengths: [21], alphabet: /[\w-]/ },
  recognise(text, { isForced }) {
    const isOne = NANO_ID.test(text) && isScrambled(text);
    if (!isOne && !(isForced && /^[\w-]{2,64}$/.test(text))) return undefined;
    return { strength: 'shared', facts: textFacts({ text, randomBits: text.length * 6 }) };
  },
};

const NUID = /^[0-9A-Za-z]{22}$/;
/** https://github.com/nats-io/nuid: 12 random characters, then 10 that count. */
const nuid: Format<'nuid'> = {
  name: 'nuid',
  title: 'NUID',
  family: 'random',
  shape: { lengths: [22], alphabet: /[0-9A-Za-z]/ },
  recognise(text) {
    // The one for Node writes base36 in upper case.
    const isUpper = /^[0-9A-Z]{22}$/.test(text) && /[0-9]/.test(text) && /[G-Z]/.test(text);
    if (!NUID.test(text) || !(isScrambled(text) || isUpper)) return undefined;
    return {
      strength: 'shared',
      facts: textFacts({
        text,
        segments: cut(text, ['prefix', 'random', 12], ['sequence', 'sequence']),
        // Twelve characters of base62.
        randomBits: 71,
        maker: { field: 'prefix', text: text.slice(0, 12) },
      }),
    };
  },
};

/** https://sqids.org and https://hashids.org: numbers, mixed by an alphabet that only their program has. */
const sqids: Format<'sqids-or-hashids'> = {
  name: 'sqids-or-hashids',
  title: 'Sqids or Hashids',
  family: 'random',
  recognise(text, { isForced }) {
    const isOne = /^[0-9A-Za-z]{4,20}$/.test(text) && isScrambled(text);
    if (!isOne && !(isForced && /^[0-9A-Za-z]{1,64}$/.test(text))) return undefined;
    return {
      strength: 'weak',
      facts: textFacts({ text, randomBits: 0, notes: [message('note-cannot-be-told')] }),
    };
  },
};

export const randomFormats = [nanoId, nuid, sqids] as const;
