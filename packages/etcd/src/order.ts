// Where the order of granting begins. An entry that was taken out of it stays in etcd's index until etcd compacts, and a
// read passes over it: from the very beginning, a read would cost more the more was ever granted. So there is a key that
// says below what there is nothing. Reads begin there; who adds something below lowers it, in the same transaction; and
// it is raised now and then.
import { slotCount } from 'kazahana/lease';
import type { Gateway } from './gateway.js';
import type { PoolKeys, SlotKeys } from './keys.js';
import { type Compare, isAt, isUpTo, nothingSince, type Operation, put, transaction } from './kv.js';
import type { Snapshot } from './snapshot.js';

/** What was taken since the beginning was raised is passed over by every read. */
const RAISE_EVERY = 64;

/** Where the order of a new generation begins. */
export function firstOfAll(slotKeys: SlotKeys): Operation {
  return put(slotKeys.first, slotKeys.free(0, 0));
}

/** The lowest entry that a transaction adds to the order of granting; `first` is where its key is kept. */
export interface Addition {
  readonly first: string;
  readonly entry: string;
}

/** What a transaction with these additions must find: that the order does not begin above any of them. */
export function beginsBelow(additions: readonly Addition[]): Compare[] {
  const [lowest] = additions.toSorted((a, b) => (a.entry < b.entry ? -1 : 1));
  return lowest ? [isUpTo(lowest.first, lowest.entry)] : [];
}

/** Raises the beginning of the order after so many grants, in the background. */
export class OrderRaiser {
  readonly #gateway: Gateway;
  readonly #keys: PoolKeys;
  #taken = 0;
  #raising: Promise<void> | undefined;

  constructor(gateway: Gateway, keys: PoolKeys) {
    this.#gateway = gateway;
    this.#keys = keys;
  }

  /** To be told of every grant, and what it was granted from. */
  hasTaken(slots: number, { pool, slotKeys, first, head, fresh, revision }: Snapshot): void {
    this.#taken += slots;
    const [entry] = head;
    if (this.#taken < RAISE_EVERY || this.#raising || !pool || !slotKeys || !entry) return;
    // Slots that were never used come below all others, and may not all be there yet.
    const isComplete = fresh.value >= slotCount(pool.value.pool.layout);
    const isHigh = entry.freeFrom > 0 || entry.slot > fresh.value;
    const to =
      isHigh && !isComplete ? slotKeys.free(0, fresh.value) : slotKeys.free(entry.freeFrom, entry.slot);
    this.#taken = 0;
    if (to <= first.value) return;
    const compares = [
      isAt(this.#keys.pool, pool.revision),
      isAt(slotKeys.first, first.revision),
      nothingSince({ from: first.value, to }, revision),
    ];
    // If it fails, a later one will do.
    this.#raising = transaction(this.#gateway, compares, [put(slotKeys.first, to)]).then(
      () => this.#end(),
      () => this.#end(),
    );
  }

  /** Until nothing is under way. */
  async settled(): Promise<void> {
    await this.#raising;
  }

  #end(): void {
    this.#raising = undefined;
  }
}
