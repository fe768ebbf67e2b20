// What operators see and do: totals and lists of a pool, the maker of an ID. A change of layout is in `change-layout.ts`.
import type { Environment } from '../environment.js';
import { checkId } from '../id/bytes.js';
import { slotsOf } from './calls.js';
import type { ConfiguredPool } from './config.js';
import type { LeaseDriver, ReadSlot, SlotKey } from './driver.js';
import { LeaseNotFoundError, PoolExistsError } from './errors.js';
import { creation, freshPool, NOTHING_WANTED, noChanges } from './new-pool.js';
import type { Needs, PoolCall } from './pool-call.js';
import { FLOOR_QUOTA, serviceQuota } from './quotas.js';
import { decodeSlot } from './records.js';
import { isLeased, type LeasedSlot, type PoolRecord, quarantine, slotRange, withLease } from './rules.js';
import type { IdMaker, InspectedLease, InspectedPool, LeasePage, WhoisResult } from './types.js';
import type { PoolView } from './view.js';

export type Run = <Result>(call: PoolCall<Result>) => Promise<Result>;

/** So many slots are read at a time: with full histories a few milliseconds of work, in which the process does nothing else. */
const PAGE = 250;

/** The pool as operators see it, with how many slots these services hold; `change` first does something to its record. */
export function inspectCall(
  name: string,
  services: readonly string[] | undefined,
  change: (pool: PoolRecord, now: number) => PoolRecord = (pool) => pool,
): PoolCall<InspectedPool> {
  return {
    needs: ({ floors }) => ({
      held: true,
      quotas: [...(services ?? []).map(serviceQuota), ...(floors ? [FLOOR_QUOTA] : [])],
    }),
    decide(view) {
      view.pool = change(view.pool, view.now);
      const { pool, now, serial } = view;
      const { floors } = pool;
      // No slot under a floor that lies ahead has a record of its own.
      const under = floors ? view.count(FLOOR_QUOTA).count * 2 ** (floors.bitSeq - pool.layout.bitSeq) : 0;
      const held = view.held + under;
      const { id, layout, share, quarantinedUntil: until } = pool;
      const { from, to } = slotRange(pool);
      const quarantinedUntil = until > now ? until : 0;
      const counts = services?.map((serviceId) => [serviceId, view.count(serviceQuota(serviceId)).count]);
      const heldBy = counts && { heldBy: Object.fromEntries(counts) as Record<string, number> };
      const state = { name, id, serial, now, layout, share, slots: to - from, held, quarantinedUntil };
      return () => ({ ...state, ...heldBy });
    },
  };
}

/** The record of a pool, and the time. */
export const recordCall: PoolCall<{ pool: PoolRecord; now: number }> = {
  needs: () => ({}),
  decide:
    ({ pool, now }) =>
    () => ({ pool, now }),
};

/** All written slots of a generation above a number. */
export async function* slotsAbove(
  driver: LeaseDriver,
  pool: string,
  generation: string,
  above: number,
): AsyncGenerator<ReadSlot> {
  for (let after = above; ; ) {
    const page = await driver.list(pool, generation, after, PAGE);
    yield* page;
    const last = page.at(-1);
    if (!last || page.length < PAGE) return;
    after = last.slot;
  }
}

/** The leases of a page by machine ID. Those of one machine ID, of several layouts, are never parted. */
export async function listLeases(
  driver: LeaseDriver,
  name: string,
  run: Run,
  { after = -1, limit = Number.POSITIVE_INFINITY }: LeasePage,
): Promise<InspectedLease[]> {
  const { pool, now } = await run(recordCall);
  const layouts = [{ ...pool.layout, generation: pool.generation }, ...pool.former];
  const leases: InspectedLease[] = [];
  for (const { generation, bitSeq } of layouts) {
    let room = limit;
    for await (const stored of slotsAbove(driver, name, generation, after)) {
      const slot = decodeSlot(stored);
      if (!isLeased(slot) || slot.lease.fallbackUntil <= now) continue;
      leases.push(toInspectedLease(slot, bitSeq));
      if (--room === 0) break;
    }
  }
  leases.sort((a, b) => a.id - b.id || a.bitSeq - b.bitSeq);
  const last = leases[limit - 1];
  return last ? leases.filter(({ id }) => id <= last.id) : leases;
}

/** A lease as operators see it: without its secret. */
function toInspectedLease({ slot, lease }: LeasedSlot, bitSeq: number): InspectedLease {
  const { serviceId, holder, created, expired, fallbackUntil } = lease;
  return { id: slot, bitSeq, serviceId, holder, created, expired, fallbackUntil };
}

