// Pools as they change, for whoever watches: two looks at the store a second for all watchers of a pool, and none when
// nobody watches. Watchers get the whole state first, then what has changed.
import type { Environment, InspectedLease, InspectedPool } from 'kazahana/lease';
import type { MeasuredStore } from './store.js';

/** So that what happens is seen within a second, however long a look takes. */
const INTERVAL_MS = 500;
/** A line that says nothing, so that proxies keep the connection and dead ones are noticed. */
const HEARTBEAT_MS = 15_000;

/** A watcher that lets so many events lie is not reading: they must not fill the memory. It may come again. */
const MAX_UNREAD = 16;

export interface PoolState {
  readonly pool: InspectedPool;
  readonly leases: readonly InspectedLease[];
}

export type PoolEvent =
  | { readonly event: 'state'; readonly data: PoolState }
  | {
      readonly event: 'change';
      readonly data: {
        readonly pool: InspectedPool;
        readonly added: readonly InspectedLease[];
        readonly removed: readonly { readonly id: number; readonly bitSeq: number }[];
      };
    }
  | { readonly event: 'unavailable'; readonly data: Record<string, never> };

type Watcher = (text: string) => void;

const format = ({ event, data }: PoolEvent) => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
const keyOf = ({ id, bitSeq, created }: InspectedLease) => `${id}/${bitSeq}/${created}`;

/** Both at one moment, or nearly: a lease between the two looks shows in the next change. */
export async function readPool(store: MeasuredStore, name: string): Promise<PoolState> {
  const pool = await store.call('inspect', (inspector) => inspector.inspectPool(name));
  const leases = await store.call('list', (inspector) => inspector.listLeases(name));
  return { pool: { ...pool, held: leases.length }, leases };
}

interface Watched {
  readonly watchers: Set<Watcher>;
  /** Undefined before the first look, and while the store is away. */
  last: PoolState | undefined;
  isAway: boolean;
}

const AWAY = format({ event: 'unavailable', data: {} });

export class PoolEvents {
  readonly #store: MeasuredStore;
  readonly #environment: Environment;
  readonly #watched = new Map<string, Watched>();
  readonly #ended = new AbortController();

  constructor(store: MeasuredStore, environment: Environment) {
    this.#store = store;
    this.#environment = environment;
  }

  get watchers(): number {
    return [...this.#watched.values()].reduce((sum, { watchers }) => sum + watchers.size, 0);
  }

  /** Ends every stream. */
  close(): void {
    this.#ended.abort();
  }

  /** A stream of server-sent events that goes on until its reader or the server ends it. */
  watch(name: string): ReadableStream<Uint8Array<ArrayBuffer>> {
    const encoder = new TextEncoder();
    let leave = () => {};
    return new ReadableStream<Uint8Array<ArrayBuffer>>({
      start: (controller) => {
        const stop = () => {
          leave();
          controller.close();
        };
        const watcher: Watcher = (text) => {
          if ((controller.desiredSize ?? 0) <= -MAX_UNREAD) stop();
          else controller.enqueue(encoder.encode(text));
        };
        leave = () => {
          this.#ended.signal.removeEventListener('abort', stop);
          this.#leave(name, watcher);
        };
        if (this.#ended.signal.aborted) {
          controller.close();
          return;
        }
        this.#ended.signal.addEventListener('abort', stop);
        this.#join(name, watcher);
      },
      cancel: () => leave(),
    });
  }

  #join(name: string, watcher: Watcher): void {
    const known = this.#watched.get(name);
    if (known) {
      known.watchers.add(watcher);
      if (known.last) watcher(format({ event: 'state', data: known.last }));
      else if (known.isAway) watcher(AWAY);
      return;
    }
    this.#watched.set(name, { watchers: new Set([watcher]), last: undefined, isAway: false });
    void this.#look(name);
  }

  #leave(name: string, watcher: Watcher): void {
    const known = this.#watched.get(name);
    known?.watchers.delete(watcher);
    if (known?.watchers.size === 0) this.#watched.delete(name);
  }

  /** Looks at the pool for as long as anybody watches it. */
  async #look(name: string): Promise<void> {
    const watched = this.#watched.get(name);
    let saidAt = this.#environment.now();
    while (watched && this.#watched.get(name) === watched && !this.#ended.signal.aborted) {
      let text: string | undefined;
      try {
        const state = await readPool(this.#store, name);
        const event = difference(watched.last, state);
        watched.last = state;
        watched.isAway = false;
        text = event && format(event);
      } catch {
        // Said once, and again to whoever comes later.
        if (!watched.isAway) text = AWAY;
        watched.last = undefined;
        watched.isAway = true;
      }
      const now = this.#environment.now();
      if (text === undefined && now - saidAt >= HEARTBEAT_MS) text = ': still here\n\n';
      if (text !== undefined) {
        saidAt = now;
        for (const watcher of watched.watchers) watcher(text);
      }
      await this.#environment.sleep(INTERVAL_MS, { signal: this.#ended.signal, background: true });
    }
  }
}

/** What tells a watcher of the first state all of the second; undefined when there is nothing to tell. */
function difference(before: PoolState | undefined, after: PoolState): PoolEvent | undefined {
  if (!before) return { event: 'state', data: after };
  const known = new Map(before.leases.map((lease) => [keyOf(lease), lease]));
  const added = after.leases.filter((lease) => !known.delete(keyOf(lease)));
  const removed = [...known.values()].map(({ id, bitSeq }) => ({ id, bitSeq }));
  const { now: _before, ...calmBefore } = before.pool;
  const { now: _after, ...calmAfter } = after.pool;
  const isCalm = JSON.stringify(calmBefore) === JSON.stringify(calmAfter);
  if (added.length === 0 && removed.length === 0 && isCalm) return undefined;
  return { event: 'change', data: { pool: after.pool, added, removed } };
}
