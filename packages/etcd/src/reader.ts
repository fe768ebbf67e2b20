// Reads what calls need of a pool: for all that wait, in one request, at one revision. Reading is what costs etcd
// most, since every entry of an answer becomes JSON.
import type { Environment, Quota } from 'kazahana/lease';
import type { Gateway } from './gateway.js';
import { Grouped } from './grouped.js';
import type { PoolKeys, SlotKeys } from './keys.js';
import { get, getAll, type KeyRange, type KeyValue, type RangeResult, readTogether } from './kv.js';
import { Needs, quotaKey } from './needs.js';
import { FirstOf, ReadBatch } from './read-batch.js';
import type { StoredPool } from './records.js';
import {
  type Held,
  readAnswer,
  readEntry,
  readFormer,
  readPool,
  readSlots,
  type Snapshot,
} from './snapshot.js';

/** A page of a long read. */
const PAGE = 500;
/** How far to look ahead, so that looking everywhere is rare. */
const FREE_AHEAD = 128;
const TAKEN_AHEAD = 16;
/** More calls than this at a time would make a large request. */
const MAX_GROUP = 50;

/** What a call wants to have read. */
interface Wanted {
  readonly needs: Needs;
  /** So many entries of the head more than it needs. */
  readonly spare: number;
}

export class PoolReader {
  readonly #gateway: Gateway;
  readonly #keys: PoolKeys;
  readonly #environment: Environment;
  readonly #calls = new Grouped<Wanted, Snapshot>(
    (waiting) => new Set(waiting.slice(0, MAX_GROUP)),
    (group) => this.#readFor(group),
  );
  /** Remembered from the last read; nothing breaks when it is out of date. */
  #lastPool: StoredPool | undefined;
  /** Where the order of granting began; if that was raised, nothing is missed, and if lowered, it is read again. */
  #first: string | undefined;
  readonly #free = new FirstOf(FREE_AHEAD);
  readonly #taken = new FirstOf(TAKEN_AHEAD);

  constructor(gateway: Gateway, keys: PoolKeys, environment: Environment) {
    this.#gateway = gateway;
    this.#keys = keys;
    this.#environment = environment;
  }

  /** The record of the pool when it was last read. */
  get lastPool(): StoredPool | undefined {
    return this.#lastPool;
  }

  /** Everything that a call needs, as it is after this was asked. */
  read(needs: Needs, spare: number, signal?: AbortSignal): Promise<Snapshot> {
    // A long read would keep the others waiting.
    return needs.isEverything ? this.#read(needs, spare, signal) : this.#calls.ask({ needs, spare }, signal);
  }

  async #readFor(group: readonly Wanted[]): Promise<readonly Snapshot[]> {
    const needs = new Needs();
    for (const call of group) needs.addCall(call.needs);
    const snapshot = await this.#read(needs, Math.max(...group.map(({ spare }) => spare)));
    return group.map(() => snapshot);
  }

  async #read(needs: Needs, spare: number, signal?: AbortSignal): Promise<Snapshot> {
    const entries = needs.slots + spare;
    for (;;) {
      const generation = this.#lastPool?.generation;
      const { snapshot, isEnough } = await this.#readOnce(needs, entries, generation, signal);
      this.#lastPool = snapshot.pool?.value;
      if (this.#lastPool?.generation === generation) {
        if (isEnough) return snapshot;
      } else {
        // The slots are elsewhere by now.
        this.#first = undefined;
        this.#free.forget();
        this.#taken.forget();
      }
    }
  }

  async #readOnce(
    needs: Needs,
    entries: number,
    generation: string | undefined,
    signal?: AbortSignal,
  ): Promise<{ snapshot: Snapshot; isEnough: boolean }> {
    const now = this.#environment.now();
    const slotKeys = generation === undefined ? undefined : this.#keys.slots(generation);
    const batch = new ReadBatch();
    const pool = batch.add(get(this.#keys.pool));
    const serial = batch.add(get(this.#keys.serial));
    const quotas = [...needs.quotas.values()].map((quota) => this.#readQuota(batch, quota, now));
    const head = slotKeys && this.#readHead(batch, slotKeys, needs, entries, now);
    const slots = slotKeys && readSlotsOf(batch, slotKeys, needs);
    const all = needs.isEverything && slotKeys ? this.#readAll(batch, slotKeys, signal) : undefined;
    const revision = await batch.send(this.#gateway, signal);
    const [serialKey] = serial().kvs;
    const { isEnough = true, ...found } = head?.() ?? {};
    const snapshot = {
      revision,
      now,
      pool: readPool(pool().kvs[0]),
      serial: { version: serialKey?.version ?? 0, revision: serialKey?.modRevision ?? 0 },
      held: new Map(quotas.map((read) => read())),
      slotKeys,
      ...NO_SLOTS,
      ...found,
      ...slots?.(),
      ...(await all?.(revision)),
    };
    return { snapshot, isEnough };
  }

  #readQuota(batch: ReadBatch, quota: Quota, now: number): () => [key: string, held: Held] {
    const range = this.#keys.heldAfter(quota, now);
    // The first of them, by its key; and the count of all.
    const read = batch.add(getAll(range, { limit: 1, keysOnly: true }));
    return () => {
      const { kvs, count } = read();
      const firstEnd = kvs[0] ? this.#keys.endOf(kvs[0].key) : Number.POSITIVE_INFINITY;
      return [quotaKey(quota), { range, count, firstEnd }];
    };
  }

  #readHead(batch: ReadBatch, slotKeys: SlotKeys, needs: Needs, entries: number, now: number) {
    const end = slotKeys.free(now + 1, 0);
    const from = this.#first ?? slotKeys.allFree.from;
    const first = batch.add(get(slotKeys.first));
    const free = needs.slots > 0 ? this.#free.add(batch, { from, to: end }, entries) : undefined;
    const { to } = slotKeys.allFree;
    const taken = needs.isNextEnd ? this.#taken.add(batch, { from: end, to }, 1) : undefined;
    return () => {
      const [head, next] = [free?.(), taken?.()];
      const [nextEnd] = next?.kvs ?? [];
      const [firstKey] = first().kvs;
      this.#first = firstKey?.value;
      const isWhole = from <= (firstKey?.value ?? from);
      return {
        first: { value: firstKey?.value ?? '', revision: firstKey?.modRevision ?? 0 },
        head: (head?.kvs ?? []).map((entry) => readEntry(slotKeys, entry)),
        nextEnd: nextEnd && readEntry(slotKeys, nextEnd),
        isEnough: isWhole && (head?.isEnough ?? true) && (next?.isEnough ?? true),
      };
    };
  }

  /** Every slot and every former lease; the first page of each is in the batch, the others are read afterwards. */
  #readAll(batch: ReadBatch, slotKeys: SlotKeys, signal?: AbortSignal) {
    const { allSlots, allFormer } = slotKeys;
    const slots = batch.add(getAll(allSlots, { limit: PAGE }));
    const former = batch.add(getAll(allFormer, { limit: PAGE }));
    return async (revision: number): Promise<Partial<SlotParts>> => ({
      slots: readSlots(slotKeys, await this.#otherPages(slots(), allSlots, revision, signal)),
      former: readFormer(await this.#otherPages(former(), allFormer, revision, signal)),
    });
  }

  async #otherPages(
    first: RangeResult,
    { to }: KeyRange,
    revision: number,
    signal?: AbortSignal,
  ): Promise<readonly KeyValue[]> {
    const found = [...first.kvs];
    for (let { kvs, count } = first; count > kvs.length; ) {
      const read = getAll({ from: `${kvs.at(-1)?.key}/`, to }, { limit: PAGE, revision });
      const { ranges } = await readTogether(this.#gateway, [read], signal);
      ({ kvs, count } = ranges[0] ?? { kvs: [], count: 0 });
      found.push(...kvs);
    }
    return found;
  }
}

type SlotParts = Pick<Snapshot, 'fresh' | 'answers' | 'slots' | 'former'>;

const NO_SLOTS: SlotParts & Pick<Snapshot, 'head' | 'nextEnd' | 'first'> = {
  head: [],
  nextEnd: undefined,
  first: { value: '', revision: 0 },
  fresh: { value: 0, revision: 0 },
  answers: new Map(),
  slots: new Map(),
  former: new Map(),
};

function readSlotsOf(batch: ReadBatch, slotKeys: SlotKeys, needs: Needs): () => SlotParts {
  const ids = needs.isEverything ? [] : [...needs.ids];
  const fresh = batch.add(get(slotKeys.fresh));
  const answers = [...needs.answers].map(
    (request) => [request, batch.add(getAll(slotKeys.answersTo(request)))] as const,
  );
  const slots = ids.map((id) => batch.add(get(slotKeys.slot(id))));
  const former = ids.map((id) => batch.add(getAll(slotKeys.formerOf(id))));
  return () => {
    const [freshKey] = fresh().kvs;
    const slotKvs = slots.flatMap((read) => read().kvs);
    return {
      fresh: { value: Number(freshKey?.value ?? 0), revision: freshKey?.modRevision ?? 0 },
      answers: new Map(answers.map(([request, read]) => [request, read().kvs.map(readAnswer)])),
      slots: readSlots(slotKeys, slotKvs),
      former: readFormer(former.flatMap((read) => read().kvs)),
    };
  };
}
