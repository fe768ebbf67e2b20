// One pool in etcd. A call is run over what was read at one revision, and what it writes is one transaction that goes
// through only if nothing it depends on has changed since: concurrent calls do not wait for each other, they try
// again. So that this is rare, nothing is written by every call and compared by every other.
import { type Environment, type PoolStorage, randomHex, StoreError } from 'kazahana/lease';
import { Reservations, SPREAD } from './candidates.js';
import { type Changes, changesOf } from './changes.js';
import { carryOut, toCreation } from './commit.js';
import { Committer, type Traffic } from './committer.js';
import type { CompactionWatch } from './compaction.js';
import { CompactedError } from './errors.js';
import { addFreshSlots } from './fresh.js';
import type { Gateway } from './gateway.js';
import { GENERATION_DIGITS, type PoolKeys } from './keys.js';
import { get, readTogether } from './kv.js';
import { Needs } from './needs.js';
import { OrderRaiser } from './order.js';
import { PoolReader } from './reader.js';
import { parse, type StoredPool } from './records.js';
import type { Snapshot } from './snapshot.js';
import { Staging } from './staging.js';
import { PoolView } from './view.js';

export type Work<Result> = (storage: PoolStorage, now: number) => Result;

/** Who meets others so often is not unlucky; something is wrong. */
const MAX_TRIES = 200;
/** After a conflict with another process there will be more. */
const CONTENTION = 20;
/** A change of layout is over after fewer looks than this, or whoever asked for calm has died. */
const MAX_LOOKS = 1000;

/** What all pools of a provider share. */
export interface PoolContext {
  readonly gateway: Gateway;
  readonly environment: Environment;
  readonly compaction: CompactionWatch;
  readonly traffic: Traffic;
}

/** A call, from its first try to its last. */
interface Call<Result> {
  readonly work: Work<Result>;
  readonly signal: AbortSignal | undefined;
  /** What it turned out to ask for. */
  readonly needs: Needs;
  conflicts: number;
  countsQuotas: boolean;
  staging: Staging | undefined;
}

/** A run that had to guess nothing. */
interface Run<Result> {
  readonly view: PoolView;
  readonly snapshot: Snapshot;
  readonly result: Result;
}

export class EtcdPool {
  readonly #context: PoolContext;
  readonly #keys: PoolKeys;
  readonly #reader: PoolReader;
  readonly #committer: Committer;
  readonly #order: OrderRaiser;
  readonly #reservations = new Reservations();
  /** How many changes must go through undisturbed until the head is tried first again. */
  #contention = 0;
  #addingFresh: Promise<void> | undefined;
  #calm: Promise<void> | undefined;
  /** Whoever asked for calm by this name has died. */
  #deadChange: string | undefined;
  /** The end of the queue of those who count quotas. */
  #quotaQueue: Promise<unknown> = Promise.resolve();

  constructor(context: PoolContext, keys: PoolKeys) {
    this.#context = context;
    this.#keys = keys;
    this.#reader = new PoolReader(context.gateway, keys, context.environment);
    this.#committer = new Committer(context.gateway, keys, context.traffic);
    this.#order = new OrderRaiser(context.gateway, keys);
  }

  /** Until nothing is under way in the background. */
  settled(): Promise<void> {
    return this.#order.settled();
  }

