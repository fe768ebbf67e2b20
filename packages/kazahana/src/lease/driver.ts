// What a store must be able to do: keep records and find them again. A driver decides nothing. The rules of a pool are
// in `rules.ts`, and the engine (`engine.ts`) runs them: it reads what it needs in one round trip, decides, and writes
// all changes in another, which happens as a whole or not at all.

/** Names a slot. Each layout that a pool has had is a generation of slots (rule R4). */
export interface SlotKey {
  readonly generation: string;
  readonly slot: number;
}

/** What a driver keeps of a slot. */
export interface StoredSlot extends SlotKey {
  /** The end of the slot's last window (rule R2). The driver keeps slots in the order of this number. */
  readonly freeFrom: number;
  /** The quotas that count this slot as long as `freeFrom` lies ahead. */
  readonly quotas: readonly string[];
  /** The rest, as text that only the engine reads. */
  readonly data: string;
}

/** A slot as it was read. */
export interface ReadSlot extends StoredSlot {
  /** The driver's own word for "as I read it"; null for a slot that was never written. */
  readonly version: string | null;
}

/** The response that a request got: the slots whose leases it was given, and when. */
export interface StoredResponse {
  readonly request: string;
  readonly created: number;
  readonly slots: readonly SlotKey[];
}

export interface Wanted {
  /**
   * So many slots of a generation, with numbers from `from` to before `to`, in the order of granting: never-written slots first, by
   * number; then written ones by `freeFrom`, then by number. `skip` leaves out so many at the beginning. The driver
   * does not look whether a slot is free.
   */
  readonly free?: {
    readonly generation: string;
    readonly from: number;
    readonly to: number;
    readonly skip: number;
    readonly count: number;
  };
  /** These slots, where they were ever written. */
  readonly slots: readonly SlotKey[];
  /** The responses to these requests, where there are any, and with them the slots that they name. */
  readonly requests: readonly string[];
  /** How many slots count for each of these quotas. */
  readonly quotas: readonly string[];
  /** How many slots of this generation have a `freeFrom` after now. */
  readonly held?: string;
}

/** What a driver found, all of one moment. A slot that was never written has `freeFrom` 0, no quotas and empty `data`. */
export interface Facts {
  /** The store's clock (rule R3), read once, in whole milliseconds; not before any wait for a lock. */
  readonly now: number;
  /** The record of the pool; null when there is none. */
  readonly pool: { readonly data: string; readonly version: string } | null;
  /** The pool's serial; 0 when there is no pool. */
  readonly serial: number;
  /** As `Wanted.free` says. Fewer than `count` means that the generation has no more. */
  readonly free: readonly ReadSlot[];
  /** Those of `Wanted.slots` and of `responses` that were ever written, each once. */
  readonly slots: readonly ReadSlot[];
  readonly responses: readonly StoredResponse[];
  /** One for each of `Wanted.quotas`: how many slots have a `freeFrom` after now, and the first of these times. */
  readonly quotas: readonly QuotaCount[];
  /** 0 when it was not wanted. */
  readonly held: number;
  /** Which life of the store this is (rule R7). Left out where a store cannot tell. */
  readonly incarnation?: Incarnation;
}

export interface QuotaCount {
  readonly quota: string;
  readonly count: number;
  /** Infinity when the count is 0. */
  readonly firstEnd: number;
}

/** Changes when a fail-over, a restart or a restored backup may have put an older state in place. */
export interface Incarnation {
  readonly id: string;
  /** Whether a change to this life, or from it to the next, may lose what was acknowledged. */
  readonly mayLose: boolean;
}

/** All of it is kept, or nothing. */
export interface Changes {
  /** The record of the pool must still have this version (null: must still be missing), whether it changes or not. */
  readonly poolVersion: string | null;
  /** The new record; left out when it stays as it is. */
  readonly pool?: string;
  /** The serial becomes `max(serial, serialAtLeast) + grants`. */
  readonly grants: number;
  readonly serialAtLeast: number;
  /** Every slot must still have the version that `before` has. */
  readonly slots: readonly { readonly before: ReadSlot; readonly after: StoredSlot }[];
  /** Each replaces the response of that request and `created` (null: there must be none). */
  readonly responses: readonly { readonly before: number | null; readonly after: StoredResponse }[];
  /** Responses that are removed if they are still there, before `responses` are kept; that they are not is no conflict. */
  readonly forget: readonly { readonly request: string; readonly created: number }[];
  /** The quotas must not count more than this, among slots whose `freeFrom` is after the `now` of the facts. */
  readonly quotas: readonly { readonly quota: string; readonly count: number }[];
}

export interface LeaseDriver {
  /** How many slots one write can carry. */
  readonly maxSlotsPerWrite: number;

  /** Reads what is wanted of a pool, at one moment. A driver may lock the pool from here to `write` or `abandon`. */
  read(pool: string, wanted: Wanted): Promise<Facts>;

  /**
   * Keeps changes durably, and returns the highest serial that they have. 'changed' when something they rest on is no
   * longer as it was read, or the store is in another life than it was then; nothing was kept in that case. When it
   * throws, the outcome is unknown.
   */
  write(pool: string, changes: Changes, facts: Facts): Promise<{ readonly serial: number } | 'changed'>;

  /** Ends a read that no write follows. */
  abandon?(facts: Facts): Promise<void>;

  /** Resolves when all that was read is as safe as what was written; for stores whose writes wait for replicas. */
  confirm?(pool: string): Promise<void>;

  /** Written slots of a generation with numbers above `after`, by number, at most `limit`. */
  list(pool: string, generation: string, after: number, limit: number): Promise<readonly ReadSlot[]>;

  /** Removes all slots of a generation that is no longer used. */
  drop(pool: string, generation: string): Promise<void>;

  /** Ends connections. Nothing is called afterwards. */
  close?(): Promise<void>;
}
