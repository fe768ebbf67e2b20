/// <reference lib="esnext.disposable" preserve="true" />
// KazahanaClient: makes IDs and serves callers in the order of their calls. What comes next is the sequencer's business,
// leases are the lease keeper's; here they meet the clock and the callers.
import { chance, ENDED } from '../environment.js';
import { checkInteger, InvalidArgumentError } from '../errors.js';
import { createExternalIdCodec, type ExternalIdCodec } from '../external/index.js';
import type { ClientReport } from '../lease/report.js';
import { type Caller, CallerQueue, type NextIdOptions } from './caller-queue.js';
import {
  type ClientSettings,
  type KazahanaClientConfig,
  RANDOM_BITS,
  resolveClientConfig,
  suffixBits,
} from './config.js';
import { CorrectedClock } from './corrected-clock.js';
import {
  ClientClosedError,
  ClientNotReadyError,
  ClockBackwardError,
  LeaseAcquisitionError,
  NoProviderError,
} from './errors.js';
import { type ClientEvents, type ClientStats, Emitter } from './events.js';
import type { HeldLease } from './held-lease.js';
import { LeaseKeeper } from './lease-keeper.js';
import { type Allowed, type Outcome, Sequencer } from './sequencer.js';

/** Longest pause between two looks at a clock that stands before the last ID or before a lease. */
const CLOCK_POLL_MS = 100;
/** Reads of a clock that does not move, before `nextIdSync` gives up: some tens of milliseconds. */
const MAX_CLOCK_READS = 1_000_000;
/** Wide leases are used up more slowly than time passes: without a bound, a batch would never let go of the thread. */
const MAX_IDS_PER_TURN = 2 ** 17;
/** Where the IDs of a batch are written before they are handed out; nobody else writes there meanwhile. */
const BATCH = new BigUint64Array(512);
const BATCH_WORDS = new Uint32Array(BATCH.buffer);

export class KazahanaClient {
  readonly #settings: ClientSettings;
  readonly #sequencer: Sequencer;
  /** What may be made without a valid lease, once that is decided. */
  readonly #fallback: Allowed;
  readonly #clock: CorrectedClock;
  /** Without a provider there is none. */
  readonly #keeper: LeaseKeeper | undefined;
  readonly #events = new Emitter();
  readonly #external: ExternalIdCodec;
  readonly #queue: CallerQueue;
  /** What the last `#take` made. */
  #id = 0n;
  #clockSteps = 0;
  #wasBackward = false;
  #isFallback = false;
  #closing: Promise<void> | undefined;
  /** Ends the present wait. */
  #wake = new AbortController();

