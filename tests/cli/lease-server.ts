// A lease server of the command's own, on a free port, with its leases in memory.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HttpLeaseProvider } from 'kazahana';
import { dataFolder, freePort, Service } from '../services/process.ts';
import { program } from './sandbox.ts';

export interface LeaseServer {
  readonly url: string;
  /** Takes one lease and keeps it. */
  acquire(
    serviceId: string,
    meta?: Readonly<Record<string, string>>,
    throughputPerMs?: number,
  ): Promise<number>;
  stop(): Promise<void>;
  start(): Promise<void>;
  dispose(): Promise<void>;
}

export async function startLeaseServer(config: object = {}): Promise<LeaseServer> {
  const port = await freePort();
  const folder = await dataFolder('cli-server');
  const file = join(folder, 'config.json');
  writeFileSync(file, JSON.stringify(config));
  const url = `http://127.0.0.1:${port}`;
  const service = new Service({
    name: 'kazahana serve',
    port,
    folder,
    command: process.execPath,
    args: [program, 'serve', '--port', String(port), '--store', 'memory:', '--config', file],
    isReady: async () => (await fetch(`${url}/readyz`)).ok,
  });
  await service.start();
  const provider = new HttpLeaseProvider(url);
  return {
    url,
    async acquire(serviceId, meta = {}, throughputPerMs = 1) {
      const { leases } = await provider.acquire({ serviceId, throughputPerMs, meta });
      return leases.length;
    },
    stop: () => service.stop(),
    start: async () => {
      await service.start();
    },
    dispose: () => service.dispose(),
  };
}
