// `kazahana serve`: configuration, store and server put together, until a signal ends them.
import {
  ConfigError,
  logLoss,
  type RunningServer,
  resolveServerConfig,
  type ServerConfig,
  type ServerSettings,
  startServer,
} from '@kazahana/server';
import { type LeaseEngineOptions, LeaseError, type PoolLoss, PoolMissingError } from 'kazahana/lease';
import { pino } from 'pino';
import { readVersion } from '../version.js';
import { type OpenedStore, openStore, type Warn, withoutPassword } from './open-store.js';

export interface ServeFlags extends ServerSettings {
  readonly check?: boolean;
}

const EXIT = { fine: 0, failed: 1, usage: 2, unreachable: 3 } as const;

/** Why a pinned value cannot be changed. */
const PINNED =
  'A pool keeps the epoch and the bits of its timestamp for ever: IDs made with others would come from another time ' +
  'line, and could be equal to old ones. Configure a new pool for a new layout, or take the setting back.';

function explain(error: unknown): string {
  const { message, code } = error as Error & { code?: unknown };
  return code === 'POOL_MISMATCH' ? `${message}. ${PINNED}` : message;
}

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
  if (store !== undefined && withoutPassword(store) !== store) {
    throw new ConfigError(
      'a password has no place in --store: put the URL into KAZAHANA_STORE or the --config file',
    );
  }
}

export async function serve(flags: ServeFlags): Promise<number> {
  let config: ServerConfig;
  let opened: OpenedStore;
  const warnings: string[] = [];
  let warnOfLoss: (loss: PoolLoss) => void = () => {};
  let warn: Warn = (message) => {
    warnings.push(message);
  };
  try {
    checkFlags(flags);
    config = resolveServerConfig(flags, process.env);
    opened = await openStore(
      config.store,
      engineOptions(config, flags, (loss) => warnOfLoss(loss)),
      (message) => warn(message),
    );
  } catch (error) {
    process.stderr.write(`kazahana serve: ${explain(error)}\n`);
    return EXIT.usage;
  }
  if (flags.check) return checkStore(config, opened, warnings);
  const log = pino({ level: config.logLevel });
  warn = (message) => log.warn(message);
  warnOfLoss = (loss) => logLoss(log, loss);
  for (const message of warnings) warn(message);
  // From the first moment on: a store that is slow to answer must not keep a signal from being heard.
  const stopped = firstSignal();
  let server: RunningServer | undefined;
  process.on('SIGHUP', () => server?.reloadTls());
  try {
    // Here, because only a server that starts needs the files.
    const { loadPage } = await import('@kazahana/web');
    const parts = { config, store: opened.store, storeName: opened.name, version: readVersion(), log };
    server = await startServer({ ...parts, page: await loadPage() });
    // For a user at a terminal; elsewhere the log says it.
    if (process.stderr.isTTY) process.stderr.write(`\n  kazahana is at ${server.url} (Ctrl-C ends it)\n\n`);
    await stopped;
    await server.stop();
    return EXIT.fine;
  } catch (error) {
    process.stderr.write(`kazahana serve: ${explain(error)}\n`);
    return EXIT.failed;
  } finally {
    await opened.close();
  }
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

/** Says what is right and what is wrong, as far as it can be known without serving anybody. */
async function checkStore(config: ServerConfig, opened: OpenedStore, warnings: string[]): Promise<number> {
  const say = (line: string) => process.stdout.write(`${line}\n`);
  const { host, port, tokens, tls, services = {}, pools = {} } = config;
  say(`listen     ${tls ? 'https' : 'http'}://${host}:${port}`);
  say(
    `tokens     ${tokens.length === 0 ? 'none: everybody who can connect may do everything' : tokens.map(({ name }) => name).join(', ')}`,
  );
  say(`services   ${Object.keys(services).join(', ')}`);
  say(`store      ${withoutPassword(config.store)}`);
  try {
    const names = new Set([
      'default',
      ...Object.keys(pools),
      ...Object.values(services).flatMap(({ pool }) => pool ?? []),
    ]);
    for (const name of names) {
      const found = await opened.store.inspectPool(name).catch((error: unknown) => {
        if (!(error instanceof PoolMissingError) || config.createPools === 'never') throw error;
        return undefined;
      });
      if (!found) {
        say(`pool       ${name}: is not there yet; the server creates it`);
        continue;
      }
      const { layout, slots, held, quarantinedUntil } = found;
      const bits = `${layout.bitReserve} + ${layout.bitTs} + ${layout.bitId} + ${layout.bitSeq} bits`;
      const quarantine =
        quarantinedUntil > 0 ? `, in quarantine until ${new Date(quarantinedUntil).toISOString()}` : '';
      say(`pool       ${name}: ${bits}, ${held} of ${slots} machine IDs held${quarantine}`);
    }
    for (const message of warnings) say(`warning    ${message}`);
    say('all is well');
    return EXIT.fine;
  } catch (error) {
    say(`wrong      ${explain(error)}`);
    return error instanceof LeaseError && error.code === 'STORE_UNAVAILABLE' ? EXIT.unreachable : EXIT.failed;
  } finally {
    await opened.close();
  }
}
