// Records as texts, which is all that a driver sees of them.
import type { ReadSlot, StoredSlot } from './driver.js';
import { StoreError } from './errors.js';
import type { LeaseRecord, PastWindow, PoolRecord, SlotRecord } from './rules.js';

/** Raised when a record changes its meaning, so that an older version refuses what it cannot read. */
const FORMAT = 1;

export function encodePool(pool: PoolRecord): string {
  return JSON.stringify({ format: FORMAT, ...pool });
}

/** The last text and what it says: the record of a pool is read with every batch, and seldom changes. */
let lastPool: { readonly data: string; readonly pool: PoolRecord } | undefined;

export function decodePool(data: string): PoolRecord {
  if (lastPool && lastPool.data === data) return lastPool.pool;
  const { format, ...pool } = parse(data) as PoolRecord & { format: number };
  if (format === FORMAT) {
    lastPool = { data, pool };
    return pool;
  }
  throw new StoreError('STORE_INCOMPATIBLE', `the pool has format ${format}, this version knows ${FORMAT}`);
}

export function encodeSlot({ generation, slot, freeFrom, quotas, lease, past }: SlotRecord): StoredSlot {
  return { generation, slot, freeFrom, quotas, data: JSON.stringify({ lease, past }) };
}

/** A slot is decoded for the decision and again for the write; the driver that keeps pools in memory gives the same one often. */
const decodedSlots = new WeakMap<ReadSlot, SlotRecord>();

export function decodeSlot(read: ReadSlot): SlotRecord {
  const known = decodedSlots.get(read);
  if (known) return known;
  const { generation, slot, freeFrom, quotas, data } = read;
  // A slot that was never written has no data.
  const { lease, past } = (data === '' ? { lease: null, past: [] } : parse(data)) as {
    lease: LeaseRecord | null;
    past: PastWindow[];
  };
  const record = { generation, slot, freeFrom, quotas, lease, past };
  decodedSlots.set(read, record);
  return record;
}

function parse(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    // The parser's own error quotes the text, and a secret may be in it.
    throw new StoreError('STORE_INCOMPATIBLE', 'a record in the store is not JSON');
  }
}
