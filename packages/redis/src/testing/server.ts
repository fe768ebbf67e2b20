// A Redis of a test's own, a client that administers it, and providers on it whose warnings are written down.
import { createClient } from '@redis/client';
import { defaultEnvironment } from 'kazahana/lease';
import { expect } from 'vitest';
import { startRedis } from '../../../../tests/services/redis.ts';
import { toConnection } from '../connection.js';
import { RedisDriver } from '../driver.js';
import { type RedisClientLike, RedisLeaseProvider, type RedisLeaseProviderOptions } from '../index.js';
import { scriptRunner } from '../script-runner.js';
import { serverCheck } from '../server-check.js';

/** Four slots: small enough to be filled. */
export const services = { default: { bitId: 3, bitSeq: 19, leaseDuration: 60_000 } };
/** The throughput of one of them. */
export const SLOT = 2 ** 19;
/** What the keys of the pool begin with. */
export const POOL = '{kazahana:default}';

export async function administeredRedis() {
  const server = await startRedis();
  const connect = async (user: { readonly username?: string; readonly password?: string } = {}) => {
    const client = createClient({ url: `redis://127.0.0.1:${server.port}`, ...user });
    await client.on('error', () => {}).connect();
    return client;
  };
  const admin = await connect();
  const warnings: string[] = [];
  const onWarning = (message: string) => void warnings.push(message);
  return {
    server,
    admin,
    connect,
    warnings,
    onWarning,
    provide: (options: RedisLeaseProviderOptions = {}) =>
      new RedisLeaseProvider(admin, { services, onWarning, ...options }),
    configure: (...settings: string[]) => admin.sendCommand(['CONFIG', 'SET', ...settings]),
    /** Forgets everything that was kept and warned of. */
    async empty() {
      warnings.length = 0;
      await admin.flushAll();
    },
    async stop() {
      admin.destroy();
      await server.dispose();
    },
  };
}

/** A driver without its engine. */
export function driverOn(redis: RedisClientLike, prefix = 'kazahana'): RedisDriver {
  const connection = toConnection(redis);
  const scripts = scriptRunner(connection, undefined);
  const check = serverCheck(scripts, connection, { eviction: 'refuse', onWarning: () => {} });
  return new RedisDriver(prefix, defaultEnvironment, scripts, check);
}

/** The error of a call that must fail. */
export async function refused(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => expect.fail('must be refused'),
    (error: unknown) => error,
  );
}
