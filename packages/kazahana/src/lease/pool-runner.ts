// The four steps that every call of a pool goes through: collect, read, decide, write. One runner serves one pool in one
// process; other processes run theirs on the same store at the same time.
import { callListener } from '../call-listener.js';
import { chance, type Environment } from '../environment.js';

import type { ConfiguredPool } from './config.js';
import type { Changes, Facts, LeaseDriver } from './driver.js';
import { PoolExhaustedError, PoolMissingError, StoreError } from './errors.js';
import { type NoticedLoss, noticeLoss } from './loss.js';
import { creation, replacingPool } from './new-pool.js';
import { OpenSlots } from './open-slots.js';
import { type PoolCall, type SeenByCaller, type SerialOf, wantedBy } from './pool-call.js';
import type { LeaseEngineOptions } from './provider-options.js';
import { decodePool } from './records.js';
import { checkConfigured, type PoolRecord } from './rules.js';
import type { SwitchableRules } from './switchable-rules.js';
import { PoolView, TooFewFacts } from './view.js';

/** So many calls share a read and a write. */
const MAX_BATCH = 64;
/** So often a write may meet another one before the call fails. */
const MAX_CONFLICTS = 100;
/** So often the outcome of a write may be unknown before the call fails. */
const MAX_DOUBTS = 2;
/** The first conflict spreads over so many slots; each further one over four times as many. */
const FIRST_CROWD = 8;
const MAX_CROWD = 4096;
const MAX_PAUSE_MS = 1000;
const MAX_DOUBLINGS = 6;
/** A change of layout takes seconds. Calls wait for it so long, then their callers are told to. */
const LAYOUT_WAIT_MS = 2000;
const LAYOUT_POLL_MS = 20;

/** What a runner works with. */
export interface RunnerParts
  extends Required<Pick<LeaseEngineOptions, 'createPools' | 'afterFailOver' | 'onLoss'>> {
  readonly driver: LeaseDriver;
  readonly environment: Environment;
  readonly rules: SwitchableRules;
  readonly configured: ConfiguredPool;
}

/** A call that waits for its turn. */
interface Waiting {
  readonly call: PoolCall<unknown>;
  readonly signal: AbortSignal | undefined;
  resolve(result: unknown): void;
  reject(error: unknown): void;
  /** When it began to wait for a change of layout. */
  waitsSince?: number;
}

/** How a batch has fared so far. */
class Effort {
  /** Free slots to leave to other processes. */
  skip = 0;
  conflicts = 0;
  /** The errors of writes whose outcome is unknown. */
  readonly doubts: unknown[] = [];
}

export class PoolRunner {
  readonly #name: string;
  readonly #parts: RunnerParts;
  readonly #waiting: Waiting[] = [];
  #serving: Promise<void> | undefined;
  readonly #openSlots: OpenSlots;
  /** The pool as it was last read: what is wanted of it depends on its layout. */
  #known: PoolRecord | undefined;
  /** What this process knows of the pool, whatever the store says (rule R7). */
  #memory: { readonly pool: PoolRecord; readonly serial: number } | undefined;

  constructor(name: string, parts: RunnerParts) {
    this.#name = name;
    this.#parts = parts;
    this.#openSlots = new OpenSlots(parts.driver, name);
  }

  /** Resolves when no call is under way. */
  get settled(): Promise<void> | undefined {
    return this.#serving;
  }

