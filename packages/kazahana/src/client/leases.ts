// The leases of a client: requests them, installs them, hands over from old to new, renews in time, and gives them back.
// It keeps the client's part of R2 (a release is not below any timestamp that was used, and final), R4, R7 and R8. What it
// decides is in `lease-choices.ts`; everything that callers or the sequencer must know of goes through `#changed`.
import { chance, ENDED, endSleep } from '../environment.js';
import { type IdLayout, PINNED_FIELDS } from '../id/layout.js';
import { PoolExhaustedError, PoolMismatchError } from '../lease/errors.js';
import { type ClientCounts, type ClientReport, makeReport } from '../lease/report.js';
import type { AcquireOptions, AcquireResponse, LeaseInfo, LeaseProvider, SeenPool } from '../lease/types.js';
import { AcquireRequest } from './acquire-request.js';
import { Attempts } from './attempts.js';
import { UnusableResponseError } from './errors.js';
import { type HeldLease, holdLease, leasesIn } from './held-lease.js';
import { KnownLeases } from './known-leases.js';
import {
  attemptLimit,
  backOff,
  dueLeases,
  type Failure,
  failureOf,
  isSameSlot,
  isSlotOf,
  mostLeases,
  newestOfSlots,
  nextLookAt,
  readyToLeave,
  replacedBy,
  retryPause,
  throughputOf,
  throughputWithin,
} from './lease-choices.js';
import { type ReleaseContext, sendRelease } from './releases.js';
import { type Allowed, NOTHING } from './sequencer.js';
import type { Warnings } from './warnings.js';

/** Forget older requests: a response to one of them is ignored. */
const REMEMBERED_REQUESTS = 100;

/** Why the last attempt failed, and how many have since the last success. */
type FailureInARow = Failure & { readonly inARow: number };

/** What the leases work with and report to. */
export interface LeasesContext extends ReleaseContext {
  readonly counts: ClientCounts;
  readonly warnings: Warnings;
  readonly wakeCallers: () => void;
}

export class Leases {
  /** Why the last attempt failed; undefined before the first failure and after a success. */
  failure: FailureInARow | undefined;
  held: readonly HeldLease[] = [];
  /** Of the last lease; undefined before the first. */
  layout: IdLayout | undefined;

  readonly #provider: LeaseProvider;
  readonly #context: LeasesContext;
  /** Leases to be released once all of the new ones have begun (hand-over). */
  #outgoing: readonly HeldLease[] = [];
  readonly #known = new KnownLeases();
  #seen: SeenPool | undefined;
  /** The totals that the provider has been told of. */
  #reported: ClientReport = makeReport(() => 0);
  #request: AcquireRequest | undefined;
  #attempts: Attempts | undefined;
  /** The ids of the last requests: a late response to one of ours is told from one to another client's. */
  #requestIds: readonly string[] = [];
  /** Calls of the provider that have not ended. */
  readonly #calls = new Map<Promise<unknown>, AbortController>();
  /** Releases that have not ended. */
  readonly #releases = new Set<Promise<void>>();
  #timeRequests = 0;
  #askAgainAt = Number.NEGATIVE_INFINITY;
  #timer: AbortController | undefined;
  #state: 'open' | 'closing' | 'closed' = 'open';

  constructor(provider: LeaseProvider, context: LeasesContext) {
    this.#provider = provider;
    this.#context = context;
  }

  /** Whether the event loop must turn for the leases: a call of the provider, or a pause before one, is under way. */
  get isBusy(): boolean {
    return this.#attempts !== undefined || this.#releases.size > 0;
  }

  /** A caller lacks a lease: begins to acquire, or brings the next attempt forward. */
  demand(): void {
    this.#acquire();
    this.#attempts?.hurry();
  }

