// Pools as they change: two looks at the store a second for all watchers of a pool, none without watchers. A watcher gets
// the state first, in several events where it is large, then what has changed. What a watcher does not read is not made:
// the next event is for the pool as it is then.
import type { Environment, InspectedLease, InspectedPool } from 'kazahana/lease';
import { type PoolState, readLeases, readTotals } from './pool-state.js';
import type { MeasuredStore } from './store.js';

/** A watcher sees a change within a second, as long as a look does not take long itself. */
const INTERVAL_MS = 500;
/** The looks at a large pool take at most a fifth of the time. */
const REST_FACTOR = 4;
/** A revoked lease changes no total, so the leases are read from time to time even when these stay. */
const FULL_LOOK_MS = 10_000;
/** So many watchers are told something before other requests have their turn. */
const TOLD_AT_ONCE = 5;
/** A comment line: proxies keep the connection, and the server notices a dead one. */
const HEARTBEAT_MS = 15_000;
/** So many characters an event has at most, but for its last lease. */
const MAX_EVENT = 64 * 1024;
/** What waits in a stream to be read: this, and one event. */
const MAX_UNREAD_BYTES = 64 * 1024;
/** A watcher that has something to read, and reads nothing for so long, is gone. It may connect again. */
const MAX_IDLE_MS = 30_000;

interface PoolChange {
  readonly pool: InspectedPool;
  readonly added: readonly InspectedLease[];
  readonly removed: readonly { readonly id: number; readonly bitSeq: number }[];
}

/** What a watcher was last told: a state, that the store is away, or nothing yet. */
type Told = PoolState | 'away' | undefined;

const format = (event: string, data: string) => `event: ${event}\ndata: ${data}\n\n`;
const keyOf = ({ id, bitSeq, created }: InspectedLease) => `${id}/${bitSeq}/${created}`;

const AWAY = format('unavailable', '{}');
const STILL_HERE = ': still here\n\n';

/** One stream of events. Its reader sets the pace. */
class Watcher {
  readonly stream: ReadableStream<Uint8Array<ArrayBuffer>>;
  readonly #now: () => number;
  readonly #encoder = new TextEncoder();
  #controller: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>> | undefined;
  #told: Told;
  /** Events that were decided on, and are made as they are read. */
  #unsent: Iterator<string> = [].values();
  #isDone = true;
  #readAt: number;
  #saidAt: number;

  constructor(
    /** The name of the caller. */
    readonly owner: string,
    now: () => number,
    onLeave: (watcher: Watcher) => void,
  ) {
    this.#now = now;
    this.#readAt = now();
    this.#saidAt = now();
    this.stream = new ReadableStream<Uint8Array<ArrayBuffer>>(
      {
        start: (controller) => {
          this.#controller = controller;
        },
        pull: () => {
          this.#readAt = now();
          this.#send();
        },
        cancel: () => onLeave(this),
      },
      new ByteLengthQueuingStrategy({ highWaterMark: MAX_UNREAD_BYTES }),
    );
  }

  /** Whether it reads nothing of what there is to read. */
  get isIdle(): boolean {
    return !this.#isDone && this.#now() - this.#readAt > MAX_IDLE_MS;
  }

  /** Tells how things are now, once the watcher has read how they were before. */
  tell(state: Exclude<Told, undefined>): void {
    if (!this.#isDone) return;
    const events = eventsBetween(this.#told, state);
    this.#told = state;
    if (events) this.#begin(events);
    else if (this.#now() - this.#saidAt >= HEARTBEAT_MS) this.#begin([STILL_HERE]);
  }

  end(): void {
    this.#controller?.close();
  }

  #begin(events: Iterable<string>): void {
    this.#unsent = events[Symbol.iterator]();
    this.#isDone = false;
    this.#saidAt = this.#now();
    // Its time to read begins now.
    this.#readAt = this.#now();
    this.#send();
  }

  #send(): void {
    while (!this.#isDone && (this.#controller?.desiredSize ?? 0) > 0) {
      const { value, done = false } = this.#unsent.next();
      this.#isDone = done;
      if (!done) this.#controller?.enqueue(this.#encoder.encode(value));
    }
  }
}

interface Watched {
  readonly watchers: Set<Watcher>;
  /** Undefined before the first look. */
  state: Told;
  readAt: number;
}

export class PoolEvents {
  readonly #store: MeasuredStore;
  readonly #environment: Environment;
  readonly #watched = new Map<string, Watched>();
  readonly #ended = new AbortController();

  constructor(store: MeasuredStore, environment: Environment) {
    this.#store = store;
    this.#environment = environment;
  }

