// Records as texts, which is all that a driver sees of them.
import type { ReadSlot, StoredSlot } from './driver.js';
import { StoreError } from './errors.js';
import type { LeaseRecord, PastWindow, PoolRecord, SlotRecord } from './rules.js';

/** Raised when a record changes its meaning, so that an older version refuses what it cannot read. */
const FORMAT = 1;

export function encodePool(pool: PoolRecord): string {
  return JSON.stringify({ format: FORMAT, ...pool });
}

export function decodePool(data: string): PoolRecord {
  const { format, ...pool } = parse(data) as PoolRecord & { format: number };
  if (format === FORMAT) return pool;
  throw new StoreError('STORE_INCOMPATIBLE', `the pool has format ${format}, this version knows ${FORMAT}`);
}

export function encodeSlot({ generation, slot, freeFrom, quotas, lease, past }: SlotRecord): StoredSlot {
  return { generation, slot, freeFrom, quotas, data: JSON.stringify({ lease, past }) };
}

export function decodeSlot({ generation, slot, freeFrom, quotas, data }: ReadSlot): SlotRecord {
  // A slot that was never written has no data.
  const { lease, past } = (data === '' ? { lease: null, past: [] } : parse(data)) as {
    lease: LeaseRecord | null;
    past: PastWindow[];
  };
  return { generation, slot, freeFrom, quotas, lease, past };
}

function parse(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    // The parser's own error quotes the text, and a secret may be in it.
    throw new StoreError('STORE_INCOMPATIBLE', 'a record in the store is not JSON');
  }
}
