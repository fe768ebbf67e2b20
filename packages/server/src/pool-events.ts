// Pools as they change, as server-sent events: the totals of a pool whenever they are others than before. Leases are not in
// them; a watcher reads those it shows from `GET /pool`, at its own pace. The store is read twice a second for all watchers of
// a pool, and not at all without any. An event is made when the watcher reads: one that does not read costs a connection.
import type { Environment, InspectedPool } from 'kazahana/lease';
import { type CallStore, readTotals } from './store.js';

const INTERVAL_MS = 500;
/** A comment line: proxies keep the connection, and the server notices a dead one. */
const HEARTBEAT_MS = 15_000;

interface Watcher {
  /** The name of the caller. */
  readonly owner: string;
}

type Reading = Promise<InspectedPool | 'away'>;
type Bytes = Uint8Array<ArrayBuffer>;

export class PoolEvents {
  readonly #callStore: CallStore;
  readonly #environment: Environment;
  readonly #watchers = new Set<Watcher>();
  /** The last look at each pool. */
  readonly #readings = new Map<string, { readonly at: number; readonly reading: Reading }>();
  readonly #ended = new AbortController();

  constructor(callStore: CallStore, environment: Environment) {
    this.#callStore = callStore;
    this.#environment = environment;
  }

  /** How many watch; those of one caller, when it is named. */
  count(owner?: string): number {
    const all = [...this.#watchers];
    return owner === undefined ? all.length : all.filter((watcher) => watcher.owner === owner).length;
  }

  /** Ends every stream. */
  close(): void {
    this.#ended.abort();
  }

  /** Ends the streams that are open now, at their next look; a caller that may still watch comes again. */
  endOpen(): void {
    this.#watchers.clear();
  }

  /** A stream of events for a caller. It goes on until the client or the server ends it. */
  watch(name: string, owner: string): ReadableStream<Bytes> {
    const watcher = { owner };
    this.#watchers.add(watcher);
    const events = this.#eventsFor(watcher, name);
    const encoder = new TextEncoder();
    return new ReadableStream<Bytes>({
      pull: async (controller) => {
        const { value, done } = await events.next();
        if (!done) return controller.enqueue(encoder.encode(value));
        this.#watchers.delete(watcher);
        controller.close();
      },
      cancel: () => {
        this.#watchers.delete(watcher);
      },
    });
  }

  async *#eventsFor(watcher: Watcher, name: string): AsyncGenerator<string, void> {
    const { signal } = this.#ended;
    const environment = this.#environment;
    let told = '';
    for (let saidAt = environment.now(); this.#watchers.has(watcher) && !signal.aborted; ) {
      const event = eventOf(await this.#read(name));
      const isSilent = Math.abs(environment.now() - saidAt) >= HEARTBEAT_MS;
      const isNew = event.withoutTime !== told;
      if (isNew || isSilent) {
        saidAt = environment.now();
        told = event.withoutTime;
        yield isNew ? event.text : ': still here\n\n';
      }
      await environment.sleep(INTERVAL_MS, { signal, background: true });
    }
  }

  #read(name: string): Reading {
    const at = this.#environment.now();
    const last = this.#readings.get(name);
    if (last && Math.abs(at - last.at) < INTERVAL_MS) return last.reading;
    const reading = readTotals(this.#callStore, name).catch(() => 'away' as const);
    this.#readings.set(name, { at, reading });
    return reading;
  }
}

function eventOf(state: InspectedPool | 'away') {
  if (state === 'away') return { text: 'event: unavailable\ndata: {}\n\n', withoutTime: state };
  const { now, ...rest } = state;
  return { text: `event: pool\ndata: ${JSON.stringify(state)}\n\n`, withoutTime: JSON.stringify(rest) };
}
