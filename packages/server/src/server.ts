// A server from start to stop: listen, follow the store, and when it is told to stop say "not ready", drain, close.
import { defaultEnvironment, type Environment, PoolMismatchError, StoreError } from 'kazahana/lease';
import type { Logger } from 'pino';
import { createLeaseApp } from './app.js';
import type { ServerConfig } from './config.js';
import { ownHosts } from './host-names.js';
import { Listener } from './listener.js';
import type { Page } from './status-routes.js';
import type { Store } from './store.js';
import { reasonOf } from './store-watch.js';
import type { Token } from './tokens.js';

export interface ServerParts {
  readonly config: ServerConfig;
  readonly store: Store;
  /** The kind of store, for the metrics. */
  readonly storeName: string;
  readonly version: string;
  readonly log: Logger;
  readonly page?: Page;
  readonly environment?: Environment;
}

export interface RunningServer {
  readonly url: string;
  reloadTls(): void;
  /** Takes the tokens that `read` returns in place of those it has; when it throws, the old ones stay. */
  reloadTokens(read: () => readonly Token[]): void;
  /** Not ready, drain, close; the store is the caller's to close. */
  stop(): Promise<void>;
}

/** The leases of `/ids` are given back within this, even when draining took all the time. */
const LEAST_CLOSE_MS = 500;

/** Whether a failure of the store may end by itself, so that waiting and trying again helps. */
export function isPassing(error: unknown): boolean {
  if (error instanceof PoolMismatchError) return false;
  return !(error instanceof StoreError) || !['STORE_REFUSED', 'STORE_INCOMPATIBLE'].includes(error.code);
}

export async function startServer(parts: ServerParts): Promise<RunningServer> {
  const { config, store, storeName, version, log, page, environment = defaultEnvironment } = parts;
  const { host, port, tls, tokens, maxConnections, drainMs } = config;
  const app = createLeaseApp({
    ...config,
    store,
    log,
    environment,
    build: { version, store: storeName },
    ...(page && { page }),
    isOwnHost: ownHosts(config),
  });
  const listener = new Listener(app.fetch, { host, port, maxConnections, environment, ...(tls && { tls }) });
  // Before the first call of the store, which may take long: until then the server lives and is not ready.
  const url = await listener.listen();
  log.info({ url, store: storeName, tokens: tokens.length, version }, 'listening');
  if (config.isInsecure && tokens.length === 0)
    log.warn({ host }, 'insecure: every caller that reaches this address may do everything');
  try {
    await app.check();
  } catch (error) {
    // Wait for a store that is away; one that contradicts the configuration never will agree.
    if (!isPassing(error)) {
      await listener.close(0);
      throw error;
    }
  }
  app.start();
  return {
    url,
    reloadTls() {
      if (!tls) return;
      try {
        listener.reloadTls();
        log.info('certificates read again');
      } catch (error) {
        log.error({ reason: reasonOf(error) }, 'the certificates cannot be read; the old ones stay');
      }
    },
    reloadTokens(read) {
      try {
        const tokens = read();
        app.replaceTokens(tokens);
        log.info({ tokens: tokens.length }, 'tokens read again');
      } catch (error) {
        log.error({ reason: reasonOf(error) }, 'the tokens cannot be read; the old ones stay');
      }
    },
    async stop() {
      log.info('stopping: not ready any more, finishing what is under way');
      const began = environment.now();
      app.drain();
      await listener.close(drainMs);
      // A store that hangs must not keep the process: what it does not take back ends by itself.
      const left = Math.max(LEAST_CLOSE_MS, drainMs - Math.abs(environment.now() - began));
      const closed = new AbortController();
      const late = environment.sleep(left, { signal: closed.signal });
      await Promise.race([app.close(), late]).finally(() => closed.abort());
      log.info('stopped');
    },
  };
}
