// What operators see and do: totals and lists of a pool, the maker of an ID, and a change of layout, which is the one
// thing that takes more than one write.
import type { Environment } from '../environment.js';
import { checkId } from '../id/bytes.js';
import type { IdLayout } from '../id/layout.js';
import { slotsOf } from './calls.js';
import type { ConfiguredPool } from './config.js';
import type { Changes, LeaseDriver, ReadSlot, SlotKey } from './driver.js';
import { LeaseNotFoundError, PoolExistsError, StoreError } from './errors.js';
import { creation, drawGeneration, freshPool, NOTHING_WANTED, noChanges } from './new-pool.js';
import type { Needs, PoolCall } from './pool-call.js';
import { FLOOR_QUOTA, serviceQuota } from './quotas.js';
import { decodePool, decodeSlot, encodeSlot } from './records.js';
import {
  type Floors,
  isLeased,
  type LeasedSlot,
  type PoolRecord,
  quarantine,
  relayout,
  type relayoutSlots,
  slotRange,
  withLease,
} from './rules.js';
import type {
  IdMaker,
  InspectedLease,
  InspectedPool,
  LayoutChange,
  LeasePage,
  WhoisResult,
} from './types.js';
import type { PoolView } from './view.js';

type Widths = Pick<LayoutChange, 'bitId' | 'bitSeq'>;
type Run = <Result>(call: PoolCall<Result>) => Promise<Result>;

/** So many slots are read at a time: with full histories a few milliseconds of work, in which the process does nothing else. */
const PAGE = 250;
/** So many new slots, which are small, are written at a time. */
const WRITE_PAGE = 500;
/** So long a pool grants nothing after a change of layout was interrupted. One that goes on prolongs its pause. */
const LAYOUT_PAUSE_MS = 30_000;
/** So many former layouts a pool remembers, for `whois`, when all their leases have ended. */
const REMEMBERED_LAYOUTS = 4;

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
const recordCall: PoolCall<{ pool: PoolRecord; now: number }> = {
  needs: () => ({}),
  decide:
    ({ pool, now }) =>
    () => ({ pool, now }),
};

