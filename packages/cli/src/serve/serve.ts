// `kazahana serve`: configuration, store and server put together, until a signal ends them.
import { setTimeout as sleep } from 'node:timers/promises';
import {
  ConfigError,
  isPassing,
  logLoss,
  type RunningServer,
  resolveServerConfig,
  type ServerConfig,
  type ServerSettings,
  startServer,
} from '@kazahana/server';
import type { LeaseEngineOptions, PoolLoss } from 'kazahana/lease';
import { type Logger, pino } from 'pino';
import { styled, type Terminal, wantsColors } from '../terminal.js';
import { readVersion } from '../version.js';
import { visible } from '../visible.js';
import { banner } from './banner.js';
import { checkStore } from './check-store.js';
import { type OpenedStore, openStore, type Warn } from './open-store.js';
import { poolLine, poolLines, poolNamesOf } from './pool-lines.js';
import { prettyDestination } from './pretty-log.js';
import { explainStart } from './start-failure.js';
import { hasPassword, maskStoreUrl } from './store-url.js';

export interface ServeFlags extends ServerSettings {
  readonly check?: boolean;
}

/** 1: what the server needs is not so, and waiting does not help. 2: the settings are wrong. */
const EXIT = { fine: 0, failed: 1, usage: 2 } as const;

/** A check must not create anything. */
function engineOptions(
  { services = {}, pools = {}, lossKey, createPools, afterFailOver, serviceShare }: ServerConfig,
  { check = false }: ServeFlags,
  onLoss: (loss: PoolLoss) => void,
): LeaseEngineOptions {
  const options = {
    services,
    pools,
    afterFailOver,
    serviceShare,
    onLoss,
    createPools: check ? ('never' as const) : createPools,
  };
  return { ...options, ...(lossKey !== undefined && { lossKey }) };
}

/** Settings that hold a password have no place on a command line, where every process can read them. */
function checkFlags({ store }: ServeFlags): void {
  if (store !== undefined && hasPassword(store)) {
    throw new ConfigError(
      'a password has no place in --store: put the URL into KAZAHANA_STORE or the --config file',
    );
  }
}

function fail(error: unknown, config: ServerConfig | undefined): number {
  process.stderr.write(`kazahana serve: ${visible(explainStart(error, config))}\n`);
  return (error as { code?: unknown }).code === 'INVALID_CONFIG' ? EXIT.usage : EXIT.failed;
}

const isPretty = ({ logFormat }: ServerConfig, { isTerminal }: Terminal) =>
  logFormat === undefined ? isTerminal : logFormat === 'pretty';

function openLog(config: ServerConfig, terminal: Terminal): Logger {
  const options = { level: config.logLevel };
  return isPretty(config, terminal) ? pino(options, prettyDestination(terminal.isColored)) : pino(options);
}

/** So long the start waits for a first look at the store; then the server listens, and is not ready. */
const FIRST_LOOK_MS = 1000;

/** Throws what waiting cannot mend, before anything is said of listening. */
async function firstLook(config: ServerConfig, { store }: OpenedStore): Promise<void> {
  const look = async () => {
    for (const name of poolNamesOf(config)) await poolLine(name, store, config);
  };
  const looked = look().catch((error: unknown) => {
    if (!isPassing(error)) throw error;
  });
  const late = new AbortController();
  await Promise.race([
    looked,
    sleep(FIRST_LOOK_MS, undefined, { signal: late.signal }).catch(() => undefined),
  ]).finally(() => late.abort());
  // A late failure is the server's to log.
  looked.catch(() => undefined);
}

/** On stdout with a log for people; on stderr, when a user is there and the log goes elsewhere. */
async function welcome(
  { url }: RunningServer,
  config: ServerConfig,
  { store }: OpenedStore,
  terminal: Terminal,
): Promise<void> {
  const pretty = isPretty(config, terminal);
  const stream = pretty ? process.stdout : process.stderr;
  if (!pretty && (config.logFormat === 'json' || !process.stderr.isTTY)) return;
  const facts = {
    url,
    version: readVersion(),
    store: maskStoreUrl(config.store),
    pools: await poolLines(config, store),
    tokens: config.tokens.map(({ name }) => visible(name)),
    isInsecure: config.isInsecure,
  };
  const isColored = pretty ? terminal.isColored : wantsColors('auto', process.stderr);
  stream.write(
    banner(facts, stream.columns || 80, (style, text) => (isColored ? styled(style, text) : text)),
  );
}

/** A server with a name is reached by HTTPS: with its own certificate, or through a proxy that has one. */
function publicAddress({ hostNames: [name], port, tls }: ServerConfig): { readonly url?: string } {
  return name === undefined ? {} : { url: `https://${name}${tls ? `:${port}` : ''}/` };
}

export async function serve(flags: ServeFlags, terminal: Terminal): Promise<number> {
  let config: ServerConfig | undefined;
  let opened: OpenedStore;
  const warnings: string[] = [];
  let warnOfLoss: (loss: PoolLoss) => void = () => {};
  let warn: Warn = (message) => {
    warnings.push(message);
  };
  try {
    checkFlags(flags);
    config = resolveServerConfig(flags, process.env);
    const options = engineOptions(config, flags, (loss) => warnOfLoss(loss));
    opened = await openStore(config.store, options, (message) => warn(message));
  } catch (error) {
    return fail(error, config);
  }
  if (flags.check) return checkStore(config, opened, warnings);
  const log = openLog(config, terminal);
  warn = (message) => log.warn(message);
  warnOfLoss = (loss) => logLoss(log, loss);
  for (const message of warnings) warn(message);
  // From the first moment on: a store that is slow to respond must not keep a signal from being heard.
  const stopped = firstSignal();
  let server: RunningServer | undefined;
  process.on('SIGHUP', () => {
    server?.reloadTls();
    server?.reloadTokens(() => resolveServerConfig(flags, process.env).tokens);
  });
  try {
    await firstLook(config, opened);
    // Here, because only a server that starts needs the files.
    const { loadPage } = await import('@kazahana/web');
    const parts = { config, store: opened.store, storeName: opened.name, version: readVersion(), log };
    server = await startServer({ ...parts, page: await loadPage(publicAddress(config)) });
    await Promise.race([welcome(server, config, opened, terminal), stopped]);
    await stopped;
    await server.stop();
    return await closeStore(opened, EXIT.fine);
  } catch (error) {
    return closeStore(opened, fail(error, config));
  }
}

/** A store that hangs does not close, and its connections would keep the process alive. */
const CLOSE_MS = 1000;

async function closeStore({ close }: OpenedStore, exitCode: number): Promise<number> {
  const late = new AbortController();
  const outcome = await Promise.race([
    close().then(() => 'closed' as const),
    sleep(CLOSE_MS, 'late' as const, { signal: late.signal }),
  ]).finally(() => late.abort());
  if (outcome === 'late') process.exit(exitCode);
  return exitCode;
}

const STOP_SIGNALS = ['SIGTERM', 'SIGINT'] as const;

function firstSignal(): Promise<void> {
  return new Promise((resolve) => {
    const stop = () => {
      for (const signal of STOP_SIGNALS) {
        process.off(signal, stop);
        // The second one does not wait.
        process.once(signal, () => process.exit(EXIT.failed));
      }
      resolve();
    };
    for (const signal of STOP_SIGNALS) process.on(signal, stop);
  });
}
