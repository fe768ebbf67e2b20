// Carries a transaction out. Each compares something that it changes itself: sent twice, it happens once. And what it
// changes carries its name, so that whoever lost the answer can see whether it happened.
import type { PoolRecord } from 'kazahana/lease';
import type { Gateway } from './gateway.js';
import { GENERATION_DIGITS, type PoolKeys } from './keys.js';
import { type Compare, get, isAt, type Operation, put, readTogether, transaction } from './kv.js';
import { firstOfAll } from './order.js';
import type { StoredPool } from './records.js';
import { offsetFor } from './serial.js';
import type { Snapshot } from './snapshot.js';

export interface Commit {
  readonly compares: readonly Compare[];
  readonly operations: readonly Operation[];
  /** A key that it writes, with the value that only it writes. */
  readonly witness: { readonly key: string; readonly value: string };
}

export type CommitResult =
  | {
      readonly isDone: true;
      /** How often the key `serial` was written by then, if this wrote it. */
      readonly serialVersion: number;
      /** The revision that it made. */
      readonly revision: number;
    }
  | { readonly isDone: false };

/** Carries it out, unless something that it compares has changed. */
export async function carryOut(
  gateway: Gateway,
  keys: PoolKeys,
  { compares, operations, witness }: Commit,
  signal?: AbortSignal,
): Promise<CommitResult> {
  const result = await transaction(gateway, compares, operations, signal);
  if (result.hasSucceeded) {
    return { isDone: true, serialVersion: (result.previous?.version ?? 0) + 1, revision: result.revision };
  }
  if (!result.isRepeated) return { isDone: false };
  // Perhaps it was changed by this very transaction, when it was sent before.
  const { ranges } = await readTogether(gateway, [get(witness.key), get(keys.serial)], signal);
  const [written, serial] = ranges.map(({ kvs }) => kvs[0]);
  if (written?.value !== witness.value) return { isDone: false };
  // Others may have been granted something since; a serial that is too high raises no false alarm.
  return { isDone: true, serialVersion: serial?.version ?? 0, revision: written.modRevision };
}

/** The creation of a pool. */
export function toCreation(keys: PoolKeys, created: PoolRecord, { serial, now }: Snapshot): Commit {
  const { serial: _, ...pool } = created;
  // Random, so that nothing of an earlier pool is taken for this one's.
  const generation = pool.id.slice(0, GENERATION_DIGITS);
  const stored: StoredPool = {
    pool,
    serialOffset: offsetFor(created, serial.version),
    generation,
    since: now,
    by: pool.id,
  };
  const value = JSON.stringify(stored);
  return {
    compares: [isAt(keys.pool, 0), isAt(keys.serial, serial.revision)],
    operations: [put(keys.pool, value), firstOfAll(keys.slots(generation))],
    witness: { key: keys.pool, value },
  };
}