  /** Runs a call. A caller that gives up stops waiting; what was begun for it goes on. */
  run<Result>(call: PoolCall<Result>, signal?: AbortSignal): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      signal?.throwIfAborted();
      const giveUp = () => reject(signal?.reason);
      signal?.addEventListener('abort', giveUp, { once: true });
      const settle =
        <Value>(end: (value: Value) => void) =>
        (value: Value) => {
          signal?.removeEventListener('abort', giveUp);
          end(value);
        };
      this.#waiting.push({ call, signal, resolve: settle(resolve) as never, reject: settle(reject) });
      this.#serving ??= this.#serve();
    });
  }

  /** Serves the calls that wait, as many as there are at a time, until none is left. */
  async #serve(): Promise<void> {
    // Calls that are made at the same time share a batch.
    await null;
    while (this.#waiting.length > 0) {
      const batch = this.#nextBatch();
      try {
        await this.#perform(batch);
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    this.#serving = undefined;
  }

  /** The calls that wait, or one that goes alone. */
  #nextBatch(): Waiting[] {
    const alone = this.#waiting.findIndex(({ call }) => call.isAlone);
    return alone < 0 ? this.#waiting.splice(0, MAX_BATCH) : this.#waiting.splice(alone, 1);
  }

  /** Leaves to the next batch what one write cannot carry; how much that is depends on the layout. */
  #fit(batch: Waiting[], pool: PoolRecord): void {
    let slots = 0;
    const tooMany = batch.findIndex(({ call }, i) => {
      slots += call.needs(pool).free ?? 1;
      return i > 0 && slots > this.#parts.driver.maxSlotsPerWrite;
    });
    if (tooMany > 0) this.#waiting.unshift(...batch.splice(tooMany));
  }

  /** Reads, decides and writes until all calls of a batch are settled. */
  async #perform(batch: Waiting[]): Promise<void> {
    const effort = new Effort();
    for (;;) {
      if (this.#known) this.#fit(batch, this.#known);
      const began = this.#parts.environment.now();
      const outcome = await this.#turn(batch, effort);
      if (outcome === 'settled') return;
      if (outcome === 'changed') await this.#stepAside(effort, this.#parts.environment.now() - began);
      if (outcome === 'postponed' && batch.length === 0) {
        await this.#parts.environment.sleep(LAYOUT_POLL_MS);
        return;
      }
    }
  }

  /** One read, and the write that follows from it. */
  async #turn(batch: Waiting[], effort: Effort): Promise<'settled' | 'again' | 'changed' | 'postponed'> {
    const known = this.#known;
    const calls = batch.map(({ call }) => call);
    const wanted = wantedBy(calls, known, { ...effort, range: known && this.#openSlots.range(known) });
    const facts = await this.#parts.driver.read(this.#name, wanted);
    let isOpen = true;
    const abandon = async () => {
      isOpen = false;
      await this.#parts.driver.abandon?.(facts);
    };
    const write = (changes: Changes) => {
      isOpen = false;
      return this.#parts.driver.write(this.#name, changes, facts);
    };
    try {
      if (!facts.pool) {
        await this.#create(facts, batch, write);
        return 'again';
      }
      const pool = decodePool(facts.pool.data);
      this.#known = pool;
      // What was wanted was computed for another layout.
      if (!isSameLayout(known, pool)) return 'again';
      checkConfigured(pool, this.#parts.configured);
      const looked = { ...wanted, rest: this.#openSlots.rest(pool) };
      const view = new PoolView(facts, pool, looked, this.#parts.rules.isFree);
      if (view.now < pool.pausedUntil && this.#postpone(batch, pool)) return 'postponed';
      if (this.#openSlots.isStale(pool, view.now) && calls.some((call) => call.needs(pool).free)) {
        await abandon();
        await this.#openSlots.search(pool, view.now);
        return 'again';
      }
      const loss = this.#noticeLoss(view, facts, batch);
      const decided = batch.map(
        ({ call, signal }): Outcome =>
          // A caller that has given up meanwhile would leave its lease unused.
          signal?.aborted ? { error: signal.reason } : decide(this.#name, call, view),
      );
      const short = batch.filter((_, i) => decided[i] === 'too few facts');
      if (short.length > 0 && effort.skip === 0 && !looked.rest) throw new TooFewFacts();
      if (short.length > 0 && (effort.skip > 0 || short.length === batch.length)) {
        await abandon();
        // Unless some slots were left to other processes, none of the range is free.
        if (effort.skip === 0)
          await this.#openSlots.close(pool, Math.max(view.now + 1, facts.free[0]?.freeFrom ?? 0));
        effort.skip = 0;
        return 'again';
      }
      // Slots outside the range may be free for these: they come first in the next batch.
      this.#waiting.unshift(...short);
      batch.splice(0, batch.length, ...batch.filter((waiting) => !short.includes(waiting)));
      const outcomes = decided.filter((outcome) => outcome !== 'too few facts');
      const changes = view.changes();
      let { serial } = facts;
      if (changes) {
        if (effort.doubts.length > MAX_DOUBTS) throw effort.doubts.at(-1);
        const written = await write(changes).catch((error: unknown) => {
          effort.doubts.push(error);
          for (const { call } of batch) call.doubt?.();
          return 'in doubt' as const;
        });
        if (written === 'changed') return 'changed';
        // Whether it happened, the next read tells.
        if (written === 'in doubt') return 'again';
        serial = written.serial;
      } else if (this.#parts.driver.confirm) {
        // What was only read must be as safe as what was written.
        await abandon();
        await this.#parts.driver.confirm(this.#name);
      }
      // A store that went back between read and write returns a lower serial; the next look then shows the loss.
      this.#memory = { pool: view.pool, serial: Math.max(serial, view.serial + view.grants) };
      if (loss) this.#tellLoss(loss, view.pool);
      batch.forEach(({ resolve, reject }, i) => {
        const outcome = outcomes[i] as Exclude<Outcome, string>;
        if ('error' in outcome) reject(outcome.error);
        else resolve(outcome.result((grant) => serial - (view.grants - 1 - grant)));
      });
      return 'settled';
    } finally {
      if (isOpen) await abandon();
    }
  }

  /** Lets the calls go first that do not wait for a change of layout; the change itself is one of them. */
  #postpone(batch: Waiting[], pool: PoolRecord): boolean {
    const now = this.#parts.environment.now();
    const postponed = batch.filter((waiting) => {
      if (!waiting.call.waitsForLayout?.(pool)) return false;
      waiting.waitsSince ??= now;
      return now - waiting.waitsSince < LAYOUT_WAIT_MS;
    });
    const rest = batch.filter((waiting) => !postponed.includes(waiting));
    batch.splice(0, batch.length, ...rest);
    this.#waiting.push(...postponed);
    return postponed.length > 0;
  }

  /** After a conflict: a pause that grows, and slots from further down the order, so that processes part. */
  async #stepAside(effort: Effort, tookMs: number): Promise<void> {
    if (++effort.conflicts > MAX_CONFLICTS) {
      throw new StoreError(
        'STORE_BUSY',
        `pool ${this.#name}: other processes were faster ${MAX_CONFLICTS} times`,
      );
    }
    const crowd = Math.min(FIRST_CROWD * 4 ** (effort.conflicts - 1), MAX_CROWD);
    effort.skip = Math.floor(chance(this.#parts.environment) * crowd);
    const longest = Math.max(1, tookMs) * 2 ** Math.min(effort.conflicts, MAX_DOUBLINGS);
    await this.#parts.environment.sleep(chance(this.#parts.environment) * Math.min(longest, MAX_PAUSE_MS));
  }

  #noticeLoss(view: PoolView, { incarnation }: Facts, batch: readonly Waiting[]): NoticedLoss | undefined {
    const { rules, afterFailOver, configured } = this.#parts;
    const evidence = { seen: this.#seenBy(batch), incarnation, calls: batch.map(({ call }) => call) };
    return noticeLoss(view, evidence, { ...rules, afterFailOver, maxWindow: configured.maxWindow });
  }

  /** What this process and its callers have seen of the pool. */
  #seenBy(batch: readonly Waiting[]): SeenByCaller[] {
    const own = this.#memory ? [{ pool: this.#memory.pool.id, serial: this.#memory.serial }] : [];
    return [...own, ...batch.flatMap(({ call }) => call.seen ?? [])];
  }

  /** Makes a pool that the store does not have. */
  async #create(
    facts: Facts,
    batch: readonly Waiting[],
    write: (changes: Changes) => Promise<unknown>,
  ): Promise<void> {
    const { createPools, configured } = this.#parts;
    if (!this.#memory && createPools === 'never') throw new PoolMissingError(this.#name);
    const lost = this.#memory?.pool;
    const pool = replacingPool(
      this.#parts.environment,
      { configured, lost, seen: this.#seenBy(batch) },
      facts,
    );
    // When another process has made the pool, this one still has to notice the loss.
    if ((await write(creation(pool))) !== 'changed' && lost) this.#tellLoss({ reason: 'pool' }, pool);
  }

  #tellLoss(loss: NoticedLoss, { quarantinedUntil }: PoolRecord): void {
    callListener(this.#parts.onLoss, { pool: this.#name, ...loss, quarantinedUntil });
  }
}

type Outcome =
  | { readonly result: (serialOf: SerialOf) => unknown }
  | { readonly error: unknown }
  | 'too few facts';

/** A refusal is an outcome like any other: what was learned on the way, a loss for example, must be kept. */
function decide(name: string, call: PoolCall<unknown>, view: PoolView): Outcome {
  try {
    const pausedMs = view.pool.pausedUntil - view.now;
    if (pausedMs > 0 && call.waitsForLayout?.(view.pool)) {
      throw new PoolExhaustedError(name, pausedMs, 'the layout is changing');
    }
    return { result: call.decide(view) };
  } catch (error) {
    return error instanceof TooFewFacts ? 'too few facts' : { error };
  }
}

/** Whether what was wanted of one pool is what is wanted of the other. */
function isSameLayout(known: PoolRecord | undefined, pool: PoolRecord): boolean {
  const generations = ({ generation, former }: PoolRecord) =>
    [generation, ...former.map((one) => one.generation)].join();
  return known !== undefined && generations(known) === generations(pool);
}
