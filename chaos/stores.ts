// The four real stores, each kept as its documents say, so that it loses nothing: they can be killed and started again.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { startEtcd } from '../tests/services/etcd.ts';
import { connectPostgres, killPostgres, postgresUrl, startPostgres } from '../tests/services/postgres.ts';
import { dataFolder, type Service } from '../tests/services/process.ts';
import { startRedis } from '../tests/services/redis.ts';
import type { StoreName } from '../tests/stores/store-under-test.ts';

export interface RealStore {
  /** As `kazahana serve --store` takes it. */
  readonly url: string;
  /** The server of the store; SQLite has none. */
  readonly server?: { kill(): Promise<void>; start(): Promise<unknown> };
  /** Moves the store's own clock, where it has one. What starts now takes its time from libfaketime. */
  passADay(): Promise<unknown>;
  stop(): Promise<void>;
}

const served = (url: string, service: Service, passADay: () => Promise<unknown>): RealStore => ({
  ...{ url, passADay, stop: () => service.dispose() },
  server: { kill: () => service.kill(), start: () => service.start() },
});

/** libfaketime cannot follow PostgreSQL to its own user. */
const CLOCK_A_DAY_LATER = `SET allow_system_table_mods = on;
  ALTER FUNCTION pg_catalog.clock_timestamp() RENAME TO true_clock_timestamp;
  CREATE FUNCTION pg_catalog.clock_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE
    AS $$ SELECT pg_catalog.true_clock_timestamp() + interval '1 day' $$;`;

export const REAL_STORES: Readonly<Record<StoreName, () => Promise<RealStore>>> = {
  async sqlite() {
    const folder = await dataFolder('sqlite');
    const stop = () => rm(folder, { recursive: true, force: true });
    return { url: `sqlite:${join(folder, 'leases.db')}`, passADay: async () => {}, stop };
  },
  async redis() {
    const service = await startRedis(['--appendonly', 'yes', '--appendfsync', 'always']);
    const passADay = () => service.stop().then(() => service.start());
    return served(`redis://127.0.0.1:${service.port}`, service, passADay);
  },
  async postgres() {
    const service = await startPostgres();
    const store = served(postgresUrl(service), service, async () => {
      const pool = connectPostgres(postgresUrl(service));
      await pool.query(CLOCK_A_DAY_LATER).finally(() => pool.end());
    });
    return { ...store, server: { kill: () => killPostgres(service), start: () => service.start() } };
  },
  async etcd() {
    const service = await startEtcd();
    return served(`etcd://127.0.0.1:${service.port}`, service, async () => {});
  },
};