  /** Hands over if it is time, and requests leases if some are due or the caller lacks sequence. */
  lookAfter(now: number, isExhausted: boolean): void {
    this.#timeRequests = 0;
    if (this.#outgoing.length > 0) this.#handOver(now);
    if (isExhausted || dueLeases(this.held, now).length > 0) this.#acquireMore(now);
  }

  /**
   * A new response brings the store's time, and with it perhaps a correction that ends a backward step. If it does not,
   * the next one is requested under back-off, however many callers fail: each takes slots.
   */
  askForTime(): void {
    const { clock, settings } = this.#context;
    if (clock.monotonic() < this.#askAgainAt) return;
    this.#askAgainAt = clock.monotonic() + backOff(++this.#timeRequests, settings);
    const now = clock.now();
    for (const lease of this.held) lease.dueAt = Math.min(lease.dueAt, now);
    this.#acquire();
  }

  /** Gives everything back, what arrives meanwhile included; each of the two has its deadline. */
  async close(): Promise<void> {
    this.#state = 'closing';
    endSleep(this.#timer);
    this.#attempts?.endPause();
    const { environment, shutdownTimeout } = this.#context.settings;
    const calls = Promise.all(this.#calls.keys());
    // Not in the background: a program that awaits this must not end before.
    const ended = new AbortController();
    if (this.#calls.size > 0) {
      await Promise.race([calls, environment.sleep(shutdownTimeout, { signal: ended.signal })]);
      ended.abort(ENDED);
    }
    this.#state = 'closed';
    this.#attempts = this.#request = undefined;
    for (const call of this.#calls.values()) endSleep(call);
    const report = this.#newReport();
    const isNew = Object.values(report).some((count) => count > 0);
    void this.#giveBack(this.held, isNew ? report : undefined);
    // Those of a hand-over, too: a program ends when this does.
    await Promise.all(this.#releases);
  }

  /** Requests leases in the background, if those that are not due are fewer than wanted. */
  #acquireMore(now: number): void {
    if (throughputOf(this.held, now) < this.#context.settings.maxThroughputPerMs) this.#acquire();
  }

  #acquire(): void {
    if (this.#state !== 'open') return;
    if (this.#attempts) {
      if (!this.#attempts.haveStalled) return;
      // Callers wait for the next attempt, rather than leave it to a request of a worker that may end before it does.
      this.failure = undefined;
      this.#changed();
    }
    this.#attempts = new Attempts(this.#context.settings.environment);
    this.#request ??= this.#newRequest();
    void this.#sendUntilDone(this.#attempts);
  }

  /** Sends the request until a response ends it. */
  async #sendUntilDone(attempts: Attempts): Promise<void> {
    const { settings } = this.#context;
    const isOver = () => this.#attempts !== attempts || this.#state !== 'open';
    while (this.#request && !isOver()) {
      const limit = attemptLimit(this.held, this.#context.clock.now(), settings);
      const error = await attempts.attempt(limit, this.#send(this.#request));
      if (isOver() || (await this.#recover(error, this.#request))) continue;
      const inARow = this.failure?.inARow ?? 1;
      await attempts.pause(retryPause(inARow, error, settings, chance(settings.environment)));
    }
  }

  /** One call of the provider; resolves to the error that it ended with, or undefined. */
  #send(request: AcquireRequest): Promise<unknown> {
    const { clock, settings } = this.#context;
    const options: AcquireOptions = {
      ...request.attempt(this.held, clock.now(), settings),
      report: this.#newReport(request.totals),
      ...(this.#seen !== undefined && { seen: this.#seen }),
    };
    const sent = clock.monotonic();
    // One for each call: a worker's request cannot use another's.
    const ended = new AbortController();
    const outcome = (async () => this.#provider.acquire(options, { signal: ended.signal }))()
      .then(
        (response) => this.#receive(response, request, clock.monotonic() - sent),
        (error: unknown) => error ?? new Error('the provider failed without a reason'),
      )
      .finally(() => this.#calls.delete(outcome));
    this.#calls.set(outcome, ended);
    return outcome;
  }

  #newRequest(): AcquireRequest {
    const { settings, sequencer } = this.#context;
    const request = new AcquireRequest(settings.environment, sequencer.totals);
    this.#requestIds = [...this.#requestIds, request.id].slice(-REMEMBERED_REQUESTS);
    return request;
  }

  /** Installs the response to the pending request, however late it comes; any other of ours is returned. */
  #receive(response: AcquireResponse, { id }: AcquireRequest, roundTripMs: number): unknown {
    const named = response?.requestId ?? id;
    // A response to another client's request: its leases are in use elsewhere, and must not be released.
    if (!this.#requestIds.includes(named))
      return new UnusableResponseError('the response names a request that was never made');
    const request = this.#request;
    if (named !== request?.id) {
      this.#returnAll(response);
      return request && new UnusableResponseError('the response is to an earlier request');
    }
    try {
      this.#install(response, request, roundTripMs);
    } catch (error) {
      // The pool would repeat this response to the same request.
      if (this.#request) this.#request = this.#newRequest();
      return error;
    }
    this.#attempts?.endPause();
    this.#attempts = this.#request = undefined;
    return undefined;
  }

  #install(response: AcquireResponse, { wish, claimed, totals }: AcquireRequest, roundTripMs: number): void {
    const { settings, clock, counts, events, warnings } = this.#context;
    if (!Array.isArray(response?.leases)) throw new UnusableResponseError('a response must have leases');
    const most = mostLeases(settings.maxThroughputPerMs);
    if (response.leases.length > most)
      throw new UnusableResponseError(
        `the response has more leases than the ${most} that the client could use`,
      );
    if (response.now !== undefined && clock.correct(response.now, roundTripMs)) {
      counts.clockSteps++;
      events.emit('clockCorrected', { offsetMs: clock.offset });
    }
    this.#noteSeen(response);
    const now = clock.now();
    this.#known.forget(now);
    this.held = this.held.filter(({ fallbackUntil }) => now < fallbackUntil);
    const installed: HeldLease[] = [];
    let refusal: unknown = new UnusableResponseError('no lease of the response is new and still valid');
    for (const info of leasesIn(response, most)) {
      if (this.#known.has(info)) continue;
      this.#known.add(info);
      // The renewal of a lease that was released since: a store that has lost the release could have granted the slot to
      // another client in between (rule R7).
      if ([...claimed].some((lease) => lease.isReleased && isSlotOf(lease, info))) continue;
      try {
        const lease = holdLease(info, response.pool, settings.acquireThreshold, chance(settings.environment));
        this.#checkPins(lease);
        // One that is due on arrival would be requested anew without end.
        if (lease.dueAt <= now) lease.dueAt = now + settings.acquireRetryInterval;
        installed.push(lease);
        this.held = [...this.held, lease].slice(-most);
      } catch (error) {
        refusal = error;
        // Sound, but of no use to us: others may have it.
        if (error instanceof PoolMismatchError) this.#returnUnused(info);
      }
    }
    const isUsable = installed.some(({ expired }) => now < expired);
    if (isUsable) this.failure = undefined;
    this.#changed();
    if (!isUsable) throw refusal;
    this.#reported = totals;
    this.#outgoing = [...new Set([...this.#outgoing, ...replacedBy(installed, wish)])];
    warnings.recovered();
    const expired = Math.min(...installed.map((lease) => lease.expired));
    events.emit('lease', { machineIds: installed.map(({ id }) => id), expired });
    this.#handOver(now);
    this.#scheduleLook();
  }

  /** Rule R4: a lease has the pins of earlier ones, or of IDs that were made already. */
  #checkPins({ layout }: HeldLease): void {
    const { pins, t } = this.#context.sequencer;
    if (this.held.length === 0 && t < 0) return;
    const expected = this.held[0]?.layout ?? pins;
    for (const name of PINNED_FIELDS) {
      if (layout[name] !== expected[name]) throw new PoolMismatchError(name, expected[name], layout[name]);
    }
  }

  /** Rule R7: remembers the pool and the highest serial of it. */
  #noteSeen({ pool, serial, proof }: AcquireResponse): void {
    if (pool === undefined || serial === undefined) return;
    if (this.#seen?.pool === pool && this.#seen.serial >= serial) return;
    this.#seen = { pool, serial, ...(proof !== undefined && { proof }) };
  }

  /** Notes a failed attempt; true when another one is worth while at once. */
  async #recover(error: unknown, request: AcquireRequest): Promise<boolean> {
    const { events, warnings, clock, counts } = this.#context;
    const allowed = throughputWithin(error, request.throughputPerMs);
    if (allowed !== undefined) {
      request.limit = allowed;
      warnings.limited(allowed, error);
      return true;
    }
    counts.acquireFailures++;
    const inARow = (this.failure?.inARow ?? 0) + 1;
    const now = clock.now();
    const ended = this.held.filter(({ expired }) => expired <= now);
    const mayHelp = error instanceof PoolExhaustedError && error.reason !== 'in quarantine';
    const isHopeful = mayHelp && ended.length > 0;
    if (!isHopeful) {
      this.failure = { ...failureOf(error, this.failure), inARow };
      this.#changed();
    }
    events.emit('acquireFailed', { error, failures: inARow });
    if (this.failure?.isRefusal) warnings.once('refused', this.failure.error);
    if (!isHopeful) return false;
    // In an exhausted pool, the slot that we keep for fallback may be the one that we need.
    await this.#giveBack(ended);
    // What was given up must not come back as the response to an attempt that still wanted to renew it.
    if (this.#request === request) this.#request = this.#newRequest();
    return true;
  }

  /** The one way to say that something has changed: to the sequencer what IDs it may make now, to callers to look again. */
  #changed(): void {
    const { sequencer, wakeCallers } = this.#context;
    const [first] = this.held;
    this.layout = first?.layout ?? this.layout;
    sequencer.setLeases(this.held, first?.layout ?? sequencer.pins, this.#allowed());
    wakeCallers();
  }

  /** What may be made without a valid lease: nothing before an attempt has failed, and nothing random when it was refused. */
  #allowed(): Allowed {
    if (!this.failure) return NOTHING;
    const { allowsFenced, allowsRandom } = this.#context.settings;
    return { fenced: allowsFenced, random: allowsRandom && !this.failure.isRefusal };
  }

  #handOver(now: number): void {
    const leaving = readyToLeave(this.held, this.#outgoing, now);
    if (leaving.length === 0) return;
    this.#outgoing = [];
    void this.#giveBack(leaving);
  }

  /** Gives leases up at once, then tells the provider; a failure is an event, the leases are gone either way. */
  async #giveBack(leases: readonly HeldLease[], report?: ClientReport): Promise<void> {
    this.held = this.held.filter((lease) => !leases.includes(lease));
    // Never used again after this (rule R2).
    this.#changed();
    // A slot of which we hold another lease stays ours (rule R8).
    const released = newestOfSlots(leases).filter(
      (lease) => !this.held.some((other) => isSameSlot(lease, other)),
    );
    for (const lease of released) lease.isReleased = true;
    await Promise.all(released.map((lease, i) => this.#release(lease, i === 0 ? report : undefined)));
  }

  /** A response that came too late: what is not known in it is remembered, then released (rule R8). */
  #returnAll(response: AcquireResponse): void {
    for (const lease of leasesIn(response, mostLeases(this.#context.settings.maxThroughputPerMs))) {
      if (this.#known.has(lease)) continue;
      this.#known.add(lease);
      this.#returnUnused(lease);
    }
  }

  /** Releases a lease that was never used, unless it is of a slot that we use: then that slot must stay held. */
  #returnUnused(lease: LeaseInfo): void {
    if (!this.held.some((held) => isSlotOf(held, lease))) void this.#release(lease);
  }

  #release(lease: Pick<LeaseInfo, 'id' | 'secret'>, report?: ClientReport): Promise<void> {
    const { acquireTimeout, shutdownTimeout } = this.#context.settings;
    const timeout = this.#state === 'open' ? acquireTimeout : Math.min(acquireTimeout, shutdownTimeout);
    const release = sendRelease(this.#provider, this.#context, lease, timeout, report).finally(() =>
      this.#releases.delete(release),
    );
    this.#releases.add(release);
    return release;
  }

  /** What is new since the last report that arrived. */
  #newReport(totals = this.#context.sequencer.totals): ClientReport {
    return makeReport((field) => totals[field] - this.#reported[field]);
  }

  /** Renews and hands over in time even when no caller comes, so that `nextIdSync` always finds a lease. */
  #scheduleLook(): void {
    endSleep(this.#timer);
    if (this.#state !== 'open') return;
    const { settings, clock } = this.#context;
    const now = clock.now();
    const at = nextLookAt(this.held, this.#outgoing, now, settings.acquireRetryInterval);
    if (at === Number.POSITIVE_INFINITY) return;
    const timer = new AbortController();
    this.#timer = timer;
    void settings.environment.sleep(at - now, { signal: timer.signal, background: true }).then(() => {
      if (!timer.signal.aborted) this.#look(clock.now());
    });
  }

  #look(now: number): void {
    this.#handOver(now);
    const due = dueLeases(this.held, now);
    if (due.length > 0) this.#acquireMore(now);
    // A request for more leases may wait for its next attempt, longer than a lease lasts that has become due meanwhile.
    const { wish } = this.#request ?? {};
    if (wish && due.some((lease) => !wish.due.includes(lease))) this.demand();
    // Timers fire early, clocks step: look again, at the latest when the next lease is due.
    this.#scheduleLook();
  }
}
