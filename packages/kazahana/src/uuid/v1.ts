// UUID v1: time in 100 ns ticks, with a random clock sequence and a random node for every ID. The node's
// multicast bit says that it is no hardware address. Every ID of a millisecond takes another of its ticks.
import { drawWords, randomWords } from '../random.js';
import { GREGORIAN_OFFSET_MS, TICKS_PER_MS } from './gregorian.js';
import { BEFORE_ALL, MAX_LEAD_MS, type Moment, stepMoment } from './moment.js';
import { UuidPage, writeUuid } from './page.js';

/** The bit in the third word that says that the node is no hardware address. */
const MULTICAST = 0x0100;

const isBehind = (last: Moment, now: number) => now < last[0] - MAX_LEAD_MS;

/**
 * The moment of the next ID. Ticks count up through a burst, into the next millisecond if need be. A clock
 * that stepped back is followed: v1 promises the time, not the order, and its random bits keep IDs apart.
 */
export function stepV1(last: Moment, now: number): Moment {
  return stepMoment(isBehind(last, now) ? BEFORE_ALL : last, now, 0, TICKS_PER_MS - 1);
}

/** The time of a v1: its lower 32 bits, and the upper 28. */
export function ticksOfMoment([unixMs, tick]: Moment): [low: number, high: number] {
  // Ticks since 1582 need 60 bits, more than a double has: the upper bits of the milliseconds are multiplied apart.
  const ms = unixMs + GREGORIAN_OFFSET_MS;
  const lower = (ms % 2 ** 32) * TICKS_PER_MS + tick;
  return [lower % 2 ** 32, Math.floor(ms / 2 ** 32) * TICKS_PER_MS + Math.floor(lower / 2 ** 32)];
}

const page = new UuidPage();
let last = BEFORE_ALL;

/** Makes the next IDs, as many as the page wants and as have the same millisecond and the same upper bits. */
function refill(now: number): void {
  const start = drawWords(2 * page.size);
  const first = stepV1(last, now);
  const [low, high] = ticksOfMoment(first);
  const made = Math.min(page.size, TICKS_PER_MS - first[1], 2 ** 32 - low);
  const b = (high << 16) | 0x1000 | (high >> 16);
  for (let id = 0; id < made; id++) {
    const at = start + 2 * id;
    writeUuid(id, (low + id) | 0, b, (randomWords[at] as number) | MULTICAST, randomWords[at + 1] as number);
  }
  last = [first[0], first[1] + made - 1];
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
  const isNewTime = now > last[0] || isBehind(last, now);
  if (isNewTime) page.size = 1;
  if (isNewTime || page.isEmpty) refill(now);
  return page.take();
}