/** Forgets the leases of a machine ID; their slots stay held until their windows end. */
export class RevokeCall implements PoolCall<void> {
  readonly #id: number;
  /** The secrets of the leases that were decided on. */
  #revoked: readonly string[] = [];
  #isInDoubt = false;

  constructor(id: number) {
    this.#id = id;
  }

  needs(pool: PoolRecord): Needs {
    return { slots: slotsOf(pool, this.#id) };
  }

  doubt(): void {
    this.#isInDoubt = true;
  }

  decide(view: PoolView): () => void {
    // A retry is for the same leases: others may have begun since.
    const isRetry = this.#isInDoubt && this.#revoked.length > 0;
    const slots = slotsOf(view.pool, this.#id)
      .map((key) => view.slot(key))
      .filter(isLeased)
      .filter(({ lease }) => lease.fallbackUntil > view.now)
      .filter(({ lease }) => !isRetry || this.#revoked.includes(lease.secret));
    if (slots.length === 0 && !isRetry) throw new LeaseNotFoundError(this.#id);
    if (!isRetry) this.#revoked = slots.map(({ lease }) => lease.secret);
    for (const slot of slots) view.write(withLease(slot, null, { freeFrom: slot.freeFrom }));
    return () => {};
  }
}

/** Makes a pool that does not exist; after a loss, in quarantine. */
export async function createPool(
  driver: LeaseDriver,
  environment: Environment,
  name: string,
  { afterLoss, ...configured }: ConfiguredPool & { readonly afterLoss: boolean },
): Promise<void> {
  const facts = await driver.read(name, NOTHING_WANTED);
  if (facts.pool) {
    await driver.abandon?.(facts);
    throw new PoolExistsError(name);
  }
  const fresh = freshPool(environment, configured, facts);
  const pool = afterLoss ? quarantine(fresh, facts.now, configured.maxWindow) : fresh;
  if ((await driver.write(name, creation(pool), facts)) === 'changed') throw new PoolExistsError(name);
}

/** The request in whose name a provider writes to see whether it can; no caller has one like it. */
const PROBE = 'readiness probe';

/** Writes something that changes nothing: a store that can be read and not written must not pass for a healthy one. */
export async function probe(driver: LeaseDriver, name: string): Promise<void> {
  const facts = await driver.read(name, { ...NOTHING_WANTED, requests: [PROBE] });
  const before = facts.responses.find(({ request }) => request === PROBE)?.created ?? null;
  const responses = [{ before, after: { request: PROBE, created: facts.now, slots: [] } }];
  // When something has changed meanwhile, another process could write.
  await driver.write(name, { ...noChanges(facts), responses }, facts);
}

interface Place {
  readonly key: SlotKey;
  readonly machineId: number;
  readonly sequence: number;
}

export function whois(id: bigint, name: string, run: Run): Promise<WhoisResult> {
  checkId(id);
  return run({
    needs: (pool) => ({ slots: placesOf(id, pool).map(({ key }) => key) }),
    decide(view) {
      const { layout } = view.pool;
      const suffixBits = BigInt(layout.bitId + layout.bitSeq);
      const unixMs = layout.customEpoch + Number(BigInt.asUintN(layout.bitTs, id >> suffixBits));
      const isFallback = ((id >> (suffixBits - 1n)) & 1n) === 1n;
      const places = placesOf(id, view.pool);
      const makers = places.map(({ key }) => makerAt(view, key, unixMs));
      const found = Math.max(
        0,
        makers.findIndex((maker) => maker !== null),
      );
      const { machineId = 0, sequence = 0 } = places[found] ?? {};
      return () => ({ pool: name, unixMs, machineId, sequence, isFallback, maker: makers[found] ?? null });
    },
  });
}

/** Where the ID would stand in the present layout and in former ones. */
function placesOf(id: bigint, pool: PoolRecord): Place[] {
  return [{ ...pool.layout, generation: pool.generation }, ...pool.former].map((layout) => {
    const { bitId, bitSeq, generation } = layout;
    const machineId = Number(BigInt.asUintN(bitId, id >> BigInt(bitSeq)));
    const sequence = Number(BigInt.asUintN(bitSeq, id));
    const half = 2 ** (bitId - 1);
    const slot = machineId % half;
    return { key: { generation, slot }, machineId, sequence };
  });
}

/** The holder of a slot at a time. */
function makerAt(view: PoolView, key: SlotKey, t: number): IdMaker | null {
  const slot = view.slot(key);
  if (!slot) return null;
  const { lease, past, freeFrom } = slot;
  const present = lease
    ? [{ ...lease, created: lease.since, end: Math.min(freeFrom, lease.fallbackUntil) }]
    : [];
  const found = [...present, ...past].find(({ created, end }) => created <= t && t < end);
  if (!found) return null;
  const { serviceId, holder, created, end } = found;
  return { serviceId, holder, created, end };
}
