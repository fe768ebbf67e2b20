// A change of layout writes all slots anew (rule R4), which may be more than one transaction can. So they are written
// beside the old ones first, where nobody looks; then one transaction, in which nothing of the old has changed since
// it was read, moves the pool over. Whoever dies on the way leaves keys behind that the next change removes.
import type { LeaseRecord } from 'kazahana/lease';
import { changedPool } from './changes.js';
import { type Commit, carryOut } from './commit.js';
import type { Gateway } from './gateway.js';
import type { PoolKeys, SlotKeys } from './keys.js';
import { isAt, nothingSince, type Operation, put, remove, removeAll, transaction } from './kv.js';
import { firstOfAll } from './order.js';
import type { StoredPool } from './records.js';
import type { Snapshot } from './snapshot.js';
import type { PoolView } from './view.js';

/** Operations in one transaction while preparing, and their size: etcd takes 1.5 MB. */
const MAX_BATCH = 500;
const MAX_CHARACTERS = 500_000;

/** The slots of a new layout, on their way. */
export class Staging {
  readonly #gateway: Gateway;
  readonly #keys: PoolKeys;
  readonly #generation: string;
  readonly #slotKeys: SlotKeys;
  /** What was written, so that a second try writes only what is different. */
  #slots: ReadonlyMap<number, number> = new Map();
  #former: ReadonlyMap<string, string> = new Map();
  #batches = 0;
  #stageRevision = 0;
  #isLost = false;

  /** `from` is the generation that the pool has now. */
  constructor(
    gateway: Gateway,
    keys: PoolKeys,
    generation: string,
    readonly from: string | undefined,
  ) {
    this.#gateway = gateway;
    this.#keys = keys;
    this.#generation = generation;
    this.#slotKeys = keys.slots(generation);
  }

  /** Asks others to wait a moment. Who does not is no danger, but costs another try. */
  async askForCalm({ pool }: Snapshot, signal?: AbortSignal): Promise<void> {
    if (!pool) return;
    const value: StoredPool = { ...pool.value, changing: this.#generation, by: this.#generation };
    const asking = put(this.#keys.pool, JSON.stringify(value));
    await transaction(this.#gateway, [isAt(this.#keys.pool, pool.revision)], [asking], signal);
  }

  /** Somebody else has changed the layout, and removed what was written here. */
  get isLost(): boolean {
    return this.#isLost;
  }

  /** Writes the slots and moves the pool over to them; false when something has changed meanwhile. */
  async carryOut(view: PoolView, snapshot: Snapshot, signal?: AbortSignal): Promise<boolean> {
    const { pool, slotKeys, revision, now } = snapshot;
    const changed = pool && changedPool(snapshot, view);
    if (!changed || !slotKeys || !view.replaced) return false;
    const leases = [...view.allLeases()];
    const isLive = ({ fallbackUntil }: LeaseRecord) => fallbackUntil > now;
    const operations = [
      firstOfAll(this.#slotKeys),
      ...this.#writeSlots(view.replaced),
      ...this.#writeFormer(leases.filter(isLive)),
      ...this.#forgetEnded(leases.filter((lease) => !isLive(lease))),
    ];
    await this.#write(operations, signal);
    if (this.#isLost) return false;
    const value = JSON.stringify({ ...changed, generation: this.#generation, by: this.#generation });
    const result = await carryOut(
      this.#gateway,
      this.#keys,
      {
        compares: [
          isAt(this.#keys.pool, pool.revision),
          isAt(this.#slotKeys.stage, this.#stageRevision),
          nothingSince(slotKeys.allSlots, revision),
          nothingSince(slotKeys.allFormer, revision),
        ],
        operations: [put(this.#keys.pool, value)],
        witness: { key: this.#keys.pool, value },
      },
      signal,
    );
    if (result.isDone) await this.#removeOthers(result.revision);
    return result.isDone;
  }

  #writeSlots(wanted: ReadonlyMap<number, number>): Operation[] {
    const operations: Operation[] = [];
    for (const [slot, before] of this.#slots) {
      if (wanted.get(slot) === before) continue;
      operations.push(remove(this.#slotKeys.free(before, slot)));
      if (!wanted.has(slot)) operations.push(remove(this.#slotKeys.slot(slot)));
    }
    for (const [slot, freeFrom] of wanted) {
      if (this.#slots.get(slot) === freeFrom) continue;
      const value = JSON.stringify({ freeFrom, by: this.#generation });
      operations.push(put(this.#slotKeys.slot(slot), value), put(this.#slotKeys.free(freeFrom, slot), ''));
    }
    this.#slots = wanted;
    return operations;
  }

  /** Live leases stay releasable. */
  #writeFormer(leases: readonly LeaseRecord[]): Operation[] {
    const wanted = new Map(
      leases.map((lease) => [this.#slotKeys.former(lease), JSON.stringify({ lease, by: this.#generation })]),
    );
    const gone = [...this.#former.keys()].filter((key) => !wanted.has(key));
    const different = [...wanted].filter(([key, value]) => this.#former.get(key) !== value);
    this.#former = wanted;
    return [...gone.map((key) => remove(key)), ...different.map(([key, value]) => put(key, value))];
  }

  /** They are counted nowhere any more, and nothing will speak of them after the change. */
  #forgetEnded(leases: readonly LeaseRecord[]): Operation[] {
    return leases.flatMap((lease) => this.#keys.heldKeysOf(lease)).map((key) => remove(key));
  }

  /** Batch by batch, each after the one before: a late copy of an earlier one must not come after a later one. */
  async #write(operations: readonly Operation[], signal?: AbortSignal): Promise<void> {
    const { stage } = this.#slotKeys;
    for (const batch of inBatches(operations)) {
      const value = String(++this.#batches);
      const commit: Commit = {
        compares: [isAt(stage, this.#stageRevision)],
        operations: [put(stage, value), ...batch],
        witness: { key: stage, value },
      };
      const result = await carryOut(this.#gateway, this.#keys, commit, signal);
      if (!result.isDone) {
        this.#isLost = true;
        return;
      }
      this.#stageRevision = result.revision;
    }
  }

  /** The generation before, and what was left behind; another change on its way will find out and begin again. */
  async #removeOthers(poolRevision: number): Promise<void> {
    const ranges = this.#keys.slotsBeside(this.#generation);
    await transaction(
      this.#gateway,
      [isAt(this.#keys.pool, poolRevision)],
      ranges.map((range) => removeAll(range)),
    ).catch(() => undefined);
  }
}

/** At least one, which may be empty. */
function inBatches(operations: readonly Operation[]): Operation[][] {
  const batches: Operation[][] = [[]];
  let characters = 0;
  for (const operation of operations) {
    const { length } = JSON.stringify(operation);
    const last = batches.at(-1) ?? [];
    if (last.length < MAX_BATCH && characters + length <= MAX_CHARACTERS) {
      last.push(operation);
      characters += length;
    } else {
      batches.push([operation]);
      characters = length;
    }
  }
  return batches;
}
