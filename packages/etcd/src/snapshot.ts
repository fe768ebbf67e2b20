// What was read of a pool, all of it as it was at one revision.
import type { LeaseRecord } from 'kazahana/lease';
import type { SlotKeys } from './keys.js';
import type { KeyRange, KeyValue } from './kv.js';
import {
  type LastLease,
  parse,
  parseLastLease,
  type StoredFormerLease,
  type StoredPool,
  type StoredSlot,
} from './records.js';

/** A value and the revision that wrote it. */
export interface Kept<T> {
  readonly value: T;
  readonly revision: number;
}

export interface FreeEntry {
  readonly slot: number;
  readonly freeFrom: number;
  readonly revision: number;
  readonly last: LastLease | undefined;
}

export interface KeptLease {
  readonly lease: LeaseRecord;
  readonly key: string;
  readonly revision: number;
}

export interface KeptAnswer {
  readonly key: string;
  readonly leases: readonly LeaseRecord[];
}

/** What a quota counts: where, how many, and the first end. */
export interface Held {
  readonly range: KeyRange;
  readonly count: number;
  readonly firstEnd: number;
}

export interface Snapshot {
  readonly revision: number;
  /** The time by which it was read, and by which whoever works on it decides (rule R3). */
  readonly now: number;
  /** Undefined when the pool does not exist. */
  readonly pool: (Kept<StoredPool> & { readonly createRevision: number }) | undefined;
  readonly serial: { readonly version: number; readonly revision: number };
  /** Undefined when the pool does not exist. */
  readonly slotKeys: SlotKeys | undefined;
  /** The head of the order of granting, as far as it is free. */
  readonly head: readonly FreeEntry[];
  /** The first slot that is not free, if it was asked for. */
  readonly nextEnd: FreeEntry | undefined;
  /** The key below which there is nothing in the order of granting. */
  readonly first: Kept<string>;
  /** Slots below this are in the order of granting. */
  readonly fresh: Kept<number>;
  /** By request, the newest last. */
  readonly answers: ReadonlyMap<string, readonly KeptAnswer[]>;
  /** By `quotaKey`. */
  readonly held: ReadonlyMap<string, Held>;
  readonly slots: ReadonlyMap<number, Kept<StoredSlot>>;
  readonly former: ReadonlyMap<number, readonly KeptLease[]>;
}

export function readPool(entry: KeyValue | undefined): Snapshot['pool'] {
  return entry && { ...kept<StoredPool>(entry), createRevision: entry.createRevision };
}

export function readEntry(slotKeys: SlotKeys, entry: KeyValue): FreeEntry {
  return { ...slotKeys.readFree(entry.key), revision: entry.modRevision, last: parseLastLease(entry) };
}

export function readAnswer(entry: KeyValue): KeptAnswer {
  return { key: entry.key, leases: parse<LeaseRecord[]>(entry) };
}

export function readSlots(slotKeys: SlotKeys, kvs: readonly KeyValue[]): Map<number, Kept<StoredSlot>> {
  return new Map(kvs.map((entry) => [slotKeys.readSlot(entry.key), kept<StoredSlot>(entry)]));
}

export function readFormer(kvs: readonly KeyValue[]): Map<number, readonly KeptLease[]> {
  const found = new Map<number, KeptLease[]>();
  for (const entry of kvs) {
    const { lease } = parse<StoredFormerLease>(entry);
    if (!lease) continue;
    const leases = found.get(lease.id) ?? [];
    found.set(lease.id, [...leases, { lease, key: entry.key, revision: entry.modRevision }]);
  }
  return found;
}

function kept<T>(entry: KeyValue): Kept<T> {
  return { value: parse<T>(entry), revision: entry.modRevision };
}
