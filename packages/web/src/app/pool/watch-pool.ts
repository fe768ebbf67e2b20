// Watches the pool of the server that served the page, and goes on trying when it is away.
import type { Environment } from 'kazahana/lease';
import type { PoolEvent } from './pool-state.js';
import { createEventReader } from './sse.js';

export type LiveStatus = 'connecting' | 'live' | 'stale' | 'store-away' | 'needs-token';

export interface LiveOptions {
  readonly pool: string;
  readonly environment: Environment;
  readonly headers: () => Record<string, string>;
  readonly onEvent: (event: PoolEvent) => void;
  readonly onStatus: (status: LiveStatus) => void;
  readonly signal: AbortSignal;
}

const FIRST_RETRY_MS = 500;
const LAST_RETRY_MS = 5000;
/** The server sends something every 15 seconds; silence for longer is a dead connection. */
const SILENCE_MS = 40_000;

/** Reads one connection to its end. */
async function read(response: Response, options: LiveOptions, heard: () => void): Promise<void> {
  const readEvents = createEventReader();
  const decoder = new TextDecoder();
  const reader = response.body?.getReader();
  while (reader) {
    const { done, value } = await reader.read();
    if (done) return;
    heard();
    for (const { event, data } of readEvents(decoder.decode(value, { stream: true }))) {
      if (event === 'unavailable') options.onStatus('store-away');
      if (event !== 'state' && event !== 'change') continue;
      options.onEvent({ event, data: JSON.parse(data) });
      options.onStatus('live');
    }
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
