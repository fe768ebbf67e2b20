// The driver for etcd: how its reads and writes become transactions, and what it remembers between them.
import type { Changes, Environment, Facts, LeaseDriver, ReadSlot, Wanted } from 'kazahana/lease';
import { CompactionWatch } from './compaction.js';
import { RevisionError } from './errors.js';
import { Gateway } from './gateway.js';
import { PoolKeys } from './keys.js';
import { lastRevision, nothingSince, read, remove, transact } from './kv.js';
import type { EtcdSettings } from './options.js';
import { SlotOrder } from './order.js';
import { type ReadState, readFacts, toCounted, toSlot } from './read.js';
import { MAX_SLOTS, toCompares, toOperations } from './write.js';

export class EtcdDriver implements LeaseDriver {
  readonly maxSlotsPerWrite = MAX_SLOTS;
  readonly #gateway: Gateway;
  readonly #compaction: CompactionWatch;
  readonly #environment: Environment;
  readonly #prefix: string;
  readonly #states = new WeakMap<Facts, ReadState>();
  /** Responses that were written to another life of etcd than was read (rule R7). Nothing is read before they are removed. */
  readonly #strays = new Set<string>();
  /** By the keys of their generations. */
  readonly #orders = new Map<string, SlotOrder>();

  constructor(settings: EtcdSettings, environment: Environment) {
    this.#gateway = new Gateway(settings, environment);
    this.#compaction = new CompactionWatch(this.#gateway, settings.onWarning);
    this.#environment = environment;
    this.#prefix = settings.prefix;
  }

  async read(pool: string, wanted: Wanted): Promise<Facts> {
    const keys = new PoolKeys(this.#prefix, pool);
    const strays = [...this.#strays];
    if (strays.length > 0) await transact(this.#gateway, [], strays.map(remove));
    for (const key of strays) this.#strays.delete(key);
    const order = wanted.free && this.#orderOf(keys, wanted.free.generation);
    for (;;) {
      try {
        const { facts, state } = await readFacts(this.#gateway, keys, wanted, order, this.#environment.now());
        this.#states.set(facts, state);
        this.#compaction.look(keys.pool, state.born, { at: facts.now, revision: state.revision });
        return facts;
      } catch (error) {
        // etcd was compacted between two requests of this read: the next one is of a newer revision.
        if (!(error instanceof RevisionError)) throw error;
      }
    }
  }

  async write(pool: string, changes: Changes, facts: Facts): Promise<{ serial: number } | 'changed'> {
    const keys = new PoolKeys(this.#prefix, pool);
    const state = this.#states.get(facts);
    if (!state) throw new TypeError('a write needs the facts of its read');
    const counts = new Map(facts.quotas.map(({ quota, count }) => [quota, count]));
    if (changes.quotas.some(({ quota, count }) => (counts.get(quota) ?? 0) > count)) return 'changed';
    const base = Math.max(state.base, changes.serialAtLeast - toCounted(state.serial));
    const isRaised = base > state.base;
    const data = changes.pool ?? (isRaised ? facts.pool?.data : undefined);
    const record = data === undefined ? undefined : { data, born: state.born, base };
    const compares = toCompares(keys, changes, facts.now, state);
    if (isRaised) compares.push(nothingSince(keys.serial, lastRevision(state.serial)));
    for (const { after } of changes.slots) this.#orderOf(keys, after.generation).join(after.freeFrom);
    const operations = toOperations(keys, changes, facts.now, record);
    const { found, clusterId } = await transact(this.#gateway, compares, operations);
    if (!found[0]) {
      // Perhaps there were grants meanwhile, and the serial must be raised by less.
      const serial = isRaised ? await read(this.#gateway, keys.serial, {}) : state.serial;
      if (lastRevision(serial) === lastRevision(state.serial)) return 'changed';
      this.#states.set(facts, { ...state, serial });
      return this.write(pool, changes, facts);
    }
    if (clusterId === facts.incarnation?.id) return { serial: base + toCounted(found[0]) };
    // A snapshot was restored since, in which all was as it was read, and no transaction can compare that. What is granted
    // there stays held until it ends; but the requests must not find it.
    for (const { after } of changes.responses) this.#strays.add(keys.response(after.request, after.created));
    return 'changed';
  }

  async list(pool: string, generation: string, after: number, limit: number): Promise<ReadSlot[]> {
    const keys = new PoolKeys(this.#prefix, pool).slotsFrom(generation, after + 1);
    const { kvs } = await read(this.#gateway, keys, { limit });
    return kvs.map((kv) => toSlot(generation, kv));
  }

  async drop(pool: string, generation: string): Promise<void> {
    const keys = new PoolKeys(this.#prefix, pool);
    this.#orders.delete(keys.slots(generation));
    for (let slots: ReadSlot[] = []; ; ) {
      const gone = slots.flatMap((slot) => [keys.slot(slot), ...keys.indexOf(slot)]);
      await transact(this.#gateway, [], [keys.late(generation), ...gone].map(remove));
      slots = await this.list(pool, generation, -1, MAX_SLOTS);
      if (slots.length === 0) return;
    }
  }

  async close(): Promise<void> {
    await this.#compaction.settled();
    this.#gateway.close();
  }

  #orderOf(keys: PoolKeys, generation: string): SlotOrder {
    const name = keys.slots(generation);
    const order = this.#orders.get(name) ?? new SlotOrder(this.#gateway, keys, generation);
    this.#orders.set(name, order);
    return order;
  }
}
