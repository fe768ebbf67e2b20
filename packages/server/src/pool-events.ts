// Pools as they change: two looks at the store a second for all watchers of a pool, none without watchers. A watcher gets
// the whole state first, then what has changed.
import type { Environment, InspectedLease, InspectedPool } from 'kazahana/lease';
import type { MeasuredStore } from './store.js';

/** A watcher sees a change within a second, however long a look takes. */
const INTERVAL_MS = 500;
/** A comment line: proxies keep the connection, and the server notices a dead one. */
const HEARTBEAT_MS = 15_000;

/** A watcher with so many unread events does not read: they must not fill the memory. It may connect again. */
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

interface Watcher {
  send(text: string): void;
  /** Ends the stream. */
  stop(): void;
}

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
    for (const { watchers } of this.#watched.values()) for (const watcher of watchers) watcher.stop();
  }

  /** A stream of server-sent events that goes on until the client or the server ends it. */
  watch(name: string): ReadableStream<Uint8Array<ArrayBuffer>> {
    const encoder = new TextEncoder();
    let watcher: Watcher;
    return new ReadableStream<Uint8Array<ArrayBuffer>>({
      start: (controller) => {
        const stop = () => {
          this.#leave(name, watcher);
          controller.close();
        };
        const send = (text: string) => {
          if ((controller.desiredSize ?? 0) <= -MAX_UNREAD) stop();
          else controller.enqueue(encoder.encode(text));
        };
        watcher = { send, stop };
        if (this.#ended.signal.aborted) stop();
        else this.#join(name, watcher);
      },
      cancel: () => this.#leave(name, watcher),
    });
  }

  #join(name: string, watcher: Watcher): void {
    const known = this.#watched.get(name);
    if (known) {
      known.watchers.add(watcher);
      if (known.last) watcher.send(format({ event: 'state', data: known.last }));
      else if (known.isAway) watcher.send(AWAY);
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

  /** Looks at the pool for as long as it has watchers. */
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
        // Sent once, and to each watcher that joins later.
        if (!watched.isAway) text = AWAY;
        watched.last = undefined;
        watched.isAway = true;
      }
      const now = this.#environment.now();
      if (text === undefined && now - saidAt >= HEARTBEAT_MS) text = ': still here\n\n';
      if (text !== undefined) {
        saidAt = now;
        for (const watcher of watched.watchers) watcher.send(text);
      }
      await this.#environment.sleep(INTERVAL_MS, { signal: this.#ended.signal, background: true });
    }
  }
}

/** The event from the first state to the second; undefined when they are equal. */
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
