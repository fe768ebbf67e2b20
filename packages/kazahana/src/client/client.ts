/// <reference lib="esnext.disposable" preserve="true" />
// KazahanaClient: makes IDs and serves callers in the order of their calls. Which ID comes next is the sequencer's business,
// leases are those of `leases.ts`; here they meet the clock and the callers.
import { chance } from '../environment.js';
import { checkInteger, InvalidArgumentError } from '../errors.js';
import { type DecodedId, decodeId } from '../id/decode.js';
import { DEFAULT_BIT_SEQ } from '../id/layout.js';
import { oddsOfAnyMeeting, oddsOfMeeting } from '../id/odds.js';
import { makeReport } from '../lease/report.js';
import { Caller, Callers, checkSignal, type NextIdOptions } from './callers.js';
import {
  type ClientSettings,
  type KazahanaClientConfig,
  RANDOM_BITS,
  resolveClientConfig,
  suffixBits,
} from './config.js';
import { CorrectedClock, TOLERANCE_MS } from './corrected-clock.js';
import {
  ClientClosedError,
  ClientNotReadyError,
  ClockBackwardError,
  LeaseAcquisitionError,
  NextIdTimeoutError,
  NoProviderError,
} from './errors.js';
import { type ClientEvents, type ClientStats, Emitter } from './events.js';
import type { HeldLease } from './held-lease.js';
import { Leases } from './leases.js';
import { type Kind, type Obstacle, Sequencer } from './sequencer.js';
import { Warnings } from './warnings.js';

/** Longest pause between two looks at a clock that stands before the last ID or before a lease. */
const CLOCK_POLL_MS = 100;
/** Longest pause between two looks at what another caller or an attempt should have done. */
const PATIENCE_MS = 150;
/** Reads of a clock that does not move, before `nextIdSync` gives up: some tens of milliseconds. */
const MAX_CLOCK_READS = 1_000_000;
/** Wide leases are used up more slowly than time passes: without a bound, a batch would never let go of the thread. */
const MAX_IDS_PER_TURN = 2 ** 17;
/** A loop of calls lets the event loop turn after so long, while the leases need that. */
const STARVING_MS = 5;
/** Where the IDs of a batch are written before they are handed out; no other code writes there meanwhile. */
const BATCH = new BigUint64Array(512);
const BATCH_WORDS = new Uint32Array(BATCH.buffer);

export class KazahanaClient {
  readonly #settings: ClientSettings;
  readonly #sequencer: Sequencer;
  readonly #clock: CorrectedClock;
  /** Without a provider there are none. */
  readonly #leases: Leases | undefined;
  readonly #counts = makeReport(() => 0);
  readonly #events = new Emitter();
  readonly #warnings: Warnings;
  readonly #callers: Callers;
  #isServing = false;
  /** The kind of the IDs that events have told of. */
  #kind: Kind = 'leased';
  #wasBackward = false;
  /** Since when the client waits for a turn of the event loop; by monotonic time. */
  #noTurnSince: number | undefined;
  #closing: Promise<void> | undefined;