/** All written slots of a generation above a number. */
async function* slotsAbove(
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

interface LayoutParts {
  readonly driver: LeaseDriver;
  readonly environment: Environment;
  readonly relayoutSlots: typeof relayoutSlots;
}

/** The ends of windows by the number of a slot. */
type Ends = Map<number, number>;

/** Slots of a generation that the pool does not use yet. */
interface NewSlots {
  readonly generation: string;
  readonly ends: Ends;
  readonly quotas: readonly string[];
}

/**
 * Changes the layout of a pool: grants pause, all slots are read, what they leave is written beside them as a generation of its
 * own, and the pool moves over in one write. What they leave are the new slots, or where these are narrower than the old ones,
 * floors as wide as those. A change that is interrupted changes nothing: grants go on when the pause is over, and the next change
 * removes what was written.
 */
export async function changeLayout(
  { driver, environment, relayoutSlots }: LayoutParts,
  name: string,
  widths: Widths,
  run: Run,
): Promise<void> {
  const written = drawGeneration(environment);
  const interrupted = await run(pauseCall(widths, written));
  if (interrupted !== null) await driver.drop(name, interrupted);
  const { pool } = await run(recordCall);
  const { layout, floors: formerFloors } = pool;
  // Former floors may be wider than the slots: then they all go together, and some slots become free later than they could.
  const bitSeq = Math.max(layout.bitSeq, formerFloors?.bitSeq ?? 0, widths.bitSeq);
  const ends: Ends = new Map();
  const responses: { request: string; created: number }[] = [];
  const collect = async (generation: string, from: Pick<IdLayout, 'bitSeq'>) => {
    const used: [slot: number, freeFrom: number][] = [];
    for await (const stored of slotsAbove(driver, name, generation, -1)) {
      used.push([stored.slot, stored.freeFrom]);
      const { lease } = decodeSlot(stored);
      if (lease) responses.push({ request: lease.request, created: lease.granted });
    }
    for (const [slot, freeFrom] of relayoutSlots(used, from, { bitSeq }))
      ends.set(slot, Math.max(ends.get(slot) ?? 0, freeFrom));
  };
  await collect(pool.generation, layout);
  if (formerFloors) await collect(formerFloors.generation, formerFloors);
  const until = [...ends.values()].reduce((latest, freeFrom) => Math.max(latest, freeFrom), 0);
  const isNarrower = widths.bitSeq < bitSeq;
  const quotas = isNarrower ? [FLOOR_QUOTA] : [];
  await writeEnds({ driver, environment }, { name, generation: written, ends, quotas, run });
  const floors = isNarrower ? { generation: written, bitSeq, until } : null;
  const generation = isNarrower ? drawGeneration(environment) : written;
  const dropped = await run(moveCall(name, widths, written, { generation, floors, until }));
  // The pool repeats no response of a former layout.
  for (let at = 0; at < responses.length; at += WRITE_PAGE) {
    const forget = responses.slice(at, at + WRITE_PAGE);
    const facts = await driver.read(name, NOTHING_WANTED);
    // The layout has changed: responses that are left over cost room and nothing else.
    await driver.write(name, { ...noChanges(facts), forget }, facts).catch(() => undefined);
  }
  for (const former of dropped) await driver.drop(name, former);
}

/** Writes the slots of a generation that the pool does not use yet, some at a time. The pause goes on meanwhile. */
async function writeEnds(
  { driver, environment }: Pick<LayoutParts, 'driver' | 'environment'>,
  { name, generation, ends, quotas, run }: NewSlots & { name: string; run: Run },
): Promise<void> {
  const pageSize = Math.min(WRITE_PAGE, driver.maxSlotsPerWrite);
  const all = [...ends];
  let pausedAt = environment.now();
  for (let at = 0; at < all.length; at += pageSize) {
    await writeNewSlots(driver, name, { generation, ends: new Map(all.slice(at, at + pageSize)), quotas });
    if (Math.abs(environment.now() - pausedAt) < LAYOUT_PAUSE_MS / 3) continue;
    await run(prolongCall(name, generation));
    pausedAt = environment.now();
  }
}

/** Stops grants for a while, after the new widths are checked. Returns the generation of a change that was interrupted. */
function pauseCall(widths: Widths, generation: string): PoolCall<string | null> {
  return {
    needs: () => ({}),
    // By this call, the outcome of its write may have been unknown.
    waitsForLayout: (pool) => pool.nextGeneration !== generation,
    decide(view) {
      const { pool, now } = view;
      relayout(pool, widths, { generation, floors: null, until: 0 });
      const { nextGeneration } = pool;
      if (nextGeneration === generation) return () => null;
      view.pool = { ...pool, pausedUntil: now + LAYOUT_PAUSE_MS, nextGeneration: generation };
      return () => nextGeneration;
    },
  };
}

/** Refuses to go on with a change of layout whose pause is over: the pool may have granted leases since. */
function checkPaused(
  name: string,
  { nextGeneration, pausedUntil }: PoolRecord,
  generation: string,
  now: number,
) {
  if (nextGeneration === generation && now < pausedUntil) return;
  throw new StoreError('STORE_BUSY', `pool ${name}: the change of layout took too long; nothing has changed`);
}

/** Prolongs the pause of a change of layout that goes on. */
function prolongCall(name: string, generation: string): PoolCall<void> {
  return {
    needs: () => ({}),
    decide(view) {
      checkPaused(name, view.pool, generation, view.now);
      view.pool = { ...view.pool, pausedUntil: view.now + LAYOUT_PAUSE_MS };
      return () => {};
    },
  };
}

/** Moves the pool over to its new slots, if the pause was not over in between. Returns the generations to remove. */
function moveCall(
  name: string,
  widths: Widths,
  written: string,
  next: { readonly generation: string; readonly floors: Floors | null; readonly until: number },
): PoolCall<string[]> {
  return {
    // Slots of the old layout were read for other calls; nothing of these may be granted any more.
    isAlone: true,
    needs: () => ({}),
    decide(view) {
      const { pool, now } = view;
      if (pool.generation === next.generation) return () => [];
      checkPaused(name, pool, written, now);
      const moved = relayout(pool, widths, next);
      const kept = moved.former.filter((former, i) => i < REMEMBERED_LAYOUTS || former.until > now);
      view.pool = { ...moved, former: kept, pausedUntil: 0, nextGeneration: null };
      const gone = [
        ...moved.former.filter((former) => !kept.includes(former)),
        ...(pool.floors ? [pool.floors] : []),
      ];
      return () => gone.map(({ generation }) => generation);
    },
  };
}

/** So often a write of unknown outcome is tried again. */
const MAX_WRITES = 3;

const changedMeanwhile = (pool: string) =>
  new StoreError('STORE_BUSY', `pool ${pool} changed while its layout did`);

/** Writes slots of a generation that the pool does not use yet, once, however often it takes. */
async function writeNewSlots(
  driver: LeaseDriver,
  pool: string,
  { generation, ends, quotas }: NewSlots,
): Promise<void> {
  const keys = [...ends.keys()].map((slot) => ({ generation, slot }));
  for (let writes = 1; ; writes++) {
    // The generation is new: nothing of it can be there before the first attempt.
    const facts = await driver.read(pool, { ...NOTHING_WANTED, slots: writes === 1 ? [] : keys });
    // A store that forgot may have lost the pause (rule R7). No change of layout would ever remove what is written now.
    if (!facts.pool || decodePool(facts.pool.data).nextGeneration !== generation) {
      await driver.abandon?.(facts);
      throw changedMeanwhile(pool);
    }
    const written = new Set(facts.slots.map(({ slot }) => slot));
    const missing = [...ends].filter(([slot]) => !written.has(slot));
    const changes = { ...noChanges(facts), slots: missing.map((one) => newSlot(generation, ...one, quotas)) };
    try {
      // A locking driver waits for this write even when there is nothing left to do.
      const outcome = await driver.write(pool, changes, facts);
      if (outcome !== 'changed') return;
      throw changedMeanwhile(pool);
    } catch (error) {
      if (writes === MAX_WRITES) throw error;
    }
  }
}

function newSlot(
  generation: string,
  slot: number,
  freeFrom: number,
  quotas: readonly string[],
): Changes['slots'][number] {
  const key = { generation, slot };
  const before = { ...key, freeFrom: 0, quotas: [], data: '', version: null };
  return { before, after: encodeSlot({ ...key, freeFrom, quotas, lease: null, past: [] }) };
}