  async transact<Result>(work: Work<Result>, signal: AbortSignal | undefined): Promise<Result> {
    const call: Call<Result> = {
      work,
      signal,
      needs: new Needs(),
      conflicts: 0,
      countsQuotas: false,
      staging: undefined,
    };
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const done = await this.#tryInTurn(call);
      if (done) return done.result;
    }
    throw new StoreError(
      'STORE_BUSY',
      `others have changed the pool ${MAX_TRIES} times while it was being changed`,
    );
  }

  /** Two that count one quota never get through together, so those of this process queue after the first conflict. */
  #tryInTurn<Result>(call: Call<Result>): Promise<{ result: Result } | undefined> {
    if (!call.countsQuotas || call.conflicts === 0) return this.#try(call);
    const turn = this.#quotaQueue.then(() => this.#try(call));
    this.#quotaQueue = turn.catch(() => undefined);
    return turn;
  }

  /** Undefined: to be tried again. */
  async #try<Result>(call: Call<Result>): Promise<{ result: Result } | undefined> {
    let run: Run<Result> | undefined;
    try {
      run = await this.#run(call);
    } catch (error) {
      if (error instanceof CompactedError) return undefined;
      throw error;
    }
    if (!run) return undefined;
    const slots = run.view.taken.map(({ entry }) => entry.slot);
    let takenAt: number | undefined;
    try {
      const kept = await this.#keep(call, run);
      takenAt = kept?.revision;
      return kept;
    } finally {
      this.#reservations.settle(slots, takenAt);
    }
  }

  /**
   * Runs the work until it asks for nothing that was not read; undefined when that does not come to an end. The slots
   * that it takes are reserved before any other call can look at them.
   */
  async #run<Result>({ work, needs, conflicts, signal }: Call<Result>): Promise<Run<Result> | undefined> {
    const isContended = conflicts > 0 || this.#contention > 0;
    const chance = isContended ? (limit: number) => this.#chance(limit) : undefined;
    const choice = { isContested: this.#reservations.isContested, chance };
    let snapshot: Snapshot | undefined;
    for (let reads = 0; reads < MAX_TRIES; reads++) {
      const view = new PoolView(snapshot, needs, choice, this.#reader.lastPool);
      const now = snapshot?.now ?? this.#context.environment.now();
      const outcome = outcomeOf(() => work(view, now));
      if (snapshot && view.missing.isNothing) {
        if ('error' in outcome) throw outcome.error;
        this.#reservations.reserve(view.taken.map(({ entry }) => entry.slot));
        return { view, snapshot, result: outcome.result };
      }
      needs.addAll(view.missing);
      if (snapshot && view.missing.isFresh) await this.#addFresh(snapshot, needs.slots);
      const spare = this.#reservations.size + (isContended ? SPREAD : 0);
      snapshot = await this.#reader.read(needs, spare, signal);
    }
    return undefined;
  }

  /** Keeps what a run has written; undefined when somebody else was faster. */
  async #keep<Result>(
    call: Call<Result>,
    run: Run<Result>,
  ): Promise<{ result: Result; revision?: number } | undefined> {
    const { view, snapshot, result } = run;
    const { gateway, environment } = this.#context;
    if (view.created) {
      const creation = toCreation(this.#keys, view.created, snapshot);
      await carryOut(gateway, this.#keys, creation, call.signal);
      return undefined;
    }
    if (view.replaced) return (await this.#changeLayout(call, run)) ? { result } : undefined;
    const changes = changesOf(this.#keys, view, snapshot, randomHex(environment, 8));
    if (!changes) return { result };
    if (await this.#waitForCalm(snapshot.pool?.value)) return undefined;
    return this.#commit(call, run, changes);
  }

  async #commit<Result>(
    call: Call<Result>,
    { view, snapshot, result }: Run<Result>,
    changes: Changes,
  ): Promise<{ result: Result; revision: number } | undefined> {
    const committed = await this.#committer.commit(changes, call.signal);
    if (!committed.isDone) {
      call.conflicts++;
      call.countsQuotas = view.quotas.length > 0;
      this.#contention = CONTENTION;
      return undefined;
    }
    const { revision, serial } = committed;
    this.#contention = Math.max(0, this.#contention - 1);
    this.#order.hasTaken(view.taken.length, snapshot);
    if (serial === undefined || !snapshot.pool) return { result, revision };
    const born = { at: snapshot.pool.value.since, revision: snapshot.pool.createRevision };
    this.#context.compaction.look(this.#keys.pool, born, { at: snapshot.now, revision });
    return { result: withSerial(result, serial), revision };
  }

  async #changeLayout<Result>(call: Call<Result>, { view, snapshot }: Run<Result>): Promise<boolean> {
    const { gateway, environment } = this.#context;
    if (!call.staging || call.staging.isLost || call.staging.from !== snapshot.pool?.value.generation) {
      const generation = randomHex(environment, GENERATION_DIGITS / 2);
      call.staging = new Staging(gateway, this.#keys, generation, snapshot.pool?.value.generation);
    }
    if (await call.staging.carryOut(view, snapshot, call.signal)) return true;
    call.conflicts++;
    await call.staging.askForCalm(snapshot, call.signal);
    return false;
  }

  /** One at a time in this process, for all that need it. */
  #addFresh(snapshot: Snapshot, wanted: number): Promise<void> {
    this.#addingFresh ??= addFreshSlots(
      this.#context.gateway,
      this.#keys,
      snapshot,
      wanted + this.#reservations.size,
    ).finally(() => {
      this.#addingFresh = undefined;
    });
    return this.#addingFresh;
  }

  /** Leaves a change of layout the moment that it asks for; true when there was one. */
  async #waitForCalm(stored: StoredPool | undefined): Promise<boolean> {
    const changing = stored?.changing;
    if (changing === undefined || changing === this.#deadChange) return false;
    this.#calm ??= this.#lookWhile(changing).finally(() => {
      this.#calm = undefined;
    });
    await this.#calm;
    return true;
  }

  async #lookWhile(changing: string): Promise<void> {
    for (let looks = 0; looks < MAX_LOOKS; looks++) {
      const { ranges } = await readTogether(this.#context.gateway, [get(this.#keys.pool)]);
      const [pool] = ranges[0]?.kvs ?? [];
      if (!pool || parse<StoredPool>(pool).changing !== changing) return;
    }
    this.#deadChange = changing;
  }

  #chance(limit: number): number {
    const [a = 0, b = 0] = this.#context.environment.random(new Uint8Array(2));
    return (a * 256 + b) % limit;
  }
}

function outcomeOf<Result>(run: () => Result): { result: Result } | { error: unknown } {
  try {
    return { result: run() };
  } catch (error) {
    return { error };
  }
}

/** The serial of a grant is known only when it has been written. */
function withSerial<Result>(result: Result, serial: number): Result {
  return typeof result === 'object' && result !== null && 'serial' in result ? { ...result, serial } : result;
}
