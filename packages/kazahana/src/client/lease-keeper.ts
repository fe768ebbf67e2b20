// The leases of a client: asks for them, installs them, hands over from old to new, renews in time, and gives them back.
// It keeps the client's part of R2 (a release is not below any timestamp that was used, and final), R4, R7 and R8.
import { ENDED } from '../environment.js';
import { PoolExhaustedError, PoolMismatchError } from '../lease/errors.js';
import type { ClientReport } from '../lease/report.js';
import { signHold } from '../lease/signature.js';
import type {
  AcquireOptions,
  AcquireResponse,
  LeaseInfo,
  LeaseProvider,
  RenewalClaim,
  SeenPool,
} from '../lease/types.js';
import { Acquirer, backOff, type RoundTrip } from './acquirer.js';
import type { ClientSettings } from './config.js';
import type { CorrectedClock } from './corrected-clock.js';
import { BadAnswerError } from './errors.js';
import type { Emitter } from './events.js';
import type { HeldLease } from './held-lease.js';
import { LeaseBook, leasesIn } from './lease-book.js';
import { platformMeta } from './meta.js';
import { sendRelease } from './release.js';
import { difference, NOTHING_YET } from './report.js';
import type { Sequencer } from './sequencer.js';

/** A request must fit into the 16 KiB that a server reads. Further leases are handed over the long way. */
const MAX_CLAIMS = 32;

/** A request to the provider. */
interface Asked {
  readonly requestId: string;
  readonly throughputPerMs: number;
  readonly due: readonly HeldLease[];
  /** The leases that any attempt of the request wants to renew. */
  readonly claimed: readonly HeldLease[];
  readonly totals: ClientReport;
}

export interface LeaseKeeperHooks {
  /** What the client has done so far, for the fleet's statistics. */
  totals(): ClientReport;
  /** Told of a clock that was far off and is corrected now. */
  corrected(): void;
  /** Something has changed that waiting callers should look at. */
  changed(): void;
  /** A random number from 0, inclusively, to 1, exclusively. */
  chance(): number;
}

export class LeaseKeeper {
  acquireFailures = 0;
  readonly #provider: LeaseProvider;
  readonly #settings: ClientSettings;
  readonly #sequencer: Sequencer;
  readonly #clock: CorrectedClock;
  readonly #events: Emitter;
  readonly #hooks: LeaseKeeperHooks;
  readonly #acquirer: Acquirer;
  readonly #book = new LeaseBook();
  #seen: SeenPool | undefined;
  /** Leases to be released once all of the new ones have begun (hand-over). */
  #outgoing: readonly HeldLease[] = [];
  /** Every lease that we have released. */
  readonly #released = new WeakSet<HeldLease>();
  /** Releases under way. */
  readonly #releases = new Set<Promise<void>>();
  /** What was asked for last, the leases that it was to replace, and the totals that were told with it. */
  #asked: Asked = { requestId: '', throughputPerMs: 0, due: [], claimed: [], totals: NOTHING_YET };
  /** The totals that the provider has been told of. */
  #reported: ClientReport = NOTHING_YET;
  #isAskingForTime = false;
  /** In a row, without the clock having been put right. */
  #timesAsked = 0;
  #isClosed = false;
  #renewal = new AbortController();
  readonly #ended = new AbortController();

