// Where the next search for free slots begins. Rows that were replaced stay in the index until they are cleaned up, which a
// transaction that sits idle elsewhere prevents; and slots that were never written have no rows to find them by. So each
// write notes how far the search before it came. What is noted is a lower bound: below it there is nothing to find.
import type { StoredSlot, Wanted } from 'kazahana/lease';
import type { Turn } from './read.js';
import { keyOf } from './text.js';

export interface SearchStart {
  /** The key of what was searched; the rest holds for this only. */
  readonly search: string;
  /** All slots of the range below this one were written. */
  readonly fresh: number;
  /** No slot that was written is before this place in the order of granting. */
  readonly free_from: number;
  readonly slot: number;
}

export const searchKey = (pool: string, { generation, from, to }: NonNullable<Wanted['free']>) =>
  keyOf(pool, generation, `${from} to ${to}`);

const placeOf = ({ freeFrom, slot }: StoredSlot) => ({ free_from: freeFrom, slot });
type Place = ReturnType<typeof placeOf>;
const firstOf = (a: Place, b: Place) => ((a.free_from - b.free_from || a.slot - b.slot) <= 0 ? a : b);

/** The start after a search, which found slots that were never written and others, and the write that followed it. */
export function nextSearchStart(turn: Turn, written: readonly StoredSlot[]): SearchStart {
  const { name, head, fresh, used } = turn;
  const { free } = turn.wanted;
  const none = { search: '', fresh: 0, free_from: 0, slot: 0 };
  let start: SearchStart = head ?? none;
  if (free && free.skip === 0 && free.count > 0) {
    const search = searchKey(name, free);
    const taken = new Set(written.flatMap((one) => (one.generation === free.generation ? one.slot : [])));
    const firstFresh = fresh.find((slot) => !taken.has(slot)) ?? fresh.at(-1) ?? free.to;
    const firstUsed = used.find(({ slot }) => !taken.has(slot)) ?? used.at(-1);
    const known = start.search === search ? start : none;
    start = { ...known, search, fresh: firstFresh, ...(firstUsed && placeOf(firstUsed)) };
  }
  return { ...start, ...written.map(placeOf).reduce<Place>(firstOf, start) };
}
