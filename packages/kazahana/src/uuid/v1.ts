// UUID v1: time in 100 ns ticks, with a random clock sequence and a random node for every ID. The node's
// multicast bit says that it is no hardware address. Every ID of a millisecond takes another of its ticks.
import { drawWords, randomWords } from '../random.js';
import { GREGORIAN_OFFSET_MS, TICKS_PER_MS } from './gregorian.js';
import { BEFORE_ALL, type Moment, stepMoment } from './moment.js';
import { UuidPage, writeUuid } from './page.js';

/** How far a burst beyond 10,000 a millisecond may run ahead before a new ID follows the clock again. */
const MAX_LEAD_MS = 1000;

/** The bit in the third word that says that the node is no hardware address. */
const MULTICAST = 0x0100;

const isBehind = (last: Moment, now: number) => now < last.unixMs - MAX_LEAD_MS;

/**
 * The moment of the next ID. Ticks count up through a burst, into the next millisecond if need be. A clock
 * that stepped back is followed: v1 promises the time, not the order, and its random bits keep IDs apart.
 */
export function stepV1(last: Moment, now: number): Moment {
  return stepMoment(isBehind(last, now) ? BEFORE_ALL : last, now, 0, TICKS_PER_MS - 1);
}

/** The first two words of a v1: the lower 32 bits of its time, then the middle 16, the version and the upper 12. */
export function wordsOfMoment({ unixMs, count: tick }: Moment): [low: number, rest: number] {
  // Ticks since 1582 need 60 bits, more than a double has: the upper bits of the milliseconds are multiplied apart.
  const ms = unixMs + GREGORIAN_OFFSET_MS;
  const lower = (ms % 2 ** 32) * TICKS_PER_MS + tick;
  const upper = Math.floor(ms / 2 ** 32) * TICKS_PER_MS + Math.floor(lower / 2 ** 32);
  return [lower, (upper << 16) | 0x1000 | (upper >> 16)];
}

const page = new UuidPage();
let last = BEFORE_ALL;

/** Makes the next IDs, as many as the page wants of one millisecond. */
function refill(now: number): void {
  const start = drawWords(2 * page.size);
  const { unixMs, count: first } = stepV1(last, now);
  const made = Math.min(page.size, TICKS_PER_MS - first);
  for (let id = 0; id < made; id++) {
    last = { unixMs, count: first + id };
    const [low, rest] = wordsOfMoment(last);
    const at = start + 2 * id;
    writeUuid(id, low, rest, (randomWords[at] as number) | MULTICAST, randomWords[at + 1] as number);
  }
  page.render(made);
}

/**
 * A UUID that carries its time to 100 ns, and nothing of the machine that made it.
 *
 * ```ts
 * generateV1(); // 'c232ab00-9414-11ec-b3c8-9f6bdeced846'
 * ```
 */
export function generateV1(): string {
  const now = Date.now();
  const isNewTime = now > last.unixMs || isBehind(last, now);
  if (isNewTime) page.size = 1;
  if (isNewTime || page.isEmpty) refill(now);
  return page.take();
}
