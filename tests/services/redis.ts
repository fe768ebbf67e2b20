// Real Redis servers for tests.
import { connect } from 'node:net';
import type { SystemPackage } from '../../scripts/system-packages.ts';
import { dataFolder, freePort, programPath, Service } from './process.ts';

export const REDIS: SystemPackage = {
  commands: ['redis-server'],
  override: 'KAZAHANA_REDIS_SERVER',
  debian: 'redis-server',
};

/** Whether a Redis answers on a port. */
export function answersPing(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write('PING\r\n'));
    const end = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(1000, () => end(false));
    socket.on('data', (data) => end(data.toString().startsWith('+PONG')));
    socket.on('error', () => end(false));
  });
}

/** A Redis with these settings (`['--appendonly', 'yes']`); keeps nothing on disk when none are given. */
export async function startRedis(
  settings: readonly string[] = ['--save', '', '--appendonly', 'no'],
): Promise<Service> {
  const port = await freePort();
  const folder = await dataFolder('redis');
  const service = new Service({
    name: 'redis-server',
    port,
    folder,
    command: programPath(REDIS),
    args: ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, ...settings],
    isReady: () => answersPing(port),
  });
  return service.start();
}
