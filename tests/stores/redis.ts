// Redis for the tests that drive every store: one server, a key prefix for every case.
import { RedisLeaseProvider } from '@kazahana/redis';
import { createClient } from '@redis/client';
import type { PoolsOptions } from 'kazahana/lease';
import { type ConformanceSubject, virtualEnvironment } from 'kazahana/testing';
import { startRedis } from '../services/redis.ts';
import type { StartedStore, StoreUnderTest } from './store-under-test.ts';

async function connectClient(url: string) {
  const client = createClient({ url });
  // Calls that fail tell it themselves.
  client.on('error', () => {});
  await client.connect();
  return client;
}

type Client = Awaited<ReturnType<typeof connectClient>>;

/** What every script reads the time by. */
const TIME = "redis.call('TIME')";

/**
 * The client, with which scripts take the time from a key. They are the real scripts on a real server in all else; a
 * script of that name may be known there, with the server's clock, so they are always sent in full.
 */
function withClockIn(client: Client, key: string): Client {
  const clock = `redis.call('MGET', '${key}:seconds', '${key}:microseconds')`;
  const sendCommand = async (command: readonly string[], options?: object): Promise<unknown> => {
    if (command[0] === 'EVALSHA') throw new Error('NOSCRIPT No matching script.');
    const [name = '', script = '', ...rest] = command;
    return client.sendCommand(
      name === 'EVAL' ? [name, script.replaceAll(TIME, clock), ...rest] : command,
      options,
    );
  };
  const wrapped: Client = new Proxy(client, {
    get(target, name) {
      if (name === 'sendCommand') return sendCommand;
      if (name === 'withTypeMapping') return () => wrapped;
      return Reflect.get(target, name, target);
    },
  });
  return wrapped;
}

export interface ClockedRedis {
  /** A client whose scripts see the time of the test. */
  readonly redis: Client;
  readonly now: () => number;
  advance(ms: number): Promise<void>;
}

/** The server with a clock that stands still until the test moves it, under keys that begin with `name`. */
export async function withOwnClock(client: Client, name: string): Promise<ClockedRedis> {
  const time = virtualEnvironment();
  const setClock = async () => {
    const now = time.now();
    const [seconds, microseconds] = [Math.floor(now / 1000), (now % 1000) * 1000];
    await client.mSet({
      [`${name}:seconds`]: String(seconds),
      [`${name}:microseconds`]: String(microseconds),
    });
  };
  await setClock();
  return {
    redis: withClockIn(client, name),
    now: time.now,
    async advance(ms) {
      await time.advance(ms);
      await setClock();
    },
  };
}

/** A provider that does not tell what everybody knows: that this server keeps nothing on disk. */
const quietly = (
  redis: ConstructorParameters<typeof RedisLeaseProvider>[0],
  options: PoolsOptions,
  prefix?: string,
) => new RedisLeaseProvider(redis, { ...options, ...(prefix && { prefix }), onWarning: () => {} });

export const redis: StoreUnderTest = {
  name: 'redis',

  async start(): Promise<StartedStore> {
    const server = await startRedis();
    const address = `redis://127.0.0.1:${server.port}`;
    const client = await connectClient(address);
    let cases = 0;

    const open = (options: PoolsOptions): ConformanceSubject => {
      const prefix = `case-${++cases}`;
      const connect = (others: PoolsOptions) => quietly(client, others, prefix);
      return { provider: connect(options), reopen: async (others) => connect(others) };
    };

    const openVirtual = async (options: PoolsOptions): Promise<ConformanceSubject> => {
      const prefix = `case-${++cases}`;
      const { redis: clocked, now, advance } = await withOwnClock(client, prefix);
      const connect = (others: PoolsOptions) => quietly(clocked, others, prefix);
      return { provider: connect(options), now, advance, reopen: async (others) => connect(others) };
    };

    return {
      address,
      subject: async (options) => open(options),
      virtualSubject: openVirtual,
      async stop() {
        client.destroy();
        await server.dispose();
      },
    };
  },

  async connect(address, options) {
    const client = await connectClient(address);
    return { provider: quietly(client, options), close: async () => client.destroy() };
  },
};
