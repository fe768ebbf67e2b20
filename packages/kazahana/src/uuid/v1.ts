// UUID v1: time in 100 ns ticks, with a random clock sequence and a random node for every ID. The node's
// multicast bit says that it is no hardware address. Every ID of a millisecond takes another of its ticks.
import { pooledRandom } from '../random.js';
import { GREGORIAN_OFFSET_MS, TICKS_PER_MS } from './gregorian.js';
import { BEFORE_ALL, type Moment, stepMoment } from './moment.js';
import { stampVariant } from './page.js';
import { textOf } from './text.js';

/** How far a burst beyond 10,000 a millisecond may run ahead before a new ID follows the clock again. */
const MAX_LEAD_MS = 1000;

/**
 * The moment of the next ID. Ticks count up through a burst, into the next millisecond if need be. A clock
 * that stepped back is followed: v1 promises the time, not the order, and its random bits keep IDs apart.
 */
export function stepV1(last: Moment, now: number): Moment {
  const isBehind = now < last.unixMs - MAX_LEAD_MS;
  return stepMoment(isBehind ? BEFORE_ALL : last, now, 0, TICKS_PER_MS - 1);
}

const HIGH_UNIT = 2 ** 28;

/** Turns random bytes into a v1 of the given moment. */
export function stampV1(view: DataView, { unixMs, count: tick }: Moment): void {
  // Ticks since 1582 need 60 bits, more than a double has: 28 bits of milliseconds are multiplied apart.
  const ms = unixMs + GREGORIAN_OFFSET_MS;
  const lower = (ms % HIGH_UNIT) * TICKS_PER_MS + tick;
  const upper = Math.floor(ms / HIGH_UNIT) * TICKS_PER_MS + Math.floor(lower / HIGH_UNIT);
  const low = (upper % 16) * HIGH_UNIT + (lower % HIGH_UNIT);
  const midAndHigh = Math.floor(upper / 16);
  view.setUint32(0, low);
  view.setUint16(4, midAndHigh);
  view.setUint16(6, 0x1000 | (midAndHigh >>> 16));
  stampVariant(view, 0);
  view.setUint8(10, view.getUint8(10) | 0x01);
}

const bytes = new Uint8Array(16);
const view = new DataView(bytes.buffer);
let last = BEFORE_ALL;

/**
 * A UUID that carries its time to 100 ns, and nothing of the machine that made it.
 *
 * ```ts
 * generateV1(); // 'c232ab00-9414-11ec-b3c8-9f6bdeced846'
 * ```
 */
export function generateV1(): string {
  pooledRandom(bytes, 16);
  last = stepV1(last, Date.now());
  stampV1(view, last);
  return textOf(bytes);
}
