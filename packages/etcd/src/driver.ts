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
  /** By the keys of their generations. */
  readonly #orders = new Map<string, SlotOrder>();

  constructor(settings: EtcdSettings, environment: Environment) {
    this.#gateway = new Gateway(settings, environment);
    this.#compaction = new CompactionWatch(this.#gateway, settings.onWarning);
    this.#environment = environment;
    this.#prefix = settings.prefix;
  }

  async read(pool: string, wanted: Wanted): Promise<Facts> {
    const keys = this.#keysOf(pool);
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
    const keys = this.#keysOf(pool);
    const state = this.#states.get(facts);
    if (!state) throw new TypeError('a write needs the facts of its read');
    const counts = new Map(facts.quotas.map(({ quota, count }) => [quota, count]));
    if (changes.quotas.some(({ quota, count }) => (counts.get(quota) ?? 0) > count)) return 'changed';
    const base = Math.max(state.base, changes.serialAtLeast - toCounted(state.serial));
    const isRaised = base > state.base;
    const data = changes.pool ?? (isRaised ? facts.pool?.data : undefined);
    const record = data === undefined ? undefined : { data, born: state.born, base };
    const compares = toCompares(keys, changes, facts.now, state.revision);
    if (isRaised) compares.push(nothingSince(keys.serial, lastRevision(state.serial)));
    for (const { after } of changes.slots) this.#orderOf(keys, after.generation).join(after.freeFrom);
    const { found } = await transact(this.#gateway, compares, toOperations(keys, changes, record));
    if (found[0]) return { serial: base + toCounted(found[0]) };
    // Perhaps there were grants meanwhile, and the serial must be raised by less.
    const serial = isRaised ? await read(this.#gateway, keys.serial, {}) : state.serial;
    if (lastRevision(serial) === lastRevision(state.serial)) return 'changed';
    this.#states.set(facts, { ...state, serial });
    return this.write(pool, changes, facts);
  }

  async list(pool: string, generation: string, after: number, limit: number): Promise<ReadSlot[]> {
    const { kvs } = await read(this.#gateway, this.#keysOf(pool).slotsFrom(generation, after + 1), { limit });
    return kvs.map((kv) => toSlot(generation, kv));
  }

  async drop(pool: string, generation: string): Promise<void> {
    const keys = this.#keysOf(pool);
    this.#orders.delete(keys.slots(generation));
    for (;;) {
      const slots = await this.list(pool, generation, -1, MAX_SLOTS);
      if (slots.length === 0) return;
      const gone = slots.flatMap((slot) => [keys.slot(slot), ...keys.indexOf(slot)]);
      await transact(this.#gateway, [], gone.map(remove));
    }
  }

  async close(): Promise<void> {
    await this.#compaction.settled();
    this.#gateway.close();
  }

  #keysOf(pool: string): PoolKeys {
    return new PoolKeys(this.#prefix, pool);
  }

  #orderOf(keys: PoolKeys, generation: string): SlotOrder {
    const name = keys.slots(generation);
    const order = this.#orders.get(name) ?? new SlotOrder(this.#gateway, keys, generation);
    this.#orders.set(name, order);
    return order;
  }
}