  constructor(config: KazahanaClientConfig = {}) {
    this.#settings = resolveClientConfig(config);
    const { provider, pins, maxThroughputPerMs, environment, allowsFenced, allowsRandom } = this.#settings;
    this.#clock = new CorrectedClock(environment);
    this.#sequencer = new Sequencer(pins, maxThroughputPerMs, this.#counts, () => chance(environment));
    this.#warnings = new Warnings(this.#settings.onWarning);
    this.#callers = new Callers(environment);
    if (provider === undefined) {
      this.#sequencer.setLeases([], pins, { fenced: allowsFenced, random: allowsRandom });
      return;
    }
    this.#leases = new Leases(provider, {
      settings: this.#settings,
      sequencer: this.#sequencer,
      clock: this.#clock,
      counts: this.#counts,
      events: this.#events,
      warnings: this.#warnings,
      wakeCallers: () => this.#callers.wakeAll(),
    });
  }

  /** Resolves when IDs can be made: with a lease in hand, or with fallback decided. */
  async ready(): Promise<void> {
    for (;;) {
      this.#checkOpen();
      if (this.#isStarving()) await this.#letTurn();
      const now = this.#clock.now();
      if (this.#sequencer.covers(now)) return;
      const wait = this.#waitForBeginning(now);
      if (wait === undefined) {
        const error = this.#cannotMake();
        this.#leases?.demand();
        if (error) throw error;
      }
      await this.#callers.sleep(wait ?? CLOCK_POLL_MS);
    }
  }

  /** The next ID. */
  nextId(options?: NextIdOptions): Promise<bigint> {
    if (this.#closing === undefined && this.#callers.length === 0 && options === undefined) {
      try {
        const next = this.#isStarving() ? undefined : this.#take();
        if (typeof next === 'bigint') return Promise.resolve(next);
      } catch (error) {
        return Promise.reject(error);
      }
    }
    return this.#wait(1, options).then((ids) => ids[0] as bigint);
  }

  /** So many IDs, across as many milliseconds as they need. */
  async nextIds(count: number, options?: NextIdOptions): Promise<bigint[]> {
    return this.#wait(checkInteger('count', count, 0, 2 ** 32 - 1), options);
  }

  /** The next ID at once: waits for nothing but the next millisecond. */
  nextIdSync(): bigint {
    this.#checkOpen();
    let next = this.#take();
    for (let reads = 0; next === 'exhausted' && reads < MAX_CLOCK_READS; reads++) {
      // The clock alone decides whether to look again; a look is dearer than a reading.
      if (this.#clock.now() > this.#sequencer.t) next = this.#take();
    }
    if (typeof next === 'bigint') return next;
    switch (next) {
      case 'backward':
        throw this.#backwardError(0, `nextIdSync never waits; nextId ${this.#patience()}`);
      case 'exhausted':
        throw new ClientNotReadyError('the millisecond is used up and the clock does not move');
      case 'early':
        throw new ClientNotReadyError('the lease has not begun');
      default:
        throw this.#cannotMake() ?? new ClientNotReadyError('there is no lease yet; await ready() first');
    }
  }

  /** Fills the array from its start with as many IDs as can be had now, and returns how many. */
  fill(target: BigUint64Array | BigInt64Array): number {
    if (!(target instanceof BigUint64Array || target instanceof BigInt64Array)) {
      throw new InvalidArgumentError('target', 'a BigUint64Array or a BigInt64Array', target);
    }
    this.#checkOpen();
    const words = new Uint32Array(target.buffer, target.byteOffset, 2 * target.length);
    let filled = 0;
    while (filled < target.length) {
      const next = this.#take();
      if (typeof next !== 'bigint') {
        if (next === 'uncovered' && !this.#leases) throw new NoProviderError();
        break;
      }
      target[filled++] = next;
      filled += this.#sequencer.writeMore(target.length - filled, words, filled);
    }
    return filled;
  }

  /** The parts of an ID, under the layout of this client's leases; before the first lease, under its own settings. */
  decodeId(id: bigint): DecodedId {
    const { pins } = this.#settings;
    const bitSeq = Math.min(DEFAULT_BIT_SEQ, suffixBits(pins) - 1);
    return decodeId(id, this.#leases?.layout ?? { ...pins, bitSeq, bitId: suffixBits(pins) - bitSeq });
  }

  stats(): ClientStats {
    const now = this.#clock.now();
    return {
      ...this.#sequencer.totals,
      leases: this.#held.filter(({ fallbackUntil }) => now < fallbackUntil).length,
      throughputPerMs: this.#held
        .filter(({ created, expired }) => created <= now && now < expired)
        .reduce((sum, { throughput }) => sum + throughput, 0),
      waiting: this.#callers.length,
      repeatOdds: this.#repeatOdds(),
      clockOffsetMs: this.#clock.offset,
      serviceId: this.#settings.serviceId,
    };
  }

  /** Listens to an event; the returned function ends that. */
  on<Name extends keyof ClientEvents>(name: Name, listener: (event: ClientEvents[Name]) => void): () => void {
    return this.#events.on(name, listener);
  }

  /** Ends the client: callers who wait get a `ClientClosedError`, leases are given back. Never rejects. */
  shutdown(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.shutdown();
  }

  toExternalId(id: bigint): string {
    return this.#settings.externalId.toExternalId(id);
  }

  toInternalId(externalId: string): bigint {
    return this.#settings.externalId.toInternalId(externalId);
  }

  /** One synchronous step: reads the clock once, and makes an ID with that time or none (rule R1). */
  #take(): bigint | Obstacle {
    const now = this.#clock.now();
    const { ranges } = this.#sequencer;
    const next = this.#sequencer.next(now);
    // A range has one time and one kind: as long as it lasts, there is nothing to look after.
    if (this.#sequencer.ranges !== ranges || typeof next !== 'bigint') this.#lookAfter(now, next);
    return next;
  }

  /** Looks after leases, events and warnings. Update state before emitting: listeners may re-enter. */
  #lookAfter(now: number, next: bigint | Obstacle): void {
    const wasBackward = this.#wasBackward;
    this.#wasBackward = next === 'backward';
    if (this.#wasBackward) {
      if (wasBackward) return;
      this.#counts.clockSteps++;
      this.#events.emit('clockBackward', { backwardMs: this.#sequencer.t - now });
      return;
    }
    const leases = this.#leases;
    leases?.lookAfter(now, next === 'exhausted');
    const { kind } = this.#sequencer;
    if (next === 'uncovered' || kind !== 'leased') leases?.demand();
    if (leases?.isBusy && this.#noTurnSince === undefined) this.#watchTurn();
    if (typeof next !== 'bigint' || kind === this.#kind) return;
    this.#kind = kind;
    if (kind === 'leased') return;
    this.#events.emit('fallback', { kind });
    if (leases) this.#warnings.once(kind, leases.failure?.error);
  }

  #watchTurn(): void {
    this.#noTurnSince = this.#clock.monotonic();
    void this.#settings.environment.sleep(0, { background: true }).then(() => {
      this.#noTurnSince = undefined;
    });
  }

  /** Whether a loop of calls keeps the event loop from turning while responses and timers of the leases wait for it. */
  #isStarving(): boolean {
    return this.#noTurnSince !== undefined && this.#clock.monotonic() - this.#noTurnSince >= STARVING_MS;
  }

  async #letTurn(caller?: Caller): Promise<void> {
    await this.#callers.sleep(0, caller);
    this.#noTurnSince = undefined;
  }

  /** Waits in the queue until it has all its IDs, or cannot get them. */
  async #wait(count: number, options: NextIdOptions | undefined): Promise<bigint[]> {
    this.#checkOpen();
    const signal = checkSignal(options);
    const caller = new Caller(count);
    const { nextIdTimeout } = this.#settings;
    const until = nextIdTimeout === undefined ? undefined : this.#clock.monotonic() + nextIdTimeout;
    const abort = () => caller.wake?.();
    signal?.addEventListener('abort', abort);
    this.#callers.join(caller);
    try {
      for (;;) {
        if (this.#isStarving()) await this.#letTurn(caller);
        signal?.throwIfAborted();
        let wait = this.#serveInOrder();
        if (caller.ids.length === count) return caller.ids;
        if (caller.failure) throw caller.failure.error;
        if (this.#callers.first !== caller) wait = PATIENCE_MS;
        if (until !== undefined) wait = Math.min(wait, until - this.#clock.monotonic());
        if (nextIdTimeout !== undefined && wait <= 0) throw new NextIdTimeoutError(nextIdTimeout);
        await this.#callers.sleep(wait, caller);
      }
    } finally {
      signal?.removeEventListener('abort', abort);
      this.#callers.leave(caller);
    }
  }

  /** Makes IDs for the callers, one after another; returns how long the first that lacks some has to wait. */
  #serveInOrder(): number {
    // By a listener, in the middle of it.
    if (this.#isServing) return PATIENCE_MS;
    this.#isServing = true;
    try {
      for (let caller = this.#callers.first; caller; caller = this.#callers.first) {
        const wait = this.#serve(caller);
        if (wait !== undefined) return wait;
        this.#callers.leave(caller);
      }
    } catch (error) {
      this.#callers.failAll(error);
    } finally {
      this.#isServing = false;
    }
    return 0;
  }

  /** Makes IDs for the caller; undefined when it has all, else how long to wait before the next try. */
  #serve({ count, ids }: Caller): number | undefined {
    const turn = Math.min(count, ids.length + MAX_IDS_PER_TURN);
    while (ids.length < turn) {
      const next = this.#take();
      if (typeof next !== 'bigint') return this.#waitFor(next);
      ids.push(next);
      let made: number;
      do {
        made = this.#sequencer.writeMore(Math.min(turn - ids.length, BATCH.length), BATCH_WORDS, 0);
        for (let i = 0; i < made; i++) ids.push(BATCH[i] as bigint);
      } while (made > 0);
    }
    return turn < count ? 1 : undefined;
  }

  /** How long to wait before another try; throws when waiting does not help. */
  #waitFor(obstacle: Obstacle): number {
    if (obstacle === 'exhausted') return 1;
    const now = this.#clock.now();
    if (obstacle === 'backward') {
      const { maxBackwardMs } = this.#settings;
      const backwardMs = this.#sequencer.t - now;
      if (maxBackwardMs >= 0 && backwardMs > maxBackwardMs) throw this.#backwardError(maxBackwardMs);
      return Math.min(Math.max(1, backwardMs), CLOCK_POLL_MS);
    }
    if (obstacle === 'early') return this.#waitForBeginning(now) ?? 1;
    const error = this.#cannotMake();
    if (error) throw error;
    // The attempt's end wakes us; should it never come, another one begins.
    return PATIENCE_MS;
  }

  /** How long to wait for a lease that has not begun: another one would not begin earlier. Undefined when there is none. */
  #waitForBeginning(now: number): number | undefined {
    const beginnings = this.#held.map(({ created }) => created).filter((created) => created > now);
    if (beginnings.length === 0) return undefined;
    const wait = Math.max(1, Math.min(...beginnings) - now);
    // No lease begins so much later than it is granted: the clock stepped back, or the provider is wrong.
    if (wait > TOLERANCE_MS) this.#leases?.askForTime();
    return Math.min(wait, CLOCK_POLL_MS);
  }

  #backwardError(limitMs: number, limit?: string): ClockBackwardError {
    const backwardMs = this.#sequencer.t - this.#clock.now();
    this.#leases?.askForTime();
    return new ClockBackwardError(backwardMs, limitMs, limit);
  }

  /** How long `nextId` waits for a clock that stepped back, in words. */
  #patience(): string {
    const { maxBackwardMs } = this.#settings;
    return maxBackwardMs < 0 ? 'waits for as long as it takes' : `waits for up to ${maxBackwardMs}ms`;
  }

  /** Of one other client that made as many random IDs in the same milliseconds; it starts its runs anywhere, too. */
  #repeatOdds(): number {
    const { totals, randomMs } = this.#sequencer;
    if (randomMs === 0) return 0;
    return oddsOfAnyMeeting(randomMs, oddsOfMeeting(2, totals.randomIds / randomMs, 2 ** RANDOM_BITS));
  }

  get #held(): readonly HeldLease[] {
    return this.#leases?.held ?? [];
  }

  #checkOpen(): void {
    if (this.#closing !== undefined) throw new ClientClosedError();
  }

  /** Why no ID can be made at all, when waiting for the present attempt would not help. */
  #cannotMake(): Error | undefined {
    if (!this.#leases) return new NoProviderError();
    const { failure } = this.#leases;
    return failure && new LeaseAcquisitionError(failure.error, failure.isRefusal);
  }

  async #close(): Promise<void> {
    const closed = this.#leases?.close();
    this.#callers.failAll(new ClientClosedError());
    await closed;
  }
}
