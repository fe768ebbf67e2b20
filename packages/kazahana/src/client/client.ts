/// <reference lib="esnext.disposable" preserve="true" />
import { ENDED } from '../environment.js';
import { checkInteger, InvalidArgumentError } from '../errors.js';
import { createExternalIdCodec, type ExternalIdCodec } from '../external/index.js';
import { PoolExhaustedError, PoolMismatchError } from '../lease/errors.js';
import type {
  AcquireOptions,
  AcquireResponse,
  ClientReport,
  LeaseInfo,
  LeaseProvider,
  SeenPool,
} from '../lease/types.js';
import { Acquirer, backOff, type RoundTrip } from './acquirer.js';
import { type Caller, CallerQueue, type NextIdOptions } from './caller-queue.js';
import { type ClientSettings, type KazahanaClientConfig, resolveClientConfig } from './config.js';
import {
  BadAnswerError,
  ClientClosedError,
  ClientNotReadyError,
  ClockBackwardError,
  LeaseAcquisitionError,
  NoProviderError,
} from './errors.js';
import { type ClientEvents, type ClientStats, Emitter } from './events.js';
import type { HeldLease } from './held-lease.js';
import { LeaseBook, leasesIn } from './lease-book.js';
import { clientMeta } from './meta.js';
import { sendRelease } from './release.js';
import { difference, NOTHING_YET } from './report.js';
import { type Allowed, type Outcome, Sequencer } from './sequencer.js';

/** Within this of the store's time, beyond the round trip, a clock is left as it is. */
const CLOCK_TOLERANCE_MS = 1000;
/** Longest pause between two looks at a clock that stands before the last ID or before a lease. */
const CLOCK_POLL_MS = 100;
/** Reads of a clock that does not move, before `nextIdSync` gives up: some tens of milliseconds. */
const MAX_CLOCK_READS = 1_000_000;
/** Wide leases are used up more slowly than time passes: without a bound, a batch would never let go of the thread. */
const MAX_IDS_PER_TURN = 2 ** 17;

/** A request to the provider. */
interface Asked {
  readonly throughputPerMs: number;
  readonly due: readonly HeldLease[];
  readonly totals: ClientReport;
}

export class KazahanaClient {
  readonly #settings: ClientSettings;
  readonly #sequencer: Sequencer;
  /** What may be made without a valid lease, once that is decided. */
  readonly #fallback: Allowed;
  readonly #book = new LeaseBook();
  readonly #acquirer: Acquirer | undefined;
  readonly #events = new Emitter();
  readonly #external: ExternalIdCodec;
  readonly #queue: CallerQueue;
  /** What the last `#take` made. */
  #id = 0n;
  #offset = 0;
  #seen: SeenPool | undefined;
  /** Leases to be released once all of the new ones have begun (hand-over). */
  #outgoing: readonly HeldLease[] = [];
  /** Those under way. */
  readonly #releases = new Set<Promise<void>>();
  /** What was asked for last, the leases that it was to replace, and the totals that were told with it. */
  #asked: Asked = { throughputPerMs: 0, due: [], totals: NOTHING_YET };
  readonly #counts = { acquireFailures: 0, clockSteps: 0 };
  /** The totals that the provider has been told of. */
  #reported: ClientReport = NOTHING_YET;
  #wasBackward = false;
  #isAskingForTime = false;
  /** In a row, without the clock having been put right. */
  #timesAsked = 0;
  #isFallback = false;
  #closing: Promise<void> | undefined;
  /** Ends the present wait of the queue, and of the renewal timer. */
  #wake = new AbortController();
  #renewal = new AbortController();
  /** Aborted by the shutdown. */
  readonly #ended = new AbortController();

