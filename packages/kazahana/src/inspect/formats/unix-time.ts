// Unix times in seconds, milliseconds, microseconds and nanoseconds: no IDs, and pasted as such every day.
import { type BitLayout, roleLayout } from '../bits.js';
import { bitFacts } from '../facts.js';
import { integerOf, isPlainDecimal } from '../numbers.js';
import { inMicroseconds, inMilliseconds, inNanoseconds, inSeconds, isoOf } from '../times.js';
import type { Format, ReadingTime } from '../types.js';

/** Before it a number of seconds has nine digits, and few programs that are still read were running. */
const SINCE = Date.UTC(2001, 8, 9, 1, 46, 40);
/** Times of contracts, certificates and cookies lie ahead; further than this they are numbers. */
const AHEAD_MS = 20 * 365.25 * 24 * 3600 * 1000;

type UnixName = 'unix-seconds' | 'unix-milliseconds' | 'unix-microseconds' | 'unix-nanoseconds';

const UNITS: readonly (readonly [
  name: UnixName,
  title: string,
  clock: (count: bigint) => ReadingTime | null,
  digits: number,
  spread: number,
])[] = [
  ['unix-milliseconds', 'Unix time in milliseconds', inMilliseconds, 13, 20],
  ['unix-seconds', 'Unix time in seconds', inSeconds, 10, 20],
  ['unix-microseconds', 'Unix time in microseconds', inMicroseconds, 16, 20],
  // As long as the snowflakes of today, which are more.
  ['unix-nanoseconds', 'Unix time in nanoseconds', inNanoseconds, 19, 8],
];

/** A clock of whole milliseconds, written in nanoseconds: one number in a million ends like this by chance. */
const isRound = (text: string) => text.endsWith('000000');

/** Whether a number is a time that a clock of today shows, in one of the four units. */
export function isUnixTime(value: bigint, now: number): boolean {
  return UNITS.some(([, , clock]) => {
    const time = clock(value);
    return time !== null && time.unixMs >= SINCE && time.unixMs <= now;
  });
}

const layoutOf = (title: string, clock: (count: bigint) => ReadingTime | null): BitLayout =>
  roleLayout(title, [
    { name: 'time', bits: 64, role: 'time', reading: (value) => isoOf(clock(BigInt(value))) },
  ]);

export const unixTimeFormats: readonly Format<UnixName>[] = UNITS.map(
  ([name, title, clock, digits, spread]) => {
    const layout = layoutOf(title, clock);
    const describe = (value: bigint) =>
      bitFacts(layout, value, String(value), () => ({ time: clock(value), order: 'time', randomBits: 0 }));
    return {
      name,
      title,
      family: 'time',
      since: SINCE,
      spread,
      describe,
      recognise(text, { now, isForced }) {
        const value = integerOf(text);
        if (value === undefined) return undefined;
        const time = clock(value);
        if (time === null) return undefined;
        if (isForced) return { strength: 'shared', facts: describe(value) };
        const isNear = time.unixMs <= now + AHEAD_MS && text.length <= digits;
        if (!isPlainDecimal(text) || time.unixMs < SINCE || !isNear) return undefined;
        return {
          strength: name === 'unix-nanoseconds' && isRound(text) ? 'telling' : 'shared',
          facts: describe(value),
        };
      },
    };
  },
);
