// A real MariaDB for tests, which speaks MySQL's protocol. It has no users: every client is root.
import { connect } from 'node:net';
import type { SystemPackage } from '../../scripts/system-packages.ts';
import { dataFolder, freePort, programPath, Service } from './process.ts';

export const MARIADB: SystemPackage = {
  commands: ['mariadbd'],
  paths: ['/usr/sbin/mariadbd'],
  override: 'KAZAHANA_MARIADBD',
  // The server's programs alone: the package `mariadb-server` would also start one.
  debian: 'mariadb-server-core',
};

/** A MySQL server greets every client. */
function greets(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const end = (isUp: boolean) => {
      socket.destroy();
      resolve(isUp);
    };
    socket.setTimeout(1000, () => end(false));
    socket.on('data', () => end(true));
    socket.on('error', () => end(false));
  });
}

/** A fresh MariaDB; the tables of its users are missing, and not looked at. */
export async function startMariaDb(): Promise<Service> {
  const [port, folder] = [await freePort(), await dataFolder('mariadb')];
  return new Service({
    name: 'mariadbd',
    port,
    folder,
    command: programPath(MARIADB),
    args: [
      ...['--no-defaults', `--datadir=${folder}`, `--port=${port}`, '--bind-address=127.0.0.1'],
      ...[`--socket=${folder}/socket`, '--skip-grant-tables', '--user=root'],
      // Quick to start, and nothing needs to outlive it.
      ...['--innodb-log-file-size=4M', '--innodb-flush-log-at-trx-commit=0'],
    ],
    isReady: () => greets(port),
  }).start();
}
