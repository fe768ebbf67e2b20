// A change of layout (rule R4): the one thing that takes more than one write.
import type { Environment } from '../environment.js';
import type { IdLayout } from '../id/layout.js';
import type { Changes, LeaseDriver } from './driver.js';
import { StoreError } from './errors.js';
import { drawGeneration, NOTHING_WANTED, noChanges } from './new-pool.js';
import { type Run, recordCall, slotsAbove } from './operate.js';
import type { PoolCall } from './pool-call.js';
import { FLOOR_QUOTA } from './quotas.js';
import { decodePool, decodeSlot, encodeSlot } from './records.js';
import { type Floors, type PoolRecord, relayout, type relayoutSlots } from './rules.js';
import type { LayoutChange } from './types.js';

type Widths = Pick<LayoutChange, 'bitId' | 'bitSeq'>;

/** So many new slots, which are small, are written at a time. */
const WRITE_PAGE = 500;
/** So long a pool grants nothing after a change of layout was interrupted. One that goes on prolongs its pause. */
const LAYOUT_PAUSE_MS = 30_000;
/** So many former layouts a pool remembers, for `whois`, when all their leases have ended. */
const REMEMBERED_LAYOUTS = 4;

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