  constructor(
    provider: LeaseProvider,
    settings: ClientSettings,
    sequencer: Sequencer,
    clock: CorrectedClock,
    events: Emitter,
    hooks: LeaseKeeperHooks,
  ) {
    this.#provider = provider;
    this.#settings = settings;
    this.#sequencer = sequencer;
    this.#clock = clock;
    this.#events = events;
    this.#hooks = hooks;
    this.#acquirer = new Acquirer(provider, settings, {
      options: (requestId) => this.#request(requestId),
      install: (answer, trip) => this.#install(answer, trip),
      discard: (answer) => this.#discard(answer),
      failed: (error) => this.#acquireFailed(error),
      changed: () => hooks.changed(),
    });
  }

  get held(): readonly HeldLease[] {
    return this.#book.held;
  }

  /** Whether an attempt has failed since the last success: fallback is decided then. */
  get hasFailed(): boolean {
    return this.#acquirer.failures > 0;
  }

  get lastError(): unknown {
    return this.#acquirer.lastError;
  }

  /** Begins to acquire, unless that is going on already. */
  acquire(): void {
    this.#acquirer.start();
  }

  /** Hands over if it is time, and asks for leases if some are due or the caller lacks sequence. */
  lookAfter(now: number, isExhausted: boolean): void {
    this.#timesAsked = 0;
    this.#handOver(now);
    const isDue = this.#book.held.some(({ dueAt }) => dueAt <= now);
    if (isDue || isExhausted) this.#acquireMore(now);
  }

  /**
   * A new answer brings the store's time, and with it perhaps a correction that ends a backward step. If it does not,
   * the next one is asked for under back-off, however many callers fail: each takes slots.
   */
  async askForTime(): Promise<void> {
    if (this.#isAskingForTime) return;
    this.#isAskingForTime = true;
    const now = this.#clock.now();
    for (const lease of this.#book.held) lease.dueAt = Math.min(lease.dueAt, now);
    this.#acquirer.start();
    const pause = backOff(++this.#timesAsked, this.#settings);
    await this.#settings.environment.sleep(pause, { signal: this.#ended.signal, background: true });
    this.#isAskingForTime = false;
  }

  /** Gives everything back; resolves when that is done or its deadline has passed. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#acquirer.close();
    this.#renewal.abort(ENDED);
    this.#ended.abort(ENDED);
    void this.#giveBack(this.#book.held, this.#newReport());
    // Those of a hand-over, too: a program ends when this does.
    await Promise.all(this.#releases);
  }

  /** Asks for leases in the background, if those that are not due are fewer than wanted. */
  #acquireMore(now: number): void {
    if (this.#book.throughput(now) < this.#settings.maxThroughputPerMs) this.#acquirer.start();
  }

  #request(requestId: string): AcquireOptions {
    const { serviceId, maxThroughputPerMs, meta } = this.#settings;
    const now = this.#clock.now();
    // A retry repeats its report: the first attempt may have been counted.
    const isRetry = this.#asked.requestId === requestId;
    const totals = isRetry ? this.#asked.totals : this.#hooks.totals();
    const throughputPerMs = Math.max(1, maxThroughputPerMs - this.#book.throughput(now));
    const due = this.#book.due(now);
    const renewed = due.filter(({ claim }) => claim !== undefined).slice(0, MAX_CLAIMS);
    const claimed = isRetry ? [...new Set([...this.#asked.claimed, ...renewed])] : renewed;
    this.#asked = { requestId, throughputPerMs, due, claimed, totals };
    const renew = renewed.flatMap((lease) => claimOf(lease, now) ?? []);
    return {
      ...(renew.length > 0 && { renew }),
      throughputPerMs,
      meta: { ...platformMeta(), ...meta },
      report: difference(totals, this.#reported),
      ...(serviceId !== undefined && { serviceId }),
      ...(this.#seen !== undefined && { seen: this.#seen }),
    };
  }

  #install(answer: AcquireResponse, trip: RoundTrip): void {
    if (!Array.isArray(answer?.leases)) throw new BadAnswerError('an answer must have leases');
    if (answer.now !== undefined && this.#clock.correct(answer.now, trip)) this.#hooks.corrected();
    if (this.#isClosed) {
      // By a listener to the correction; nobody would give these back.
      this.#discard(answer);
      return;
    }
    this.#noteSeen(answer);
    const now = this.#clock.now();
    this.#book.prune(now, this.#sequencer.t);
    const { acquireThreshold, acquireRetryInterval } = this.#settings;
    const installed: HeldLease[] = [];
    let refusal: unknown = new BadAnswerError('no lease of the answer is new and still valid');
    for (const info of leasesIn(answer)) {
      if (this.#book.isKnown(info)) continue;
      if (this.#renewsReleased(info)) {
        this.#book.remember(info);
        continue;
      }
      try {
        installed.push(
          this.#book.install(
            info,
            answer.pool,
            this.#pinned(installed),
            acquireThreshold,
            this.#hooks.chance(),
          ),
        );
      } catch (error) {
        refusal = error;
        // Sound, but of no use to us: others may have it.
        if (error instanceof PoolMismatchError) this.#returnUnused(info);
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
    const renewed = due.filter((lease) => installed.some((other) => isSameSlot(lease, other)));
    const replaced = covered >= throughputPerMs ? due : renewed;
    this.#outgoing = [...new Set([...this.#outgoing, ...replaced])];
    const expired = Math.min(...installed.map((lease) => lease.expired));
    this.#events.emit('lease', { machineIds: installed.map(({ id }) => id), expired });
    this.#handOver(now);
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

  /** Gives the old leases up once every new one has begun; until then they serve. */
  #handOver(now: number): void {
    if (this.#outgoing.length === 0) return;
    const incoming = this.#book.held.filter((lease) => !this.#outgoing.includes(lease));
    if (incoming.length === 0 || incoming.some(({ created }) => created > now)) return;
    const outgoing = this.#outgoing.filter((lease) => this.#book.held.includes(lease));
    this.#outgoing = [];
    void this.#giveBack(outgoing);
  }

  /** Gives leases up at once, then tells the provider; a failure is an event, the leases are gone either way. */
  async #giveBack(leases: readonly HeldLease[], report?: ClientReport): Promise<void> {
    const timestamp = this.#releaseTime();
    this.#book.giveUp(leases);
    // Never used again after this (rule R2).
    this.#useLeases();
    // A slot of which we hold another lease stays ours.
    const { held } = this.#book;
    const released = leases.filter((lease) => !held.some((other) => isSameSlot(lease, other)));
    for (const lease of released) this.#released.add(lease);
    await Promise.all(
      released.map((lease, i) => this.#release(lease, timestamp, i === 0 ? report : undefined)),
    );
  }

  /** Not below any timestamp that was used (rule R2). */
  #releaseTime(): number {
    return Math.max(this.#clock.now(), this.#sequencer.t, 0);
  }

  /** What is new since the last report that arrived, for a release; undefined when nothing is. */
  #newReport(): ClientReport | undefined {
    const report = difference(this.#hooks.totals(), this.#reported);
    return Object.values(report).some((count) => count > 0) ? report : undefined;
  }

  #release(lease: Pick<LeaseInfo, 'id' | 'secret'>, timestamp: number, report?: ClientReport): Promise<void> {
    const machineId = lease.id;
    const release = sendRelease(this.#provider, lease, timestamp, this.#settings, report)
      .then(
        () => this.#events.emit('release', { machineId }),
        (error: unknown) => this.#events.emit('releaseFailed', { machineId, error }),
      )
      .finally(() => this.#releases.delete(release));
    this.#releases.add(release);
    return release;
  }

  /** An answer that nobody waits for: what is not known in it is remembered, then released (rule R8). */
  #discard(answer: AcquireResponse): void {
    for (const lease of leasesIn(answer)) {
      if (this.#book.isKnown(lease)) continue;
      this.#book.remember(lease);
      this.#returnUnused(lease);
    }
  }

  /** Releases a lease that we never used, unless it is of a slot that we use: then that slot must stay held. */
  #returnUnused(lease: LeaseInfo): void {
    if (this.#book.held.some((held) => isSlotOf(held, lease))) return;
    void this.#release(lease, this.#releaseTime());
  }

  /**
   * Whether a lease is the renewal of one that we have released since we asked for it. A store that has lost that release
   * could have granted the slot to another client in between (rule R7).
   */
  #renewsReleased(info: LeaseInfo): boolean {
    return this.#asked.claimed.some((lease) => isSlotOf(lease, info) && this.#released.has(lease));
  }

  async #acquireFailed(error: unknown): Promise<boolean> {
    this.acquireFailures++;
    this.#events.emit('acquireFailed', { error, failures: this.#acquirer.failures });
    const now = this.#clock.now();
    // In an exhausted pool, the slot that we keep for fallback may be the one that we need.
    const ended = this.#book.held.filter(({ expired }) => expired <= now);
    const mayHelp = error instanceof PoolExhaustedError && error.reason !== 'in quarantine';
    if (!mayHelp || ended.length === 0) return false;
    await this.#giveBack(ended);
    return true;
  }

  /** Rule R7: remembers the pool and the highest serial of it. */
  #noteSeen({ pool, serial, proof }: AcquireResponse): void {
    if (pool === undefined || serial === undefined) return;
    if (this.#seen?.pool === pool && this.#seen.serial >= serial) return;
    this.#seen = { pool, serial, ...(proof !== undefined && { proof }) };
  }

  /** Renews and hands over in time even when nobody asks for IDs, so that `nextIdSync` always finds a lease. */
  #scheduleRenewal(): void {
    this.#renewal.abort(ENDED);
    if (this.#isClosed) return;
    const now = this.#clock.now();
    const at = this.#nextLookAt(now);
    if (at === Number.POSITIVE_INFINITY) return;
    const renewal = new AbortController();
    this.#renewal = renewal;
    const { environment } = this.#settings;
    void environment.sleep(at - now, { signal: renewal.signal, background: true }).then(() => {
      if (renewal.signal.aborted) return;
      const now = this.#clock.now();
      this.#handOver(now);
      const due = this.#book.due(now);
      if (due.length > 0) this.#acquireMore(now);
      // A request for more leases may wait for its next attempt, longer than a lease lasts that has become due meanwhile.
      if (due.some((lease) => !this.#asked.due.includes(lease))) this.#acquirer.hurry();
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
}

/** What proves to the provider that we hold a lease; undefined for a provider that does not name its pool. */
function claimOf({ claim, secret, id }: HeldLease, now: number): RenewalClaim | undefined {
  if (!claim) return undefined;
  const timestamp = Math.max(0, now);
  return { ...claim, timestamp, signature: signHold(secret, id, timestamp) };
}

function isSameSlot(a: HeldLease, b: HeldLease): boolean {
  return a.start === b.start && a.end === b.end;
}

function isSlotOf(held: HeldLease, { id, bitSeq }: LeaseInfo): boolean {
  return held.id === id && held.throughput === 2 ** bitSeq;
}
