// Real PostgreSQL servers for tests. PostgreSQL refuses to run as root, so there it runs as its own user.
import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';
import pg from 'pg';
import type { SystemPackage } from '../../scripts/system-packages.ts';
import { dataFolder, freePort, pause, programPath, Service } from './process.ts';

/** Debian keeps every version apart, and none of them on the PATH. */
const DEBIAN_ROOT = '/usr/lib/postgresql';
const versions = () => (existsSync(DEBIAN_ROOT) ? readdirSync(DEBIAN_ROOT) : ['15']);

export const POSTGRES: SystemPackage = {
  commands: ['postgres'],
  get paths() {
    const newestFirst = versions().sort((a, b) => Number(b) - Number(a));
    return newestFirst.map((version) => join(DEBIAN_ROOT, version, 'bin', 'postgres'));
  },
  override: 'KAZAHANA_POSTGRES',
  debian: 'postgresql',
};

/** The user that a test's PostgreSQL runs as when the tests run as root. */
const SERVER_USER = 'postgres';
const isRoot = process.getuid?.() === 0;
/** The command line that runs a program as that user. */
export const asServerUser = (...line: string[]): string[] =>
  isRoot
    ? ['setpriv', `--reuid=${SERVER_USER}`, `--regid=${SERVER_USER}`, '--clear-groups', '--', ...line]
    : line;

const idOf = (flag: '-u' | '-g') => Number(execFileSync('id', [flag, SERVER_USER], { encoding: 'utf8' }));

function runAsServerUser(...line: string[]): void {
  const [command = '', ...args] = asServerUser(...line);
  execFileSync(command, args, { stdio: ['ignore', 'ignore', 'pipe'] });
}

/** Whether a PostgreSQL takes connections: it responds to a request for TLS with one letter, and nothing while it starts. */
function takesConnections(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const startup = Buffer.concat([
      Buffer.from([0, 3, 0, 0]),
      Buffer.from('user\0postgres\0database\0postgres\0\0'),
    ]);
    const length = Buffer.alloc(4);
    length.writeInt32BE(startup.length + 4);
    const socket = connect(port, '127.0.0.1', () => socket.write(Buffer.concat([length, startup])));
    const end = (isUp: boolean) => {
      socket.destroy();
      resolve(isUp);
    };
    socket.setTimeout(2000, () => end(false));
    // 'R' asks for authentication or says that it is fine; 'E' is an error, "the database system is starting up".
    socket.on('data', (data) => end(data[0] === 'R'.charCodeAt(0)));
    socket.on('error', () => end(false));
    socket.on('close', () => end(false));
  });
}

/** A PostgreSQL on a folder that has a database cluster in it. */
export async function startPostgresOn(folder: string, settings: readonly string[] = []): Promise<Service> {
  const port = await freePort();
  const [command = '', ...args] = asServerUser(
    programPath(POSTGRES),
    ...['-D', folder, '-p', String(port), '-k', folder, '-c', 'listen_addresses=127.0.0.1'],
    // Tests open many connections.
    ...['-c', 'max_connections=300', ...settings.flatMap((setting) => ['-c', setting])],
  );
  const service = new Service({
    name: 'postgres',
    port,
    folder,
    command,
    args,
    isReady: () => takesConnections(port),
    // Fast shutdown: do not wait for clients.
    stopSignal: 'SIGINT',
  });
  return service.start();
}

/** A folder that only the server's user may read, as PostgreSQL wants it. */
async function serverFolder(): Promise<string> {
  const folder = await dataFolder('postgres');
  if (isRoot) chownSync(folder, idOf('-u'), idOf('-g'));
  chmodSync(folder, 0o700);
  return folder;
}

/** A fresh PostgreSQL; `settings` are like `synchronous_commit=off`. Its superuser is `postgres`, without password. */
export async function startPostgres(settings: readonly string[] = []): Promise<Service> {
  const folder = await serverFolder();
  const initdb = join(dirname(programPath(POSTGRES)), 'initdb');
  runAsServerUser(
    initdb,
    '-D',
    folder,
    '-U',
    'postgres',
    '-A',
    'trust',
    '--no-sync',
    '-E',
    'UTF8',
    '--locale=C',
  );
  return startPostgresOn(folder, settings);
}

/** How clients reach it. */
export const postgresUrl = ({ port }: Service, database = 'postgres'): string =>
  `postgres://postgres@127.0.0.1:${port}/${database}`;

/** Connections to it. They may end with the server, whenever a test wants that: who uses one next hears of it. */
export function connectPostgres(address: string, config: pg.PoolConfig = {}): pg.Pool {
  const pool = new pg.Pool({ connectionString: address, max: 10, ...config });
  pool.on('error', () => {});
  return pool;
}

/** Sends a signal to every process that the server has started; tells which these are. */
function signalChildren({ folder }: Service, signal: NodeJS.Signals): number[] {
  const [first = ''] = readFileSync(join(folder, 'postmaster.pid'), 'utf8').split('\n');
  const processes = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => line.trim().split(/\s+/));
  const children = processes.filter(([, parent]) => parent === first).map(([pid]) => Number(pid));
  for (const pid of children) {
    try {
      process.kill(pid, signal);
    } catch {
      // It has noticed that its parent is gone.
    }
  }
  return children;
}

/** Whether one of these processes still runs. One that has ended may stay in the list, as a zombie. */
function isAnyRunning(pids: readonly number[]): boolean {
  try {
    const states = execFileSync('ps', ['-o', 'stat=', '-p', pids.join()], { encoding: 'utf8' });
    return states.split('\n').some((state) => /^[^Z]/.test(state.trim()));
  } catch {
    // There is none.
    return false;
  }
}

/** Kills the server and every process that it has started, all at once as far as they can tell; as a crash would. */
export async function killPostgres(service: Service): Promise<void> {
  // The parent first: it would see to its children. They keep its memory from being made anew until they are gone.
  service.signal('SIGSTOP');
  const children = signalChildren(service, 'SIGKILL');
  await service.kill();
  // A busy machine takes its time to end them, and the next server would find the memory in use.
  while (isAnyRunning(children)) await pause(20);
}

/** Stops all processes of the server in their tracks, as a machine that hangs; SIGCONT goes on. */
export function signalPostgres(service: Service, signal: 'SIGSTOP' | 'SIGCONT'): void {
  service.signal(signal);
  signalChildren(service, signal);
}

/** A copy of the data of a server that is stopped, as a backup has it; `startPostgresOn` starts another on it. */
export async function copyPostgres({ folder }: Service): Promise<string> {
  const copy = await serverFolder();
  runAsServerUser('cp', '-a', `${folder}/.`, copy);
  return copy;
}
