// The transaction that keeps changes: what it compares, and what it puts and removes.
import type { Changes } from 'kazahana/lease';
import type { PoolKeys } from './keys.js';
import { type Compare, exists, get, has, isAt, nothingSince, type Operation, put, remove } from './kv.js';
import { isLate } from './order.js';
import type { ReadState, StoredPool } from './read.js';

/**
 * So many have room in one transaction, with all that may come with a slot: its own key, its place, two quotas and its
 * response, old and new. And each may have 10 KiB of the 1.5 MiB that etcd allows: a lease and eight windows with 1 KiB of meta.
 */
export const MAX_SLOTS = 128;
/** So many slots come from a batch of calls, and then so many compares leave room for the operations; for more, fewer do. */
const BATCH = { slots: 64, compares: 120 };
const MANY = { compares: 80 };
/** More than these are compared as one. */
const MAX_QUOTAS = 8;

/**
 * What must still be as it was read. The value of the pool's key names the life of etcd in which it was written: revisions
 * come back when a snapshot is restored (rule R7).
 */
export function toCompares(keys: PoolKeys, changes: Changes, now: number, { revision, pool }: ReadState) {
  const counted = changes.quotas.map(({ quota }) => keys.countedAfter(quota, now));
  const quotas = counted.length > MAX_QUOTAS ? [keys.allQuotas] : counted;
  const compares: Compare[] = [
    isAt(keys.pool, Number(changes.poolVersion ?? 0)),
    ...(pool ? [has(keys.pool, pool.value)] : []),
    ...changes.responses.map(({ before, after: { request } }) =>
      before === null ? isAt(keys.responsesTo(request), 0) : exists(keys.response(request, before)),
    ),
    ...quotas.map((range) => nothingSince(range, revision)),
  ];
  // No version is the revision 0.
  const slots = changes.slots.map(({ before }) => ({ key: keys.slot(before), at: Number(before.version) }));
  slots.sort((a, b) => (a.key < b.key ? -1 : 1));
  const room = Math.max(1, (slots.length > BATCH.slots ? MANY : BATCH).compares - compares.length);
  // Where there is no room for each, neighbours go together: none of them was written since the facts were read.
  const size = Math.ceil(slots.length / room);
  for (let place = 0; place < slots.length; place += size) {
    const [first, last = first] = [slots[place], slots[place + size - 1] ?? slots.at(-1)];
    if (!first || !last) break;
    const range = { from: first.key, to: `${last.key}\0` };
    compares.push(first === last ? isAt(first.key, first.at) : nothingSince(range, revision));
  }
  return compares;
}

/** What is put and removed, `pool` where that changes; at the end, what is counted is read. */
export function toOperations(keys: PoolKeys, changes: Changes, now: number, pool?: StoredPool): Operation[] {
  const puts = new Map(keys.powersOf(changes.grants).map((key) => [key, '']));
  const removed = new Set<string>();
  if (pool) puts.set(keys.pool, JSON.stringify(pool));
  for (const { before, after } of changes.slots) {
    if (before.version !== null) for (const key of keys.indexOf(before)) removed.add(key);
    for (const key of keys.indexOf(after)) puts.set(key, '');
    if (isLate(after.freeFrom, now)) puts.set(keys.late(after.generation), '');
    puts.set(keys.slot(after), JSON.stringify([after.freeFrom, after.quotas, after.data]));
  }
  for (const { before, after } of changes.responses) {
    if (before !== null) removed.add(keys.response(after.request, before));
    puts.set(keys.response(after.request, after.created), JSON.stringify(after.slots));
  }
  for (const { request, created } of changes.forget) removed.add(keys.response(request, created));
  // etcd refuses a transaction that removes what it puts.
  const gone = [...removed].filter((key) => !puts.has(key));
  return [...gone.map(remove), ...[...puts].map(([key, value]) => put(key, value)), get(keys.serial)];
}
