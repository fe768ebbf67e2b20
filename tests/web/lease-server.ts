// A lease server as users start it: `kazahana serve`, in a process of its own, on a free port, with its pool on disk.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../../scripts/run.ts';
import { dataFolder, freePort, Service } from '../services/process.ts';

export interface LeaseServer {
  readonly service: Service;
  readonly url: string;
}

export async function serveLeases(configuration: object): Promise<LeaseServer> {
  const [port, folder] = await Promise.all([freePort(), dataFolder('page')]);
  const config = join(folder, 'kazahana.json');
  await writeFile(config, JSON.stringify(configuration));
  const url = `http://127.0.0.1:${port}`;
  const service = new Service({
    name: 'kazahana serve',
    port,
    folder,
    command: process.execPath,
    args: [
      join(root, 'packages', 'cli', 'bin', 'kazahana.cjs'),
      ...[
        'serve',
        '--port',
        String(port),
        '--store',
        `sqlite:${join(folder, 'pool.db')}`,
        '--config',
        config,
      ],
    ],
    isReady: async () => (await fetch(`${url}/readyz`)).ok,
  });
  return { service: await service.start(), url };
}