  constructor(config: KazahanaClientConfig = {}) {
    this.#settings = resolveClientConfig(config);
    const { provider, pins, maxThroughputPerMs, environment, allowsFenced, allowsRandom } = this.#settings;
    this.#fallback = { fenced: allowsFenced, random: allowsRandom };
    this.#external = createExternalIdCodec(config.externalId);
    this.#sequencer = new Sequencer(pins, maxThroughputPerMs, () => chance(environment));
    if (provider === undefined && allowsRandom && !this.#sequencer.canMakeRandom) {
      throw new InvalidArgumentError('64 - bitReserve - bitTs', 'at least 22 without a provider', '');
    }
    this.#queue = new CallerQueue(this.#settings, {
      serve: (caller) => this.#serve(caller),
      pause: (ms) => this.#pause(ms),
      changed: () => this.#wake.abort(ENDED),
    });
    this.#acquirer =
      provider &&
      new Acquirer(provider, this.#settings, {
        options: () => this.#request(),
        install: (answer, trip) => this.#install(provider, answer, trip),
        discard: (answer) => this.#discard(provider, answer),
        failed: (error) => this.#acquireFailed(provider, error),
        changed: () => this.#wake.abort(ENDED),
      });
  }

  /** Resolves when IDs can be made: with a lease in hand, or with fallback decided. */
  async ready(): Promise<void> {
    for (;;) {
      this.#checkOpen();
      const now = this.#now();
      if (this.#book.held.some(({ created, expired }) => created <= now && now < expired)) return;
      if (this.#canFallBack(now)) return;
      // A lease that has not begun is waited for: another one would not begin earlier.
      if (!this.#book.held.some(({ created }) => created > now)) {
        const error = this.#cannotMake();
        if (error) throw error;
        this.#acquirer?.start();
      }
      await this.#pause(CLOCK_POLL_MS);
    }
  }

  /** The next ID. */
  nextId(options?: NextIdOptions): Promise<bigint> {
    if (this.#closing !== undefined) return Promise.reject(new ClientClosedError());
    if (this.#queue.length === 0 && options?.signal === undefined) {
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
      if (this.#now() > this.#sequencer.t) outcome = this.#take();
    }
    switch (outcome) {
      case 'made':
        return this.#id;
      case 'backward':
        throw this.#backwardError();
      case 'exhausted':
        throw new ClientNotReadyError('the millisecond is used up and the clock does not move');
      case 'early':
        throw new ClientNotReadyError('the lease has not begun');
      default:
        this.#acquirer?.start();
        throw this.#cannotMake() ?? new ClientNotReadyError('there is no lease yet; await ready() first');
    }
  }

  /** Fills the array from its start with as many IDs as can be had now, and returns how many. */
  fill(target: BigUint64Array | BigInt64Array): number {
    if (!(target instanceof BigUint64Array || target instanceof BigInt64Array)) {
      throw new InvalidArgumentError('target', 'a BigUint64Array or a BigInt64Array', target);
    }
    this.#checkOpen();
    let filled = 0;
    const write = (id: bigint) => {
      target[filled++] = id;
    };
    while (filled < target.length) {
      const outcome = this.#take();
      if (outcome !== 'made') {
        if (outcome === 'uncovered') {
          if (this.#acquirer === undefined) throw new NoProviderError();
          this.#acquirer.start();
        }
        break;
      }
      write(this.#id);
      this.#sequencer.takeMore(target.length - filled, write);
    }
    return filled;
  }

  stats(): ClientStats {
    const now = this.#now();
    return {
      ...this.#totals(),
      leases: this.#book.held.filter(({ fallbackUntil }) => now < fallbackUntil).length,
      throughputPerMs: this.#book.held
        .filter(({ created, expired }) => created <= now && now < expired)
        .reduce((sum, { throughput }) => sum + throughput, 0),
      waiting: this.#queue.length,
      clockOffsetMs: this.#offset,
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

  /** The corrected time. */
  #now(): number {
    return this.#settings.environment.now() + this.#offset;
  }

  #checkOpen(): void {
    if (this.#closing !== undefined) throw new ClientClosedError();
  }

  /** What may be made without a valid lease: nothing before an attempt has failed. */
  #allowed(): Allowed {
    return this.#acquirer === undefined || this.#acquirer.failures > 0 ? this.#fallback : NOTHING;
  }

  #canFallBack(now: number): boolean {
    const { fenced, random } = this.#allowed();
    const isFenced = this.#book.held.some(
      ({ expired, fallbackUntil }) => expired <= now && now < fallbackUntil,
    );
    return (fenced && isFenced) || (random && this.#sequencer.canMakeRandom);
  }

  /** Why no ID can be made at all, when waiting for the present attempt would not help. */
  #cannotMake(): Error | undefined {
    if (this.#acquirer === undefined) return new NoProviderError();
    return this.#acquirer.hasFailed ? new LeaseAcquisitionError(this.#acquirer.lastError) : undefined;
  }

  /** One synchronous step: reads the clock once, and makes an ID with that time or none (rule R1). */
  #take(): Outcome {
    const now = this.#now();
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
      this.#counts.clockSteps++;
      this.#events.emit('clockBackward', { backwardMs: this.#sequencer.t - now });
      return;
    }
    this.#wasBackward = false;
    this.#timesAsked = 0;
    const { kind } = this.#sequencer;
    if (outcome === 'made') {
      const isFirst = !this.#isFallback;
      this.#isFallback = kind !== 'leased';
      if (kind !== 'leased' && isFirst) this.#events.emit('fallback', { kind });
    }
    this.#handOver(now);
    const isDue = this.#book.held.some(({ dueAt }) => dueAt <= now);
    if (isDue || outcome === 'exhausted') this.#acquireMore(now);
  }

  /** Asks for leases in the background, if those that are not due are fewer than wanted. */
  #acquireMore(now: number): void {
    if (this.#book.throughput(now) < this.#settings.maxThroughputPerMs) this.#acquirer?.start();
  }

  #backwardError(): ClockBackwardError {
    const backwardMs = this.#sequencer.t - this.#now();
    void this.#askForTime();
    return new ClockBackwardError(backwardMs, Math.max(0, this.#settings.maxBackwardMs));
  }

  /**
   * A new answer brings the store's time, and with it perhaps a correction that ends a backward step. If it does not,
   * the next one is asked for under back-off, however many callers fail: each takes slots.
   */
  async #askForTime(): Promise<void> {
    if (this.#acquirer === undefined || this.#isAskingForTime) return;
    this.#isAskingForTime = true;
    const now = this.#now();
    for (const lease of this.#book.held) lease.dueAt = Math.min(lease.dueAt, now);
    this.#acquirer.start();
    const pause = backOff(++this.#timesAsked, this.#settings);
    await this.#settings.environment.sleep(pause, { signal: this.#ended.signal, background: true });
    this.#isAskingForTime = false;
  }

  /** Makes IDs for the caller; undefined when it has all, else how long to wait before the next try. */
  #serve({ count, ids }: Caller): number | undefined {
    const turn = Math.min(count, ids.length + MAX_IDS_PER_TURN);
    while (ids.length < turn) {
      const outcome = this.#take();
      if (outcome !== 'made') return this.#waitFor(outcome);
      ids.push(this.#id);
      this.#sequencer.takeMore(turn - ids.length, (id) => ids.push(id));
    }
    return turn < count ? 1 : undefined;
  }

  /** How long to wait before another try after this outcome; throws when waiting does not help. */
  #waitFor(outcome: Exclude<Outcome, 'made'>): number {
    if (outcome === 'exhausted') return 1;
    if (outcome === 'backward') {
      const { maxBackwardMs } = this.#settings;
      const backwardMs = this.#sequencer.t - this.#now();
      if (maxBackwardMs >= 0 && backwardMs > maxBackwardMs) throw this.#backwardError();
      return Math.min(Math.max(1, backwardMs), CLOCK_POLL_MS);
    }
    if (outcome === 'early') {
      const now = this.#now();
      const soonest = Math.min(
        ...this.#book.held.map(({ created }) => created).filter((created) => created > now),
      );
      return Math.min(Math.max(1, soonest - now), CLOCK_POLL_MS);
    }
    const error = this.#cannotMake();
    if (error) throw error;
    this.#acquirer?.start();
    // The attempt's end wakes us; its deadline bounds the wait.
    return this.#settings.acquireTimeout;
  }

  /** Sleeps until the time has passed or something has changed. */
  async #pause(ms: number): Promise<void> {
    if (this.#wake.signal.aborted) this.#wake = new AbortController();
    await this.#settings.environment.sleep(ms, { signal: this.#wake.signal });
  }

  #request(): AcquireOptions {
    const { serviceId, maxThroughputPerMs } = this.#settings;
    const now = this.#now();
    const totals = this.#totals();
    const throughputPerMs = Math.max(1, maxThroughputPerMs - this.#book.throughput(now));
    this.#asked = { throughputPerMs, due: this.#book.due(now), totals };
    return {
      throughputPerMs,
      meta: clientMeta(),
      report: difference(totals, this.#reported),
      ...(serviceId !== undefined && { serviceId }),
      ...(this.#seen !== undefined && { seen: this.#seen }),
    };
  }

  #install(provider: LeaseProvider, answer: AcquireResponse, trip: RoundTrip): void {
    if (!Array.isArray(answer?.leases)) throw new BadAnswerError('an answer must have leases');
    if (answer.now !== undefined) this.#correctClock(answer.now, trip);
    if (this.#closing !== undefined) {
      // By a listener to the correction; nobody would give these back.
      this.#discard(provider, answer);
      return;
    }
    this.#noteSeen(answer);
    const now = this.#now();
    this.#book.prune(now, this.#sequencer.t);
    const { environment, acquireThreshold, acquireRetryInterval } = this.#settings;
    const installed: HeldLease[] = [];
    let refusal: unknown = new BadAnswerError('no lease of the answer is new and still valid');
    for (const info of leasesIn(answer)) {
      if (this.#book.isKnown(info)) continue;
      try {
        installed.push(
          this.#book.install(info, this.#pinned(installed), acquireThreshold, chance(environment)),
        );
      } catch (error) {
        refusal = error;
        // Sound, but of no use to us: others may have it.
        if (error instanceof PoolMismatchError) void this.#release(provider, info, this.#releaseTime());
      }
    }
    this.#useLeases();
    if (!installed.some(({ expired }) => now < expired)) throw refusal;
    // One that is due on arrival would be asked for anew without end.
    for (const lease of installed) {
      if (lease.dueAt <= now) lease.dueAt = now + acquireRetryInterval;
    }
    const { throughputPerMs, due, totals } = this.#asked;
    this.#reported = totals;
    const covered = installed.reduce((sum, { throughput }) => sum + throughput, 0);
    if (covered >= throughputPerMs) this.#outgoing = [...new Set([...this.#outgoing, ...due])];
    const expired = Math.min(...installed.map((lease) => lease.expired));
    this.#events.emit('lease', { machineIds: installed.map(({ id }) => id), expired });
    this.#handOver(now, provider);
    this.#scheduleRenewal();
  }

  /** The pins that a lease must have: those of earlier leases, or of random IDs already made (rule R4). */
  #pinned(installed: readonly HeldLease[]) {
    const { pins, made } = this.#sequencer;
    const isPinned =
      this.#book.held.length > 0 || installed.length > 0 || made.leased + made.fenced + made.random > 0;
    return isPinned ? (this.#book.held[0]?.pins ?? pins) : undefined;
  }

  /** Lets the sequencer work with what the book holds. */
  #useLeases(): void {
    const { held } = this.#book;
    this.#sequencer.setLeases(held, held[0]?.pins ?? this.#sequencer.pins);
  }

  /** Releases the old leases once every new one has begun; until then they serve. */
  #handOver(now: number, provider = this.#settings.provider): void {
    if (this.#outgoing.length === 0 || provider === undefined) return;
    const incoming = this.#book.held.filter((lease) => !this.#outgoing.includes(lease));
    if (incoming.length === 0 || incoming.some(({ created }) => created > now)) return;
    const outgoing = this.#outgoing.filter((lease) => this.#book.held.includes(lease));
    this.#outgoing = [];
    void this.#giveBack(provider, outgoing);
  }

  /** Gives leases up at once, then tells the provider; a failure is an event, the leases are gone either way. */
  async #giveBack(provider: LeaseProvider, leases: readonly HeldLease[]): Promise<void> {
    const timestamp = this.#releaseTime();
    this.#book.giveUp(leases);
    // Never used again after this (rule R2).
    this.#useLeases();
    await Promise.all(leases.map((lease) => this.#release(provider, lease, timestamp)));
  }

  /** Not below any timestamp that was used (rule R2). */
  #releaseTime(): number {
    return Math.max(this.#now(), this.#sequencer.t, 0);
  }

  #release(
    provider: LeaseProvider,
    lease: Pick<LeaseInfo, 'id' | 'secret'>,
    timestamp: number,
  ): Promise<void> {
    const machineId = lease.id;
    const release = sendRelease(provider, lease, timestamp, this.#settings)
      .then(
        () => this.#events.emit('release', { machineId }),
        (error: unknown) => this.#events.emit('releaseFailed', { machineId, error }),
      )
      .finally(() => this.#releases.delete(release));
    this.#releases.add(release);
    return release;
  }

  /** An answer that nobody waits for: what is not known in it is remembered, then released (rule R8). */
  #discard(provider: LeaseProvider, answer: AcquireResponse): void {
    for (const lease of leasesIn(answer)) {
      if (this.#book.isKnown(lease)) continue;
      this.#book.remember(lease);
      void this.#release(provider, lease, this.#releaseTime());
    }
  }

  async #acquireFailed(provider: LeaseProvider, error: unknown): Promise<boolean> {
    this.#counts.acquireFailures++;
    this.#events.emit('acquireFailed', { error, failures: this.#acquirer?.failures ?? 0 });
    const now = this.#now();
    // In an exhausted pool, the slot that we keep for fallback may be the one that we need.
    const ended = this.#book.held.filter(({ expired }) => expired <= now);
    const mayHelp = error instanceof PoolExhaustedError && error.reason === 'every slot is taken';
    if (!mayHelp || ended.length === 0) return false;
    await this.#giveBack(provider, ended);
    return true;
  }

  /** Rule R7: remembers the pool and the highest serial of it. */
  #noteSeen({ pool, serial }: AcquireResponse): void {
    if (pool === undefined || serial === undefined) return;
    if (this.#seen?.pool === pool && this.#seen.serial >= serial) return;
    this.#seen = { pool, serial };
  }

  /** Works on the store's time when the clock is off from it by more than a second beyond the round trip. */
  #correctClock(storeNow: number, { sent, received }: RoundTrip): void {
    const isBehind = storeNow > received + this.#offset + CLOCK_TOLERANCE_MS;
    const isAhead = storeNow < sent + this.#offset - CLOCK_TOLERANCE_MS;
    if (!Number.isSafeInteger(storeNow) || !(isBehind || isAhead)) return;
    this.#offset = storeNow - received;
    this.#counts.clockSteps++;
    this.#events.emit('clockCorrected', { offsetMs: this.#offset });
  }

  /** Renews and hands over in time even when nobody asks for IDs, so that `nextIdSync` always finds a lease. */
  #scheduleRenewal(): void {
    this.#renewal.abort(ENDED);
    if (this.#closing !== undefined) return;
    const now = this.#now();
    const at = this.#nextLookAt(now);
    if (at === Number.POSITIVE_INFINITY) return;
    const renewal = new AbortController();
    this.#renewal = renewal;
    const { environment } = this.#settings;
    void environment.sleep(at - now, { signal: renewal.signal, background: true }).then(() => {
      if (renewal.signal.aborted) return;
      this.#handOver(this.#now());
      if (this.#book.due(this.#now()).length > 0) this.#acquireMore(this.#now());
      // Timers fire early, clocks step: look again, at the latest when the next lease is due.
      this.#scheduleRenewal();
    });
  }

  /** When leases need to be looked after next, should no caller come. */
  #nextLookAt(now: number): number {
    const { acquireRetryInterval } = this.#settings;
    const dueAt = this.#book.nextDueAt(now) ?? Number.POSITIVE_INFINITY;
    // The new leases were fewer than the old, or some became due after they were asked for.
    const isShort = this.#book.due(now).some((lease) => !this.#outgoing.includes(lease));
    const beginnings = this.#book.held.map(({ created }) => created).filter((created) => created > now);
    return Math.min(
      dueAt,
      isShort ? now + acquireRetryInterval : dueAt,
      this.#outgoing.length > 0 ? Math.min(...beginnings) : dueAt,
    );
  }

  async #close(): Promise<void> {
    this.#acquirer?.close();
    this.#renewal.abort(ENDED);
    this.#ended.abort(ENDED);
    this.#queue.rejectAll(new ClientClosedError());
    this.#wake.abort(ENDED);
    const { provider } = this.#settings;
    if (provider !== undefined) void this.#giveBack(provider, this.#book.held);
    // Those of a hand-over, too: a program ends when this does.
    await Promise.all(this.#releases);
  }

  #totals(): ClientReport {
    const { made, exhaustedMs } = this.#sequencer;
    return {
      leasedIds: made.leased,
      fencedIds: made.fenced,
      randomIds: made.random,
      exhaustedMs,
      ...this.#counts,
    };
  }
}

const NOTHING: Allowed = { fenced: false, random: false };

/** A random number from 0, inclusively, to 1, exclusively. */
function chance(environment: ClientSettings['environment']): number {
  const bytes = environment.random(new Uint8Array(4));
  return new DataView(bytes.buffer, bytes.byteOffset).getUint32(0) / 2 ** 32;
}
