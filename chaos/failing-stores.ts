// Stores that lose what they acknowledged last: an asynchronous replica takes over, or an older copy of a file.
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import * as postgres from '../tests/services/postgres.ts';
import { dataFolder, programPath, type Service } from '../tests/services/process.ts';
import * as redis from '../tests/services/redis.ts';
import { until } from './fleet.ts';
import { openProxy } from './tcp-proxy.ts';

export interface FailingStore {
  readonly url: string;
  /** What is acknowledged from here on will be lost. */
  beginLoss(): Promise<unknown>;
  /** Puts the older state in place. */
  failOver(): Promise<FailOver>;
  /** Makes ready for the next loss. */
  repair(): Promise<void>;
  stop(): Promise<void>;
}

interface FailOver {
  readonly how: string;
  /** Whether a process that starts afterwards can tell; if not, only running ones can, by what they remember. */
  readonly isVisible: boolean;
}

const LIMIT_MS = 60_000;

async function surely(what: string, holds: () => Promise<boolean>): Promise<void> {
  const isTrue = await until(() => holds().catch(() => false), LIMIT_MS);
  if (!isTrue) throw new Error(`${what}: not within ${LIMIT_MS} ms`);
}

/** Three Sentinels over a master and an asynchronous replica. */
async function failingRedis(): Promise<FailingStore> {
  const { askRedis, SENTINEL_MASTER } = redis;
  const folder = await dataFolder('redis-settings');
  /** A server has a file of settings, which Sentinels write, too: it says of whom the server is a replica. */
  const member = async (name: string, start: (settings: string[]) => Promise<Service>) => {
    const file = join(folder, name);
    writeFileSync(file, '');
    return { file, service: await start([file, '--appendonly', 'yes']) };
  };
  let master = await member('a', redis.startRedis);
  let replica = await member('b', (settings) => redis.startRedisReplica(master.service, settings));
  const sentinels = await redis.startSentinels(master.service, 1);
  // Twice as long as the first they wait after an election that none of them has won. They promote no replica that has been
  // without its master for ten times the second before they noticed: a busy machine needs time for that.
  for (const setting of ['failover-timeout 1000', 'down-after-milliseconds 1000'])
    for (const { port } of sentinels) await askRedis(port, `SENTINEL SET ${SENTINEL_MASTER} ${setting}`);
  const says = async ({ port }: Service, section: string, words: string) =>
    (await askRedis(port, `INFO ${section}`)).includes(words);
  /** On a busy machine Sentinels fail over by themselves. */
  const isWhole = async () => {
    const [one, other] = [master, replica].map(({ service }) => says(service, 'replication', 'role:master'));
    if ((await one) === (await other)) return false;
    if (await other) [master, replica] = [replica, master];
    const isOnline = `port=${replica.service.port},state=online`;
    if (!(await says(master.service, 'replication', isOnline))) return false;
    const isKnown = `address=127.0.0.1:${master.service.port},slaves=1,sentinels=${sentinels.length}`;
    const know = await Promise.all(sentinels.map((sentinel) => says(sentinel, 'sentinel', isKnown)));
    return know.every((knows) => knows);
  };
  return {
    url: `redis+sentinel://${sentinels.map(({ port }) => `127.0.0.1:${port}`).join(',')}/${SENTINEL_MASTER}`,
    async beginLoss() {
      await surely('a master that all Sentinels know, and its replica', isWhole);
      // It looks for its master where no server is.
      await askRedis(replica.service.port, 'REPLICAOF 127.0.0.1 1');
    },
    async failOver() {
      await master.service.kill();
      await surely('promotion', () => says(replica.service, 'replication', 'role:master'));
      [master, replica] = [replica, master];
      return { how: 'a replica took over', isVisible: true };
    },
    async repair() {
      writeFileSync(replica.file, `replicaof 127.0.0.1 ${master.service.port}\n`);
      await replica.service.start();
      await surely('replication', isWhole);
    },
    async stop() {
      for (const service of [...sentinels, replica.service, master.service]) await service.dispose();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A primary and an asynchronous standby, behind a proxy that leads to the present primary. */
async function failingPostgres(): Promise<FailingStore> {
  let primary = await postgres.startPostgres();
  const [toPrimary, replication] = [await openProxy(primary.port), await openProxy(primary.port)];
  const ask = async (service: Service, question: string) => {
    const pool = postgres.connectPostgres(postgres.postgresUrl(service), { max: 1 });
    const { rows } = await pool.query(`SELECT (${question})::text AS result`).finally(() => pool.end());
    return String(rows[0]?.result);
  };
  const startStandby = async () => {
    const folder = join(tmpdir(), `kazahana-postgres-${randomUUID()}`);
    const program = join(dirname(realpathSync(programPath(postgres.POSTGRES))), 'pg_basebackup');
    const [command = '', ...args] = postgres.asServerUser(
      ...[program, '-D', folder, '-h', '127.0.0.1', '-p', String(replication.port), '-U', 'postgres'],
      ...['-R', '-X', 'stream', '-c', 'fast', '--no-sync'],
    );
    await promisify(execFile)(command, args, { cwd: '/' });
    const standby = await postgres.startPostgresOn(folder);
    const streams = 'SELECT count(*) FROM pg_stat_replication';
    await surely('streaming', async () => (await ask(primary, streams)) === '1');
    return standby;
  };
  let standby = await startStandby();
  return {
    url: `postgres://postgres@127.0.0.1:${toPrimary.port}/postgres`,
    beginLoss: async () => replication.cut(),
    async failOver() {
      await postgres.killPostgres(primary);
      toPrimary.cut();
      await ask(standby, 'pg_promote()');
      [primary, standby] = [standby, primary];
      toPrimary.pointTo(primary.port);
      return { how: 'a standby took over', isVisible: true };
    },
    async repair() {
      await standby.dispose();
      replication.pointTo(primary.port);
      standby = await startStandby();
    },
    async stop() {
      for (const service of [standby, primary]) await service.dispose();
      for (const proxy of [toPrimary, replication]) proxy.cut();
    },
  };
}

/** A file that operators treat badly under running processes, each way twice in turn. */
async function failingSqlite(given?: string): Promise<FailingStore> {
  const folder = given ?? (await dataFolder('sqlite'));
  const path = join(folder, 'leases.db');
  const copy = `${path}.copy`;
  const remove = async (...endings: readonly string[]) => {
    for (const ending of endings) rmSync(path + ending, { force: true });
  };
  const copyInto = async (from: string, to: string) => {
    using source = new DatabaseSync(from, { timeout: 5000 });
    // A file that others write at the moment is busy.
    const copied = () => backup(source, to).then(() => true);
    await surely(`a copy of ${from} in ${to}`, copied);
  };
  const rename = async () => renameSync(copy, path);
  const ways: readonly (readonly [how: string, isVisible: boolean, act: () => Promise<void>])[] = [
    ['an older copy was put in place, without the log', true, () => remove('-wal', '-shm').then(rename)],
    ['the file and its log were removed', true, () => remove('', '-wal', '-shm')],
    // The file stays the same one.
    ['an older copy was restored into the file', false, () => copyInto(copy, path)],
    // A process that starts in that moment takes the log of the former file for its own.
    ['an older copy was put in place, beside the former log', false, rename],
  ];
  let round = 0;
  return {
    url: `sqlite:${path}`,
    async beginLoss() {
      rmSync(copy, { force: true });
      await copyInto(path, copy);
    },
    async failOver() {
      const [how = '', isVisible = false, act] = ways[Math.floor(round++ / 2) % ways.length] ?? [];
      await act?.();
      return { how, isVisible };
    },
    repair: async () => {},
    stop: async () => rmSync(folder, { recursive: true, force: true }),
  };
}

export const FAILING_STORES = { redis: failingRedis, postgres: failingPostgres, sqlite: failingSqlite };
