// Real etcd servers for tests: one, or a cluster.
import type { SystemPackage } from '../../scripts/system-packages.ts';
import { dataFolder, freePort, programPath, Service } from './process.ts';

export const ETCD: SystemPackage = {
  commands: ['etcd'],
  override: 'KAZAHANA_ETCD',
  debian: 'etcd-server',
};

const urlOf = (port: number) => `http://127.0.0.1:${port}`;

async function isHealthy(port: number): Promise<boolean> {
  const response = await fetch(`${urlOf(port)}/health`, { signal: AbortSignal.timeout(1000) });
  return ((await response.json()) as { health?: unknown }).health === 'true';
}

/** The members of an etcd cluster, all healthy; `settings` are further flags for each of them. */
export async function startEtcdCluster(size: number, settings: readonly string[] = []): Promise<Service[]> {
  const members = await Promise.all(
    Array.from({ length: size }, async (_, index) => ({
      name: `member${index}`,
      port: await freePort(),
      peerPort: await freePort(),
      folder: await dataFolder('etcd'),
    })),
  );
  const cluster = members.map(({ name, peerPort }) => `${name}=${urlOf(peerPort)}`).join(',');
  const services = members.map(
    ({ name, port, peerPort, folder }) =>
      new Service({
        name: 'etcd',
        port,
        folder,
        command: programPath(ETCD),
        args: [
          ...['--name', name, '--data-dir', folder, '--logger', 'zap', '--log-level', 'error'],
          ...['--listen-client-urls', urlOf(port), '--advertise-client-urls', urlOf(port)],
          ...['--listen-peer-urls', urlOf(peerPort), '--initial-advertise-peer-urls', urlOf(peerPort)],
          ...['--initial-cluster', cluster, '--initial-cluster-state', 'new'],
          ...['--heartbeat-interval', '50', '--election-timeout', '500'],
          ...settings,
        ],
        isReady: () => isHealthy(port),
      }),
  );
  return Promise.all(services.map((service) => service.start()));
}

export async function startEtcd(
  settings: readonly string[] = ['--auto-compaction-retention', '1'],
): Promise<Service> {
  const [service] = await startEtcdCluster(1, settings);
  if (!service) throw new Error('a cluster of one has a member');
  return service;
}