  /** How many watch; those of one caller, when it is named. */
  count(owner?: string): number {
    const all = [...this.#watched.values()].flatMap(({ watchers }) => [...watchers]);
    return owner === undefined ? all.length : all.filter((watcher) => watcher.owner === owner).length;
  }

  /** Ends every stream. */
  close(): void {
    this.#ended.abort();
    for (const { watchers } of this.#watched.values()) for (const watcher of watchers) watcher.end();
    this.#watched.clear();
  }

  /** A stream of server-sent events for a caller. It goes on until the client or the server ends it. */
  watch(name: string, owner: string): ReadableStream<Uint8Array<ArrayBuffer>> {
    const watcher = new Watcher(
      owner,
      () => this.#environment.now(),
      (gone) => this.#leave(name, gone),
    );
    if (this.#ended.signal.aborted) {
      watcher.end();
      return watcher.stream;
    }
    const known = this.#watched.get(name);
    const watched: Watched = known ?? { watchers: new Set(), state: undefined, readAt: 0 };
    watched.watchers.add(watcher);
    if (watched.state) watcher.tell(watched.state);
    if (!known) {
      this.#watched.set(name, watched);
      void this.#look(name, watched);
    }
    return watcher.stream;
  }

  #leave(name: string, watcher: Watcher): void {
    const known = this.#watched.get(name);
    known?.watchers.delete(watcher);
    if (known?.watchers.size === 0) this.#watched.delete(name);
  }

  /** Looks at the pool for as long as it has watchers. */
  async #look(name: string, watched: Watched): Promise<void> {
    const { signal } = this.#ended;
    const environment = this.#environment;
    while (this.#watched.get(name) === watched && !signal.aborted) {
      const began = environment.now();
      watched.state = await this.#read(name, watched).catch(() => 'away' as const);
      let told = 0;
      for (const watcher of watched.watchers) {
        if (watcher.isIdle) {
          watcher.end();
          this.#leave(name, watcher);
        } else watcher.tell(watched.state);
        // A state is tens of kilobytes for each of them: other requests come in between.
        if (++told % TOLD_AT_ONCE === 0) await environment.sleep(0, { background: true });
      }
      const rest = Math.min((environment.now() - began) * REST_FACTOR, FULL_LOOK_MS);
      await environment.sleep(Math.max(INTERVAL_MS, rest), { signal, background: true });
    }
  }

  /** The pool now. Its leases are read only when its totals say that they may have changed. */
  async #read(name: string, watched: Watched): Promise<PoolState> {
    const pool = await readTotals(this.#store, name);
    const { state, readAt } = watched;
    const now = this.#environment.now();
    const isKnown = typeof state === 'object' && isSame(state.pool, pool);
    if (isKnown && Math.abs(now - readAt) < FULL_LOOK_MS) return state;
    watched.readAt = now;
    const leases = await readLeases(this.#store, name, this.#environment);
    return isKnown && isSameList(state.leases, leases) ? state : { pool, leases };
  }
}

/** Whether nothing but the time has changed. Every grant raises the serial, every end of a lease lowers `held`. */
function isSame(
  { now: _before, ...before }: InspectedPool,
  { now: _after, ...after }: InspectedPool,
): boolean {
  return JSON.stringify(before) === JSON.stringify(after);
}

const isSameList = (before: readonly InspectedLease[], after: readonly InspectedLease[]) =>
  before.length === after.length &&
  before.every((lease, i) => keyOf(lease) === keyOf(after[i] as InspectedLease));

/** The events that lead from what was told to what is; undefined when nothing has changed. */
function eventsBetween(told: Told, state: PoolState | 'away'): Iterable<string> | undefined {
  if (told === state) return undefined;
  if (state === 'away') return [AWAY];
  if (typeof told === 'object')
    return changes({ pool: state.pool, ...difference(told.leases, state.leases) });
  return wholeState(state);
}

function difference(
  before: readonly InspectedLease[],
  after: readonly InspectedLease[],
): Pick<PoolChange, 'added' | 'removed'> {
  const known = new Map(before.map((lease) => [keyOf(lease), lease]));
  const added = after.filter((lease) => !known.delete(keyOf(lease)));
  return { added, removed: [...known.values()].map(({ id, bitSeq }) => ({ id, bitSeq })) };
}

/** A state: what fits into one event, and the rest as changes of it. */
function* wholeState({ pool, leases }: PoolState): Generator<string> {
  const head = JSON.stringify(pool);
  let event = 'state';
  for (const part of parts(leases)) {
    const rest = event === 'state' ? `"leases":[${part}]` : `"added":[${part}],"removed":[]`;
    yield format(event, `{"pool":${head},${rest}}`);
    event = 'change';
  }
}

/** A change: one event, or several. A machine ID may be in both lists, so nothing is added before all is removed. */
function* changes({ pool, added, removed }: PoolChange): Generator<string> {
  const head = JSON.stringify(pool);
  const change = (addedPart: string, removedPart: string) =>
    format('change', `{"pool":${head},"added":[${addedPart}],"removed":[${removedPart}]}`);
  const removedParts = [...parts(removed)];
  let lastRemoved = removedParts.pop() ?? '';
  for (const part of removedParts) yield change('', part);
  for (const part of parts(added)) {
    yield change(part, lastRemoved);
    lastRemoved = '';
  }
}

/** The items as JSON, comma by comma, in texts of bounded length; one empty text when there is no item. */
function* parts(items: readonly object[]): Generator<string> {
  let text = '';
  for (const item of items) {
    text += `${text === '' ? '' : ','}${JSON.stringify(item)}`;
    if (text.length < MAX_EVENT) continue;
    yield text;
    text = '';
  }
  if (text !== '' || items.length === 0) yield text;
}
