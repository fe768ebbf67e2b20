// A read: one transaction of ranges, and a second one at the same revision for the slots that the first has named.
import type { Facts, QuotaCount, ReadSlot, SlotKey, StoredResponse, Wanted } from 'kazahana/lease';
import type { Moment } from './compaction.js';
import type { Gateway } from './gateway.js';
import { endIn, lastIn, type PoolKeys } from './keys.js';
import { COUNT, type Found, type KeyValue, Reads } from './kv.js';
import type { SlotOrder } from './order.js';

/** The value of a pool's key. */
export interface StoredPool {
  readonly data: string;
  /** When the pool was created. */
  readonly born: Moment;
  /** Added to what is counted, it is the serial. */
  readonly base: number;
}

/** What a write must know of its read, beside the facts. */
export interface ReadState extends Pick<StoredPool, 'born' | 'base'> {
  readonly revision: number;
  /** The pool's key, where it exists, and those of the serial. */
  readonly pool: KeyValue | undefined;
  readonly serial: Found;
}

const UNWRITTEN = { freeFrom: 0, quotas: [], data: '', version: null };

export function toSlot(generation: string, { key, value, revision }: KeyValue): ReadSlot {
  const [freeFrom, quotas, data] = JSON.parse(value) as [number, string[], string];
  return { generation, slot: lastIn(key), freeFrom, quotas, data, version: String(revision) };
}

/**
 * How many grants were counted. A transaction of etcd cannot add, and if it compared a number, all grants would wait for
 * each other. But etcd counts how often a key is written: there is one for each power of two.
 */
export function toCounted({ kvs }: Found): number {
  return kvs.reduce((sum, { key, version }) => sum + lastIn(key) * version, 0);
}

function toResponse(request: string, { key, value }: KeyValue): StoredResponse {
  return { request, created: lastIn(key), slots: JSON.parse(value) as SlotKey[] };
}

function toQuota(quota: string, { kvs: [first], count }: Found): QuotaCount {
  return { quota, count, firstEnd: first ? endIn(first.key) : Number.POSITIVE_INFINITY };
}

/** Those of the slots that were ever written, each once. */
function askSlots(keys: PoolKeys, slots: readonly SlotKey[], reads: Reads): () => ReadSlot[] {
  const wanted = new Map(slots.map((slot) => [keys.slot(slot), slot.generation]));
  const found = [...wanted].map(([key, generation]) => ({ generation, one: reads.ask(key) }));
  return () => found.flatMap(({ generation, one }) => one().kvs.map((kv) => toSlot(generation, kv)));
}

/** `order` is that of the generation in `wanted.free`. */
export async function readFacts(
  gateway: Gateway,
  keys: PoolKeys,
  wanted: Wanted,
  order: SlotOrder | undefined,
  now: number,
): Promise<{ facts: Facts; state: ReadState }> {
  const { free, held } = wanted;
  const reads = new Reads();
  const poolKey = reads.ask(keys.pool);
  const serialKeys = reads.ask(keys.serial, { keysOnly: true });
  const ofSlots = askSlots(keys, wanted.slots, reads);
  const requests = [...new Set(wanted.requests)];
  const kept = requests.map((request) => reads.ask(keys.responsesTo(request)));
  const quotaKeys = wanted.quotas.map((quota) => reads.ask(keys.countedAfter(quota, now), COUNT));
  const heldKeys = held !== undefined && reads.ask(keys.orderFrom(held, now + 1), COUNT);
  const find = free && order?.ask(reads, free, now);
  const { revision, clusterId } = await reads.send(gateway);
  const responses = kept.flatMap((found, i) => found().kvs.map((kv) => toResponse(requests[i] ?? '', kv)));
  const { unwritten, written } = (await find?.(revision)) ?? { unwritten: [], written: [] };
  const { generation = '' } = free ?? {};
  const inResponses = responses.flatMap(({ slots }) => slots);
  const inOrder = written.map((slot) => ({ generation, slot }));
  const more = new Reads();
  const [ofResponses, ordered] = [askSlots(keys, inResponses, more), askSlots(keys, inOrder, more)];
  if (inResponses.length + inOrder.length > 0) await more.send(gateway, revision);

  const [stored] = poolKey().kvs;
  const pool = stored && (JSON.parse(stored.value) as StoredPool);
  const { born = { at: now, revision }, base = 0 } = pool ?? {};
  const slots = new Map([...ofSlots(), ...ofResponses()].map((slot) => [keys.slot(slot), slot]));
  const facts = {
    now,
    pool: pool ? { data: pool.data, version: String(stored.revision) } : null,
    serial: pool ? base + toCounted(serialKeys()) : 0,
    free: [...unwritten.map((slot) => ({ ...UNWRITTEN, generation, slot })), ...ordered()],
    slots: [...slots.values()],
    responses,
    quotas: quotaKeys.map((found, i) => toQuota(wanted.quotas[i] ?? '', found())),
    held: heldKeys ? heldKeys().count : 0,
    // A snapshot that is restored becomes another cluster, and has forgotten what came after it.
    incarnation: { id: clusterId, mayLose: true },
  };
  return { facts, state: { born, base, revision, pool: stored, serial: serialKeys() } };
}
