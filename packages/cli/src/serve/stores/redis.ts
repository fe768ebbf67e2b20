// Redis by URL: single (`redis:`, `rediss:`), Sentinel (`redis+sentinel://host,host/name`) or Cluster.
import { setTimeout as sleep } from 'node:timers/promises';
import { RedisLeaseProvider } from '@kazahana/redis';
import { createClient, createCluster, createSentinel } from '@redis/client';
import { type LeaseEngineOptions, StoreError } from 'kazahana/lease';
import type { OpenedStore, Warn } from '../open-store.js';
import { numberSetting, parseAddress, type StoreAddress } from './address.js';

const SETTINGS = ['prefix', 'waitReplicas', 'waitTimeoutMs'];
const REDIS_PORT = 6379;
const SENTINEL_PORT = 26_379;
const CONNECT_TIMEOUT_MS = 2000;
const WAIT_TIMEOUT_MS = 1000;
/** A Redis that is away is tried again soon; the server says so once, and is not ready meanwhile. */
const RECONNECT_MS = 500;

/** A connection that has died without a word is noticed by pings, and replaced. */
const PING_MS = 1000;
const SCAN_MS = 1000;
const SILENCE_MS = 3000;

const credentials = ({ username, password }: StoreAddress) => ({
  ...(username !== undefined && { username }),
  ...(password !== undefined && { password }),
});

const socketFor = (address: StoreAddress) => ({
  connectTimeout: CONNECT_TIMEOUT_MS,
  reconnectStrategy: () => RECONNECT_MS,
  // A connection that waits for replicas is silent meanwhile.
  socketTimeout: SILENCE_MS + (numberSetting(address, 'waitTimeoutMs') ?? WAIT_TIMEOUT_MS),
});

/** Commands fail at once while there is no connection: their callers have a fallback, and no time. */
const clientFor = (address: StoreAddress) => ({
  disableOfflineQueue: true,
  pingInterval: PING_MS,
  socket: socketFor(address),
  ...credentials(address),
});

function connect(url: string) {
  const scheme = url.slice(0, url.indexOf(':'));
  if (scheme === 'redis+sentinel') {
    const address = parseAddress(url, SENTINEL_PORT, SETTINGS);
    const client = createSentinel({
      name: address.path,
      sentinelRootNodes: address.hosts.map(({ host, port }) => ({ host, port })),
      nodeClientOptions: clientFor(address),
      // A fail-over whose announcement was missed is noticed by looking.
      scanInterval: SCAN_MS,
    });
    return { address, client };
  }
  const address = parseAddress(url, REDIS_PORT, SETTINGS);
  if (scheme === 'redis+cluster') {
    const rootNodes = address.hosts.map(({ host, port }) => ({ socket: { host, port } }));
    return {
      address,
      client: createCluster({ rootNodes, defaults: clientFor(address) }),
    };
  }
  const [first] = address.hosts;
  const database = address.path === '' ? undefined : Number(address.path);
  const client = createClient({
    ...clientFor(address),
    ...(database !== undefined && { database }),
    socket: {
      ...socketFor(address),
      host: first?.host ?? '',
      port: first?.port ?? REDIS_PORT,
      ...(scheme === 'rediss' && { tls: true }),
    },
  });
  return { address, client };
}

export async function openRedis(url: string, options: LeaseEngineOptions, warn: Warn): Promise<OpenedStore> {
  const { address, client } = connect(url);
  // Every call that fails says so itself.
  client.on('error', () => {});
  const closed = new AbortController();
  const close = () => {
    closed.abort();
    client.destroy();
  };
  const refusal = await firstAttempt(client, closed.signal);
  if (refusal) {
    close();
    throw refusal;
  }
  const replicas = numberSetting(address, 'waitReplicas');
  const prefix = address.settings.get('prefix');
  const timeoutMs = numberSetting(address, 'waitTimeoutMs') ?? WAIT_TIMEOUT_MS;
  const store = new RedisLeaseProvider(client, {
    ...options,
    ...(prefix !== undefined && { prefix }),
    ...(replicas !== undefined && { waitReplicas: { replicas, timeoutMs } }),
    onWarning: warn,
  });
  return { name: 'redis', store, close: () => store.close().finally(close) };
}

/** How the complaints of a Redis begin that wants another user or password. */
const REFUSED = /^(?:WRONGPASS|NOAUTH|NOPERM|ERR AUTH|ERR invalid password)/;

type Client = Pick<ReturnType<typeof connect>['client'], 'once' | 'destroy'> & {
  connect(): Promise<unknown>;
};

/** The client of a Cluster, and of Sentinels, gives up when it reaches none of its nodes. Tries again until one is there. */
async function connectUntil(client: Client, closed: AbortSignal): Promise<void> {
  while (!closed.aborted) {
    await sleep(RECONNECT_MS, undefined, { ref: false });
    const isConnected = await client.connect().then(
      () => true,
      () => false,
    );
    if (isConnected && closed.aborted) client.destroy();
    if (isConnected) return;
  }
}

/**
 * Resolves when the client is connected, or has failed to connect, or takes too long. It goes on trying until it is closed, but
 * calls before it is connected fail. A wrong password stays wrong: that is the result.
 */
async function firstAttempt(client: Client, closed: AbortSignal): Promise<StoreError | undefined> {
  const failed = new Promise<unknown>((resolve) => client.once('error', resolve));
  const late = sleep(CONNECT_TIMEOUT_MS, undefined, { ref: false });
  const connected = client.connect().then(
    () => undefined,
    (error: unknown) => {
      void connectUntil(client, closed);
      return error;
    },
  );
  const error = await Promise.race([connected, failed, late]);
  const message = error instanceof Error ? error.message : '';
  return REFUSED.test(message)
    ? new StoreError('STORE_REFUSED', `Redis does not let this user in (${message.split(' ', 1)})`, {
        cause: error,
      })
    : undefined;
}