  constructor(config: KazahanaClientConfig = {}) {
    this.#settings = resolveClientConfig(config);
    const { provider, pins, maxThroughputPerMs, environment, allowsFenced, allowsRandom } = this.#settings;
    this.#fallback = { fenced: allowsFenced, random: allowsRandom };
    this.#external = createExternalIdCodec(config.externalId);
    this.#clock = new CorrectedClock(environment);
    this.#sequencer = new Sequencer(pins, maxThroughputPerMs, () => chance(environment));
    if (provider === undefined && allowsRandom && !this.#sequencer.canMakeRandom) {
      const allowed = `at least ${RANDOM_BITS + 1} without a provider`;
      throw new InvalidArgumentError('64 - bitReserve - bitTs', allowed, suffixBits(pins));
    }
    this.#queue = new CallerQueue(this.#settings, {
      serve: (caller) => this.#serve(caller),
      pause: (ms) => this.#pause(ms),
      changed: () => this.#wake.abort(ENDED),
    });
    this.#keeper =
      provider &&
      new LeaseKeeper(provider, this.#settings, this.#sequencer, this.#clock, this.#events, {
        totals: () => this.#totals(),
        corrected: () => {
          this.#clockSteps++;
          this.#events.emit('clockCorrected', { offsetMs: this.#clock.offset });
        },
        changed: () => this.#wake.abort(ENDED),
        chance: () => chance(environment),
      });
  }

  /** Resolves when IDs can be made: with a lease in hand, or with fallback decided. */
  async ready(): Promise<void> {
    for (;;) {
      this.#checkOpen();
      const now = this.#clock.now();
      if (this.#held.some(({ created, expired }) => created <= now && now < expired)) return;
      if (this.#canFallBack(now)) return;
      // A lease that has not begun is waited for: another one would not begin earlier.
      if (!this.#held.some(({ created }) => created > now)) {
        const error = this.#cannotMake();
        if (error) throw error;
        this.#keeper?.acquire();
      }
      await this.#pause(CLOCK_POLL_MS);
    }
  }

  /** The next ID. */
  nextId(options?: NextIdOptions): Promise<bigint> {
    if (this.#closing !== undefined) return Promise.reject(new ClientClosedError());
    if (this.#queue.length === 0 && options === undefined) {
      try {
        if (this.#take() === 'made') return Promise.resolve(this.#id);
      } catch (error) {
        return Promise.reject(error);
      }
      // By a listener, just now.
      if (this.#closing !== undefined) return Promise.reject(new ClientClosedError());
    }
    return this.#queue.enqueue(1, options).then((ids) => ids[0] as bigint);
  }

  /** So many IDs, across as many milliseconds as they need. */
  async nextIds(count: number, options?: NextIdOptions): Promise<bigint[]> {
    checkInteger('count', count, 0, 2 ** 32 - 1);
    this.#checkOpen();
    return count === 0 ? [] : this.#queue.enqueue(count, options);
  }

  /** The next ID at once: waits for nothing but the next millisecond. */
  nextIdSync(): bigint {
    this.#checkOpen();
    let outcome = this.#take();
    for (let reads = 0; outcome === 'exhausted' && reads < MAX_CLOCK_READS; reads++) {
      // The clock alone decides whether to look again; a look is dearer than a reading.
      if (this.#clock.now() > this.#sequencer.t) outcome = this.#take();
    }
    switch (outcome) {
      case 'made':
        return this.#id;
      case 'backward':
        throw this.#backwardError(0, `nextIdSync never waits; nextId ${this.#patience()}`);
      case 'exhausted':
        throw new ClientNotReadyError('the millisecond is used up and the clock does not move');
      case 'early':
        throw new ClientNotReadyError('the lease has not begun');
      default:
        this.#keeper?.acquire();
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
      const outcome = this.#take();
      if (outcome !== 'made') {
        if (outcome === 'uncovered') {
          if (this.#keeper === undefined) throw new NoProviderError();
          this.#keeper.acquire();
        }
        break;
      }
      target[filled++] = this.#id;
      filled += this.#sequencer.writeMore(target.length - filled, words, filled);
    }
    return filled;
  }

  stats(): ClientStats {
    const now = this.#clock.now();
    return {
      ...this.#totals(),
      leases: this.#held.filter(({ fallbackUntil }) => now < fallbackUntil).length,
      throughputPerMs: this.#held
        .filter(({ created, expired }) => created <= now && now < expired)
        .reduce((sum, { throughput }) => sum + throughput, 0),
      waiting: this.#queue.length,
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
    return this.#external.toExternalId(id);
  }

  toInternalId(externalId: string): bigint {
    return this.#external.toInternalId(externalId);
  }

  get #held(): readonly HeldLease[] {
    return this.#keeper?.held ?? [];
  }

  #checkOpen(): void {
    if (this.#closing !== undefined) throw new ClientClosedError();
  }

  /** What may be made without a valid lease: nothing before an attempt has failed. */
  #allowed(): Allowed {
    return this.#keeper === undefined || this.#keeper.hasFailed ? this.#fallback : NOTHING;
  }

  #canFallBack(now: number): boolean {
    const { fenced, random } = this.#allowed();
    const isFenced = this.#held.some(({ expired, fallbackUntil }) => expired <= now && now < fallbackUntil);
    return (fenced && isFenced) || (random && this.#sequencer.canMakeRandom);
  }

  /** Why no ID can be made at all, when waiting for the present attempt would not help. */
  #cannotMake(): Error | undefined {
    if (this.#keeper === undefined) return new NoProviderError();
    return this.#keeper.hasFailed ? new LeaseAcquisitionError(this.#keeper.lastError) : undefined;
  }

  /** One synchronous step: reads the clock once, and makes an ID with that time or none (rule R1). */
  #take(): Outcome {
    const now = this.#clock.now();
    const { t } = this.#sequencer;
    const outcome = this.#sequencer.take(now, this.#allowed());
    // Before anybody else's code runs: a listener or a provider may ask this client for IDs, too.
    const id = outcome === 'made' ? this.#sequencer.id() : 0n;
    // Once a millisecond is often enough to look after leases.
    if (this.#sequencer.t !== t || outcome !== 'made') this.#lookAfter(now, outcome);
    this.#id = id;
    return outcome;
  }

  #lookAfter(now: number, outcome: Outcome): void {
    // What is told is noted first: a listener that asks for an ID comes by here again.
    if (outcome === 'backward') {
      if (this.#wasBackward) return;
      this.#wasBackward = true;
      this.#clockSteps++;
      this.#events.emit('clockBackward', { backwardMs: this.#sequencer.t - now });
      return;
    }
    this.#wasBackward = false;
    const { kind } = this.#sequencer;
    if (outcome === 'made') {
      const isFirst = !this.#isFallback;
      this.#isFallback = kind !== 'leased';
      if (kind !== 'leased' && isFirst) this.#events.emit('fallback', { kind });
    }
    this.#keeper?.lookAfter(now, outcome === 'exhausted');
  }

  #backwardError(limitMs: number, limit?: string): ClockBackwardError {
    const backwardMs = this.#sequencer.t - this.#clock.now();
    void this.#keeper?.askForTime();
    return new ClockBackwardError(backwardMs, limitMs, limit);
  }

  /** How long `nextId` waits for a clock that stepped back, in words. */
  #patience(): string {
    const { maxBackwardMs } = this.#settings;
    return maxBackwardMs < 0 ? 'waits for as long as it takes' : `waits for up to ${maxBackwardMs}ms`;
  }

  /** Makes IDs for the caller; undefined when it has all, else how long to wait before the next try. */
  #serve({ count, ids }: Caller): number | undefined {
    const turn = Math.min(count, ids.length + MAX_IDS_PER_TURN);
    while (ids.length < turn) {
      const outcome = this.#take();
      if (outcome !== 'made') return this.#waitFor(outcome);
      ids.push(this.#id);
      let made: number;
      do {
        made = this.#sequencer.writeMore(Math.min(turn - ids.length, BATCH.length), BATCH_WORDS, 0);
        for (let i = 0; i < made; i++) ids.push(BATCH[i] as bigint);
      } while (made > 0);
    }
    return turn < count ? 1 : undefined;
  }

  /** How long to wait before another try after this outcome; throws when waiting does not help. */
  #waitFor(outcome: Exclude<Outcome, 'made'>): number {
    if (outcome === 'exhausted') return 1;
    if (outcome === 'backward') {
      const { maxBackwardMs } = this.#settings;
      const backwardMs = this.#sequencer.t - this.#clock.now();
      if (maxBackwardMs >= 0 && backwardMs > maxBackwardMs) throw this.#backwardError(maxBackwardMs);
      return Math.min(Math.max(1, backwardMs), CLOCK_POLL_MS);
    }
    if (outcome === 'early') {
      const now = this.#clock.now();
      const soonest = Math.min(
        ...this.#held.map(({ created }) => created).filter((created) => created > now),
      );
      return Math.min(Math.max(1, soonest - now), CLOCK_POLL_MS);
    }
    const error = this.#cannotMake();
    if (error) throw error;
    this.#keeper?.acquire();
    // The attempt's end wakes us; its deadline bounds the wait.
    return this.#settings.acquireTimeout;
  }

  /** Sleeps until the time has passed or something has changed. */
  async #pause(ms: number): Promise<void> {
    if (this.#wake.signal.aborted) this.#wake = new AbortController();
    await this.#settings.environment.sleep(ms, { signal: this.#wake.signal });
  }

  async #close(): Promise<void> {
    const closed = this.#keeper?.close();
    this.#queue.rejectAll(new ClientClosedError());
    this.#wake.abort(ENDED);
    await closed;
  }

  #totals(): ClientReport {
    const { made, exhaustedMs } = this.#sequencer;
    return {
      leasedIds: made.leased,
      fencedIds: made.fenced,
      randomIds: made.random,
      exhaustedMs,
      acquireFailures: this.#keeper?.acquireFailures ?? 0,
      clockSteps: this.#clockSteps,
    };
  }
}

const NOTHING: Allowed = { fenced: false, random: false };
