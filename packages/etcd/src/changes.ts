// What a call has changed of a pool, key by key, and what must not have changed meanwhile for it to be right.
import type { LeaseRecord } from 'kazahana/lease';
import { type PoolKeys, requestHash, type SlotKeys } from './keys.js';
import { isIn, type KeyRange } from './kv.js';
import { quotaKey } from './needs.js';
import type { Addition } from './order.js';
import { type LastLease, type StoredPool, type StoredSlot, writeLastLease } from './records.js';
import type { Kept, Snapshot } from './snapshot.js';
import type { PoolView } from './view.js';

export interface Changes {
  /** The revision of the pool's record: a quarantine or a layout comes before this or after it. */
  readonly poolRevision: number;
  /** Keys that must be as they were at these revisions. */
  readonly unchanged: ReadonlyMap<string, number>;
  /** Ranges to which nothing may have been added after a revision. */
  readonly quiet: readonly { readonly range: KeyRange; readonly revision: number }[];
  readonly puts: ReadonlyMap<string, string>;
  readonly removals: ReadonlySet<string>;
  /** What it adds to the order of granting, unless that is below its beginning, which it lowers itself. */
  readonly addition: Addition | undefined;
  /** The first key whose value names this call. */
  readonly witness: string;
  /** For a grant: the record by which its serial counts. */
  readonly grantedBy: Pick<StoredPool, 'serialOffset'> | undefined;
}

/** The record of a pool with what a call made of it, or undefined when that is the same. */
export function changedPool({ pool }: Snapshot, view: PoolView): Omit<StoredPool, 'by'> | undefined {
  if (!pool || !view.writtenPool) return undefined;
  const { serialOffset, generation, since } = pool.value;
  const { serial: written, ...rest } = view.writtenPool;
  // A grant raises the serial by being written, not here.
  const raised = written - view.serialBefore - (view.added.length > 0 ? 1 : 0);
  const changed = { pool: rest, serialOffset: serialOffset + raised, generation, since };
  const same = { pool: pool.value.pool, serialOffset, generation, since };
  return JSON.stringify(changed) === JSON.stringify(same) ? undefined : changed;
}

/** Everything that a view has written, but for the slots of a new layout; undefined when it has written nothing. */
export function changesOf(
  keys: PoolKeys,
  view: PoolView,
  snapshot: Snapshot,
  by: string,
): Changes | undefined {
  const { pool, slotKeys } = snapshot;
  if (!pool || !slotKeys) return undefined;
  const builder = new ChangesBuilder(keys, slotKeys, snapshot, by);
  const changed = changedPool(snapshot, view);
  if (changed) builder.writePool(changed, changed.serialOffset !== pool.value.serialOffset);
  builder.takeSlots(view);
  builder.removeLeases(view);
  return builder.build(pool.revision, view.added.length > 0 ? (changed ?? pool.value) : undefined);
}

class ChangesBuilder {
  readonly #unchanged = new Map<string, number>();
  readonly #quiet: { range: KeyRange; revision: number }[] = [];
  readonly #puts = new Map<string, string>();
  readonly #removals = new Set<string>();
  #witness: string | undefined;
  readonly #keys: PoolKeys;
  readonly #slotKeys: SlotKeys;
  readonly #snapshot: Snapshot;
  readonly #by: string;

  constructor(keys: PoolKeys, slotKeys: SlotKeys, snapshot: Snapshot, by: string) {
    this.#keys = keys;
    this.#slotKeys = slotKeys;
    this.#snapshot = snapshot;
    this.#by = by;
  }

  writePool(pool: Omit<StoredPool, 'by'>, isSerialMoved: boolean): void {
    this.#sign(this.#keys.pool, pool);
    // The serial was found to be too low: it had better be the newest.
    if (isSerialMoved) this.#unchanged.set(this.#keys.serial, this.#snapshot.serial.revision);
  }

