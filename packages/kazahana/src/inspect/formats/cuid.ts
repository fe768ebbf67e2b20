// IDs of base36 parts: CUID, CUID2, and Puid, which node.js programs made before.
import { cut, textFacts } from '../facts.js';
import { message } from '../messages.js';
import { BASE36, fromRadix } from '../radix.js';
import { inMilliseconds } from '../times.js';
import type { Format } from '../types.js';

const base36 = (text: string) => fromRadix(text, BASE36) ?? 0n;
const since = (year: number) => Date.UTC(year, 0, 1);

const CUID = /^c[0-9a-z]{24}$/;
/** https://github.com/paralleldrive/cuid */
const cuid: Format<'cuid'> = {
  name: 'cuid',
  title: 'CUID',
  family: 'random',
  since: since(2012),
  shape: { lengths: [25], alphabet: /[0-9a-z]/ },
  recognise(text) {
    if (!CUID.test(text)) return undefined;
    const segments = cut(
      text,
      ['c', 'version', 1],
      ['time', 'time', 8],
      ['counter', 'sequence', 4],
      ['fingerprint', 'machine', 4],
      ['random', 'random'],
    );
    const fingerprint = text.slice(13, 17);
    return {
      strength: 'telling',
      facts: textFacts({
        text,
        segments,
        time: inMilliseconds(base36(text.slice(1, 9))),
        order: 'time',
        // Eight characters of base36.
        randomBits: 41,
        maker: { field: 'fingerprint', text: fingerprint },
      }),
    };
  },
};

/** 24 characters unless a program says otherwise. */
const CUID2 = /^[a-z][0-9a-z]{23}$/;
const ANY_CUID2 = /^[a-z][0-9a-z]{1,31}$/;
/** https://github.com/paralleldrive/cuid2: a hash, of which nothing can be read. */
const cuid2: Format<'cuid2'> = {
  name: 'cuid2',
  title: 'CUID2',
  family: 'random',
  shape: { lengths: [24], alphabet: /[0-9a-z]/ },
  recognise(text, { isForced }) {
    const isMixed = CUID2.test(text) && /[0-9].*[0-9]/.test(text) && /[g-z]/.test(text);
    if (!isMixed && !(isForced && ANY_CUID2.test(text))) return undefined;
    return {
      strength: 'shared',
      facts: textFacts({ text, randomBits: 123, notes: [message('note-hashed')] }),
    };
  },
};

/** Time, machine, process, counter; in some releases the process stands before the machine. */
const PUID = /^([0-9a-z]{8})(?:([0-9a-f]{6})([0-9a-z]{4})|([0-9a-z]{4})([0-9a-f]{6}))([0-9a-z]{6})$/;
/** https://github.com/pid/puid: the machine is the beginning of a hash. Its short form has no time that can be told. */
const puid: Format<'puid'> = {
  name: 'puid',
  title: 'Puid',
  family: 'random',
  since: since(2012),
  shape: { lengths: [24], alphabet: /[0-9a-z]/ },
  recognise(text) {
    const [, time, early, after, before, late] = PUID.exec(text) ?? [];
    const [machine, process] = [early ?? late, after ?? before];
    if (!time || !machine || !process) return undefined;
    const parts = [
      ['machine', 'machine', 6],
      ['process', 'machine', 4],
    ] as const;
    return {
      strength: 'telling',
      facts: textFacts({
        text,
        segments: cut(text, ['time', 'time', 8], ...(early ? parts : parts.toReversed()), [
          'counter',
          'sequence',
        ]),
        time: inMilliseconds(base36(time)),
        order: 'time',
        randomBits: 0,
        maker: { field: 'machine/process', text: `${machine}/${process}` },
      }),
    };
  },
};

export const cuidFormats = [cuid, cuid2, puid] as const;
