// Slots that were never used are put into the order of granting some at a time, by whoever finds none there: all at
// once would be too many in a large pool, and a counter would be one key that every grant must change.
import { slotCount } from 'kazahana/lease';
import { carryOut } from './commit.js';
import type { Gateway } from './gateway.js';
import type { PoolKeys } from './keys.js';
import { getAll, isAt, put, readTogether } from './kv.js';
import { beginsBelow } from './order.js';
import type { Snapshot } from './snapshot.js';

/** Enough that few grants have to do this, and that many at once find different ones. */
const FEW = 64;
/** What fits into one transaction without nesting. */
const MANY = 120;
/** How many slots are looked at, to find some that were never used; after a change of layout many may have been. */
const WINDOW = 1000;

/** Adds at least a few slots if there are any left; somebody else may be faster, which is as good. */
export async function addFreshSlots(
  gateway: Gateway,
  keys: PoolKeys,
  { pool, slotKeys, first, fresh }: Snapshot,
  wanted: number,
  signal?: AbortSignal,
): Promise<void> {
  if (!pool || !slotKeys) return;
  const end = Math.min(slotCount(pool.value.pool.layout), fresh.value + WINDOW);
  const used = getAll(slotKeys.slotRange(fresh.value, end), { keysOnly: true });
  const { ranges } = await readTogether(gateway, [used], signal);
  const isUsed = new Set(ranges[0]?.kvs.map(({ key }) => slotKeys.readSlot(key)));
  const slots: number[] = [];
  let next = fresh.value;
  for (const limit = Math.min(MANY, Math.max(FEW, wanted)); next < end && slots.length < limit; next++) {
    if (!isUsed.has(next)) slots.push(next);
  }
  const entries = slots.map((slot) => slotKeys.free(0, slot));
  const [lowest = first.value] = entries;
  await carryOut(
    gateway,
    keys,
    {
      compares: [
        isAt(keys.pool, pool.revision),
        isAt(slotKeys.fresh, fresh.revision),
        // It is never raised above them.
        ...beginsBelow([{ first: slotKeys.first, entry: lowest }]),
      ],
      operations: [put(slotKeys.fresh, String(next)), ...entries.map((entry) => put(entry, ''))],
      witness: { key: slotKeys.fresh, value: String(next) },
    },
    signal,
  );
}
