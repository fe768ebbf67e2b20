// The serial of a pool, which rises with every grant (rule R7). It is how often the key `serial` was written: etcd
// counts that, nobody has to read it in order to write it, and so it stands in nobody's way. One writing may be for
// several grants, so each counts for that many.
import type { PoolRecord } from 'kazahana/lease';
import type { StoredPool } from './records.js';

/** The most grants of one transaction. */
export const MAX_GRANTS = 64;

/** The serial of a pool whose key was written so often. */
export function serialAt({ serialOffset }: Pick<StoredPool, 'serialOffset'>, version: number): number {
  return serialOffset + version * MAX_GRANTS;
}

/** The serial of each of so many grants of one transaction: the last has the pool's. */
export function serialsOf(
  stored: Pick<StoredPool, 'serialOffset'>,
  version: number,
  grants: number,
): number[] {
  const last = serialAt(stored, version);
  return Array.from({ length: grants }, (_, place) => last - (grants - 1 - place));
}

/** The offset with which a pool has a serial when its key was written so often. */
export function offsetFor({ serial }: Pick<PoolRecord, 'serial'>, version: number): number {
  return serial - version * MAX_GRANTS;
}