  takeSlots({ taken, added, quotas, requests }: PoolView): void {
    if (taken.length === 0) return;
    const leases = new Map(added.map((lease) => [lease.id, lease]));
    for (const { entry, until } of taken) {
      const { slot, freeFrom, revision, last } = entry;
      const before = this.#slotKeys.free(freeFrom, slot);
      this.#unchanged.set(before, revision);
      this.#removals.add(before);
      const lease = leases.get(slot);
      if (lease && last) this.#forget({ ...last, fallbackUntil: freeFrom, id: slot, bitSeq: lease.bitSeq });
      this.#sign(this.#slotKeys.slot(slot), { freeFrom: until, ...(lease && { lease }) });
      this.#puts.set(this.#slotKeys.free(until, slot), lease ? writeLastLease(remembered(lease)) : '');
    }
    for (const lease of added) for (const key of this.#keys.heldKeysOf(lease)) this.#puts.set(key, '');
    for (const quota of quotas) {
      const held = this.#snapshot.held.get(quotaKey(quota));
      if (held) this.#keepQuiet(held.range);
    }
    for (const request of requests) this.#answer(request, added);
  }

  #answer(request: string, leases: readonly LeaseRecord[]): void {
    const [first] = leases;
    this.#keepQuiet(this.#slotKeys.answersTo(request));
    for (const { key } of this.#snapshot.answers.get(request) ?? []) this.#removals.add(key);
    if (!first) return;
    this.#puts.set(this.#slotKeys.answer(requestHash(request), first.created), JSON.stringify(leases));
  }

  removeLeases({ removed, freed }: PoolView): void {
    const changed = new Map<number, StoredSlot>();
    const current = (slot: number): Kept<StoredSlot> | undefined => this.#snapshot.slots.get(slot);
    for (const { lease, former } of removed) {
      this.#forget({ ...lease, ...remembered(lease) });
      if (former) {
        this.#unchanged.set(former.key, former.revision);
        this.#sign(former.key, { lease: null });
      } else {
        changed.set(lease.id, { freeFrom: current(lease.id)?.value.freeFrom ?? 0, by: this.#by });
      }
    }
    for (const [slot, freeFrom] of freed) {
      const before = current(slot)?.value;
      if (!before || before.freeFrom === freeFrom) continue;
      changed.set(slot, { ...(changed.get(slot) ?? before), freeFrom });
      this.#removals.add(this.#slotKeys.free(before.freeFrom, slot));
      this.#puts.set(this.#slotKeys.free(freeFrom, slot), '');
    }
    for (const [slot, value] of changed) {
      const key = this.#slotKeys.slot(slot);
      this.#unchanged.set(key, current(slot)?.revision ?? 0);
      this.#sign(key, value);
    }
  }

  build(poolRevision: number, grantedBy: Changes['grantedBy']): Changes | undefined {
    if (this.#witness === undefined) return undefined;
    const addition = this.#addToOrder();
    for (const key of this.#puts.keys()) this.#removals.delete(key);
    return {
      poolRevision,
      unchanged: this.#unchanged,
      quiet: this.#quiet,
      puts: this.#puts,
      removals: this.#removals,
      addition,
      witness: this.#witness,
      grantedBy,
    };
  }

  #addToOrder(): Addition | undefined {
    const { allFree, first } = this.#slotKeys;
    const [entry] = [...this.#puts.keys()].filter((key) => isIn(key, allFree)).sort();
    if (entry === undefined) return undefined;
    if (this.#snapshot.first.value <= entry) return { first, entry };
    this.#unchanged.set(first, this.#snapshot.first.revision);
    this.#puts.set(first, entry);
    return undefined;
  }

  #keepQuiet(range: KeyRange): void {
    this.#quiet.push({ range, revision: this.#snapshot.revision });
  }

  /** What has no use any more when a lease has ended. */
  #forget(lease: LastLease & Pick<LeaseRecord, 'fallbackUntil' | 'id' | 'bitSeq'>): void {
    for (const key of this.#keys.heldKeysOf(lease)) this.#removals.add(key);
    if (lease.requestHash === null) return;
    this.#removals.add(this.#slotKeys.answer(lease.requestHash, lease.created));
  }

  #sign(key: string, value: object): void {
    this.#puts.set(key, JSON.stringify({ ...value, by: this.#by }));
    this.#witness ??= key;
  }
}

function remembered({ serviceId, account, request, created }: LeaseRecord): LastLease {
  return { serviceId, account, requestHash: request === null ? null : requestHash(request), created };
}
