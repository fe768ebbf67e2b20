// Watches the pool of the server that served the page, and goes on trying when it is away.
import type { Environment, LeaseInspector } from 'kazahana/lease';
import type { PoolState } from './pool-state.js';
import { createEventReader } from './sse.js';

export type LiveStatus = 'connecting' | 'live' | 'stale' | 'store-away' | 'needs-token';

export interface LiveOptions {
  readonly pool: string;
  readonly environment: Environment;
  readonly headers: () => Record<string, string>;
  /** The same server, through the library. */
  readonly inspector: () => LeaseInspector;
  readonly onState: (state: PoolState) => void;
  readonly onStatus: (status: LiveStatus) => void;
  readonly signal: AbortSignal;
}

const FIRST_RETRY_MS = 500;
const LAST_RETRY_MS = 5000;
/** The server sends something every 15 seconds; silence for longer is a dead connection. */
const SILENCE_MS = 40_000;
/** A revoked lease changes no total, so the leases are read from time to time even when no event comes. */
const LONGEST_REST_MS = 10_000;
/** Reading a large pool takes at most a fifth of the time. */
const REST_FACTOR = 4;

/** Reads the pool after each event, one read at a time, until the connection ends. */
class PoolReader {
  #isWanted = false;
  #rest = new AbortController();

  /** Something has changed. */
  wake(): void {
    this.#isWanted = true;
    this.#rest.abort('wanted');
  }

  async run({ pool, environment, inspector, onState, onStatus }: LiveOptions, end: AbortSignal) {
    end.addEventListener('abort', () => this.wake());
    while (!end.aborted) {
      if (!this.#isWanted) {
        this.#rest = new AbortController();
        await environment.sleep(LONGEST_REST_MS, { signal: this.#rest.signal });
      }
      if (end.aborted) return;
      this.#isWanted = false;
      const began = environment.now();
      try {
        const server = inspector();
        const state = { pool: await server.inspectPool(pool), leases: await server.listLeases(pool) };
        if (end.aborted) return;
        onState(state);
        onStatus('live');
      } catch {
        // The stream of events tells why.
      }
      await environment.sleep((environment.now() - began) * REST_FACTOR, { signal: end });
    }
  }
}

/** Reads one connection to its end. */
async function read(response: Response, options: LiveOptions, heard: () => void): Promise<void> {
  const readEvents = createEventReader();
  const decoder = new TextDecoder();
  const reader = response.body?.getReader();
  const ended = new AbortController();
  const poolReader = new PoolReader();
  void poolReader.run(options, ended.signal);
  try {
    while (reader) {
      const { done, value } = await reader.read();
      if (done) return;
      heard();
      for (const { event } of readEvents(decoder.decode(value, { stream: true }))) {
        if (event === 'unavailable') options.onStatus('store-away');
        if (event === 'pool') poolReader.wake();
      }
    }
  } finally {
    ended.abort('over');
  }
}

/** Ends a connection that has said nothing for too long. */
async function guardSilence(
  environment: Environment,
  quiet: () => boolean,
  end: AbortController,
): Promise<void> {
  while (!end.signal.aborted) {
    await environment.sleep(SILENCE_MS, { signal: end.signal });
    if (quiet()) end.abort('silence');
  }
}

export async function watchPool(options: LiveOptions): Promise<void> {
  const { pool, environment, signal, headers, onStatus } = options;
  let pause = FIRST_RETRY_MS;
  while (!signal.aborted) {
    const end = new AbortController();
    const stop = () => end.abort('gone');
    signal.addEventListener('abort', stop);
    let isHeard = true;
    void guardSilence(
      environment,
      () => {
        const wasQuiet = !isHeard;
        isHeard = false;
        return wasQuiet;
      },
      end,
    );
    try {
      const response = await fetch(`./pool/events?${new URLSearchParams({ pool })}`, {
        headers: headers(),
        signal: end.signal,
        cache: 'no-store',
      });
      if (response.status === 401 || response.status === 403) {
        onStatus('needs-token');
        return;
      }
      if (response.ok) {
        pause = FIRST_RETRY_MS;
        await read(response, options, () => {
          isHeard = true;
        });
      }
    } catch {
      // The server is away: it is tried again below.
    } finally {
      end.abort('over');
      signal.removeEventListener('abort', stop);
    }
    if (signal.aborted) return;
    onStatus('stale');
    await environment.sleep(pause, { signal });
    pause = Math.min(2 * pause, LAST_RETRY_MS);
  }
}

/** The pools that this token may see; none when the server does not respond. */
export async function listPools(headers: Record<string, string>): Promise<readonly string[]> {
  try {
    const response = await fetch('./pool', { headers, cache: 'no-store' });
    const { pools } = await response.json();
    return response.ok && Array.isArray(pools) ? pools.map(String) : [];
  } catch {
    return [];
  }
}
