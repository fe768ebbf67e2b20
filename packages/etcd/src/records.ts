// The values that are kept, as JSON that an operator can read.
import { type LeaseRecord, type PoolRecord, StoreError } from 'kazahana/lease';
import type { KeyValue } from './kv.js';

/**
 * Every value that a transaction guards itself with names the transaction that wrote it: whoever lost the answer can
 * see whether it happened.
 */
interface Signed {
  readonly by: string;
}

/** The record of a pool. Its serial is not in it, or every grant would have to write what every other compares. */
export interface StoredPool extends Signed {
  readonly pool: Omit<PoolRecord, 'serial'>;
  /** The serial is this, and how often the key `serial` was written. */
  readonly serialOffset: number;
  /** Where the slots are. */
  readonly generation: string;
  /** When the pool was created. */
  readonly since: number;
  /** Set while a layout is being changed: others should wait a moment. It guards nothing. */
  readonly changing?: string;
}

export interface StoredSlot extends Signed {
  readonly freeFrom: number;
  readonly lease?: LeaseRecord;
}

/** A lease of a former layout; null after it was released, since a deletion would go unnoticed. */
export interface StoredFormerLease extends Signed {
  readonly lease: LeaseRecord | null;
}

/**
 * An entry of `free` names the lease that its slot was granted for last, so that what was kept for it can go when the
 * slot is granted again: its service, its account, the hash of its request, and when it was created. It is empty when
 * there is nothing to go.
 */
export interface LastLease {
  readonly serviceId: string;
  readonly account: string | null;
  readonly requestHash: string | null;
  readonly created: number;
}

type LastLeaseTuple = [
  serviceId: string,
  account: string | null,
  requestHash: string | null,
  created: number,
];

export function writeLastLease({ serviceId, account, requestHash, created }: LastLease): string {
  const tuple: LastLeaseTuple = [serviceId, account, requestHash, created];
  return JSON.stringify(tuple);
}

export function parseLastLease(entry: KeyValue): LastLease | undefined {
  if (entry.value === '') return undefined;
  const [serviceId, account, requestHash, created] = parse<LastLeaseTuple>(entry);
  return { serviceId, account, requestHash, created };
}

export function parse<T>({ key, value }: KeyValue): T {
  try {
    return JSON.parse(value) as T;
  } catch {
    // Not as a cause: it would show a part of the value, and that may be a secret.
    throw new StoreError('STORE_INCOMPATIBLE', `the key ${key} in etcd does not hold what kazahana wrote`);
  }
}
