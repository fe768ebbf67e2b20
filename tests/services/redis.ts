// Real Redis servers for tests: one, one with replicas, guarded by Sentinels, or a Cluster.
import { writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import type { SystemPackage } from '../../scripts/system-packages.ts';
import { dataFolder, freePort, programPath, Service } from './process.ts';

export const REDIS: SystemPackage = {
  commands: ['redis-server'],
  override: 'KAZAHANA_REDIS_SERVER',
  debian: 'redis-server',
};

/** The response to a command, as it comes over the wire; good for responses of one packet. */
export function askRedis(port: number, command: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(`${command}\r\n`));
    const fail = (reason: string) => {
      socket.destroy();
      reject(new Error(`Redis on port ${port}: ${command}: ${reason}`));
    };
    socket.setTimeout(1000, () => fail('no response'));
    socket.on('data', (data) => {
      const response = data.toString();
      if (response.startsWith('-')) return fail(response.trim());
      socket.destroy();
      resolve(response);
    });
    socket.on('error', ({ message }) => fail(message));
    // A server that ends may close the connection without a word.
    socket.on('close', () => fail('the connection was closed'));
  });
}

/** Whether a Redis responds on a port. */
export async function respondsToPing(port: number): Promise<boolean> {
  return (await askRedis(port, 'PING')).startsWith('+PONG');
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds().catch(() => false))) await new Promise((resolve) => setTimeout(resolve, 20));
}

export const KEEPS_NOTHING = ['--save', '', '--appendonly', 'no'] as const;

async function startServer(settingsFor: (folder: string) => Promise<readonly string[]>): Promise<Service> {
  const [port, folder] = [await freePort(), await dataFolder('redis')];
  return new Service({
    name: 'redis-server',
    port,
    folder,
    command: programPath(REDIS),
    args: [
      // Where there is a file with settings, its name comes first.
      ...(await settingsFor(folder)),
      ...['--port', String(port), '--bind', '127.0.0.1', '--dir', folder],
      // Replicas do not wait for others to come along, nor servers that end for replicas that lag.
      ...['--repl-diskless-sync-delay', '0', '--shutdown-timeout', '0'],
    ],
    isReady: () => respondsToPing(port),
  }).start();
}

/** A Redis with these settings (`['--appendonly', 'yes']`); keeps nothing on disk when none are given. */
export function startRedis(settings: readonly string[] = KEEPS_NOTHING): Promise<Service> {
  return startServer(async () => settings);
}

/** A replica that has all that its master has. */
export async function startRedisReplica(
  master: Service,
  settings: readonly string[] = KEEPS_NOTHING,
): Promise<Service> {
  const replica = await startRedis(settings);
  // Said when it runs, it connects at once; as a setting, up to a second later.
  await askRedis(replica.port, `REPLICAOF 127.0.0.1 ${master.port}`);
  // Not before the master says so does it send what is written from then on.
  const isOnline = `port=${replica.port},state=online`;
  await until(async () => (await askRedis(master.port, 'INFO replication')).includes(isOnline));
  return replica;
}

/** What Sentinels call the master. */
export const SENTINEL_MASTER = 'kazahana';

/** Sentinels that make a replica the master soon after the master is gone. */
export async function startSentinels(master: Service, replicas: number, count = 3): Promise<Service[]> {
  const start = () =>
    startServer(async (folder) => {
      const file = join(folder, 'sentinel.conf');
      const settings = [
        `monitor ${SENTINEL_MASTER} 127.0.0.1 ${master.port} ${Math.floor(count / 2) + 1}`,
        `down-after-milliseconds ${SENTINEL_MASTER} 500`,
        `failover-timeout ${SENTINEL_MASTER} 2000`,
        `parallel-syncs ${SENTINEL_MASTER} 5`,
      ];
      await writeFile(file, settings.map((setting) => `sentinel ${setting}\n`).join(''));
      return [file, '--sentinel'];
    });
  const sentinels = await Promise.all(Array.from({ length: count }, start));
  // They find each other, and the replicas, through the master.
  await Promise.all(
    sentinels.map(({ port }) =>
      until(async () => {
        const info = await askRedis(port, 'INFO sentinel');
        return info.includes(`slaves=${replicas},sentinels=${count}`);
      }),
    ),
  );
  return sentinels;
}

const CLUSTER_SLOTS = 16_384;

/** A Cluster of three masters, each with a replica, in that order: masters, then replicas. */
export async function startRedisCluster(settings: readonly string[] = KEEPS_NOTHING): Promise<Service[]> {
  const masters = 3;
  const nodes = await Promise.all(
    Array.from({ length: 2 * masters }, () =>
      startServer(async () => [
        ...settings,
        ...['--cluster-enabled', 'yes', '--cluster-node-timeout', '1000'],
        // Nodes talk to each other on a second port; left to itself that is 10,000 higher, and may not exist.
        ...['--cluster-port', String(await freePort())],
      ]),
    ),
  );
  const idOf = async ({ port }: Service) => (await askRedis(port, 'CLUSTER MYID')).split('\r\n')[1] ?? '';
  await Promise.all(
    nodes.slice(0, masters).map(({ port }, at) => {
      const first = Math.floor((at * CLUSTER_SLOTS) / masters);
      const end = Math.floor(((at + 1) * CLUSTER_SLOTS) / masters);
      return askRedis(port, `CLUSTER ADDSLOTSRANGE ${first} ${end - 1}`);
    }),
  );
  await Promise.all(nodes.map(({ port }, at) => askRedis(port, `CLUSTER SET-CONFIG-EPOCH ${at + 1}`)));
  for (const { port, busPort } of await Promise.all(nodes.slice(1).map(addressOf))) {
    for (const node of nodes) await askRedis(node.port, `CLUSTER MEET 127.0.0.1 ${port} ${busPort}`);
  }
  await Promise.all(
    nodes.slice(masters).map(async (replica, at) => {
      const master = await idOf(nodes[at] as Service);
      await until(async () =>
        (await askRedis(replica.port, `CLUSTER REPLICATE ${master}`)).startsWith('+OK'),
      );
    }),
  );
  await Promise.all(
    nodes.map(({ port }) =>
      until(async () => {
        const [info, role] = [await askRedis(port, 'CLUSTER INFO'), await askRedis(port, 'CLUSTER NODES')];
        const replicas = role.split('\n').filter((line) => line.includes('slave')).length;
        return info.includes('cluster_state:ok') && replicas === masters;
      }),
    ),
  );
  return nodes;
}

async function addressOf({ port }: Service): Promise<{ port: number; busPort: number }> {
  const [, line = ''] = (await askRedis(port, 'CLUSTER NODES')).split('\r\n');
  return { port, busPort: Number(/@(\d+)/.exec(line)?.[1]) };
}
