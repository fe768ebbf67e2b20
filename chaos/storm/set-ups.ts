// The stores that a storm can hurt, each with the faults of its own. What a fault does lasts as long as its promise.
import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { ETCD, etcdCall, startEtcdCluster } from '../../tests/services/etcd.ts';
import { POSTGRES, signalPostgres, startPostgres } from '../../tests/services/postgres.ts';
import { dataFolder, programPath, type Service } from '../../tests/services/process.ts';
import { askRedis, REDIS, startRedis } from '../../tests/services/redis.ts';
import { FAILING_STORES, type FailingStore } from '../failing-stores.ts';
import { until } from '../fleet.ts';
import type { LaneFault } from './schedule.ts';
import { smallDisk } from './small-disk.ts';
import { hurtableWay, WAYS } from './store-way.ts';

/** Hurts and mends; says how, where there is more than one way. */
export type Hurt = (lastsMs: number) => Promise<string | undefined>;

export interface RunningSetUp {
  /** As `kazahana serve --store` takes it. */
  readonly url: string;
  readonly version: string;
  readonly faults: Readonly<Record<string, Hurt>>;
  /** Faults that this machine does not allow for, and why. */
  readonly skipped?: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

interface StoreFault extends LaneFault {
  /** Pauses last longer than the windows of leases; these are added to `lastsMs`. */
  readonly isPause?: boolean;
  /** Whether it loses what was acknowledged. */
  readonly loses?: boolean;
  /** So often it comes in each turn of the lane; once when left out. */
  readonly times?: number;
}

export interface SetUp {
  /** Whose clock tells which slots are free: the store's, or that of the process that uses it. */
  readonly clock: 'store' | 'process';
  readonly gapMs: number;
  readonly faults: readonly StoreFault[];
  /** Faults of the way to the store. */
  readonly ways: readonly LaneFault[];
  start(): Promise<RunningSetUp>;
}

const versionOf = (program: string, flag = '--version') =>
  execFileSync(program, [flag], { encoding: 'utf8' }).split('\n')[0] ?? '';

/** What is acknowledged while it lasts is lost. */
const failOver =
  (store: FailingStore): Hurt =>
  async (lastsMs) => {
    await store.beginLoss();
    await sleep(lastsMs);
    const { how } = await store.failOver();
    await store.repair();
    return how;
  };

async function startSqlite(): Promise<RunningSetUp> {
  const disk = await smallDisk();
  const folder = disk?.folder ?? (await dataFolder('sqlite'));
  const store = await FAILING_STORES.sqlite(folder);
  const path = store.url.slice('sqlite:'.length);
  const faults: Record<string, Hurt> = {
    'older-file': failOver(store),
    async 'locked-file'(lastsMs) {
      using database = new DatabaseSync(path, { timeout: 5000 });
      database.exec('BEGIN IMMEDIATE');
      await sleep(lastsMs);
      database.exec('ROLLBACK');
      return undefined;
    },
    async 'full-disk'(lastsMs) {
      const ballast = join(folder, 'ballast');
      try {
        for (let at = 0; ; at++) writeFileSync(ballast, Buffer.alloc(4096), { flag: at === 0 ? 'w' : 'a' });
      } catch {
        // That is when it is full.
      }
      await sleep(lastsMs);
      rmSync(ballast);
      return undefined;
    },
  };
  const stop = async () => {
    disk?.unmount();
    await rm(folder, { recursive: true, force: true });
  };
  const version = `SQLite ${process.versions.sqlite}`;
  if (disk) return { url: store.url, version, faults, stop };
  const { 'full-disk': _, ...others } = faults;
  return {
    url: store.url,
    version,
    faults: others,
    stop,
    skipped: { 'full-disk': 'nothing can be mounted' },
  };
}

const killAndStart =
  (service: Service): Hurt =>
  async (lastsMs) => {
    await service.kill();
    await sleep(lastsMs);
    await service.start();
    return undefined;
  };

const stopInItsTracks =
  (signal: (signal: 'SIGSTOP' | 'SIGCONT') => void): Hurt =>
  async (lastsMs) => {
    signal('SIGSTOP');
    await sleep(lastsMs);
    signal('SIGCONT');
    return undefined;
  };

async function startSingleRedis(): Promise<RunningSetUp> {
  const service = await startRedis(['--appendonly', 'yes', '--appendfsync', 'always']);
  const way = await hurtableWay(service.port);
  return {
    url: `redis://127.0.0.1:${way.port}`,
    version: versionOf(programPath(REDIS)),
    faults: {
      ...way.faults,
      'kill-store': killAndStart(service),
      'pause-store': stopInItsTracks((signal) => service.signal(signal)),
      async 'flush-store'() {
        await askRedis(service.port, 'FLUSHALL');
        return undefined;
      },
    },
    async stop() {
      way.close();
      await service.dispose();
    },
  };
}

async function startSinglePostgres(): Promise<RunningSetUp> {
  const service = await startPostgres();
  const way = await hurtableWay(service.port);
  return {
    url: `postgres://postgres@127.0.0.1:${way.port}/postgres`,
    version: versionOf(programPath(POSTGRES)),
    faults: {
      ...way.faults,
      // As `pg_ctl stop -m immediate` does it: without a checkpoint, so that the next start recovers from the log.
      async 'restart-store'(lastsMs) {
        await service.stop('SIGQUIT');
        await sleep(lastsMs);
        await service.start();
        return undefined;
      },
      'pause-store': stopInItsTracks((signal) => signalPostgres(service, signal)),
    },
    async stop() {
      way.close();
      await service.dispose();
    },
  };
}

/** The member that leads, as far as any member knows. */
async function leaderOf(members: readonly Service[]): Promise<Service> {
  let leader: Service | undefined;
  const look = async () => {
    for (const member of members) {
      const status = (await etcdCall(member, 'maintenance/status', {}).catch(() => ({}))) as {
        leader?: string;
        header?: { member_id?: string };
      };
      if (status.leader !== undefined && status.leader === status.header?.member_id) leader = member;
    }
    return leader !== undefined;
  };
  if (!(await until(look, 30_000))) throw new Error('the etcd cluster has no leader');
  return leader as Service;
}

async function startThreeEtcds(): Promise<RunningSetUp> {
  const members = await startEtcdCluster(3, ['--auto-compaction-retention', '1']);
  return {
    url: `etcd://${members.map(({ port }) => `127.0.0.1:${port}`).join(',')}`,
    version: versionOf(programPath(ETCD)),
    faults: {
      'lose-leader': async (lastsMs) => killAndStart(await leaderOf(members))(lastsMs),
      'pause-leader': async (lastsMs) => {
        const leader = await leaderOf(members);
        return stopInItsTracks((signal) => leader.signal(signal))(lastsMs);
      },
    },
    async stop() {
      for (const member of members) await member.dispose();
    },
  };
}

const failing = async (name: 'redis' | 'postgres', version: string): Promise<RunningSetUp> => {
  const store = await FAILING_STORES[name]();
  return { url: store.url, version, faults: { 'fail-over': failOver(store) }, stop: () => store.stop() };
};

/** Long enough that clients get leases which are lost. */
const LAG_MS = [2000, 4000] as const;

export const SET_UPS = {
  sqlite: {
    ...{ clock: 'process', gapMs: 12_000, ways: [] },
    faults: [
      { name: 'older-file', lastsMs: LAG_MS, loses: true },
      { name: 'full-disk', lastsMs: [2000, 6000] },
      { name: 'locked-file', lastsMs: [500, 4000] },
    ],
    start: startSqlite,
  },
  redis: {
    ...{ clock: 'store', gapMs: 10_000, ways: WAYS },
    faults: [
      { name: 'kill-store', lastsMs: [0, 3000], times: 3 },
      { name: 'pause-store', lastsMs: [1000, 3000], isPause: true },
      { name: 'flush-store', lastsMs: [0, 0], loses: true },
    ],
    start: startSingleRedis,
  },
  sentinel: {
    ...{ clock: 'store', gapMs: 9000, ways: [] },
    faults: [{ name: 'fail-over', lastsMs: LAG_MS, loses: true }],
    start: () => failing('redis', `${versionOf(programPath(REDIS))}, three Sentinels, one replica`),
  },
  postgres: {
    ...{ clock: 'store', gapMs: 4000, ways: WAYS },
    faults: [
      { name: 'restart-store', lastsMs: [0, 500], times: 12 },
      { name: 'pause-store', lastsMs: [1000, 3000], isPause: true },
    ],
    start: startSinglePostgres,
  },
  standby: {
    ...{ clock: 'store', gapMs: 15_000, ways: [] },
    faults: [{ name: 'fail-over', lastsMs: LAG_MS, loses: true }],
    start: () => failing('postgres', `${versionOf(programPath(POSTGRES))}, one asynchronous standby`),
  },
  etcd: {
    ...{ clock: 'process', gapMs: 8000, ways: [] },
    faults: [
      { name: 'lose-leader', lastsMs: [0, 3000], times: 3 },
      { name: 'pause-leader', lastsMs: [1000, 3000], isPause: true },
    ],
    start: startThreeEtcds,
  },
} as const satisfies Record<string, SetUp>;

export type SetUpName = keyof typeof SET_UPS;
export const SET_UP_NAMES = Object.keys(SET_UPS) as SetUpName[];
