// Runs the examples as their package.json and their first lines say, against real databases.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PostgresLeaseProvider } from '@kazahana/postgres';
import { SqliteLeaseProvider } from '@kazahana/sqlite';
import type { LeaseInspector } from 'kazahana/lease';
import pg from 'pg';
import { addressFrom } from '../package/installed-server.ts';
import { postgresUrl } from '../services/postgres.ts';
import type { Service } from '../services/process.ts';
import { checkOrders, ORDER_SECRET } from './order-service.ts';
import { checkOrdersPage } from './orders-page.ts';
import type { Project } from './project.ts';

interface Manifest {
  readonly scripts: { readonly start: string };
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

const readManifest = (folder: string) =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
const isOurs = (name: string) => /^(@kazahana\/|kazahana$)/.test(name);

/** The examples that are folders; each serves orders. */
export function serviceExamples({ folder }: Project): string[] {
  return readdirSync(folder).filter(
    (name) => name !== 'node_modules' && existsSync(join(folder, name, 'package.json')),
  );
}

/** A copied folder must install by itself: it declares what it imports, in the versions that are tried here. */
export function checkManifest(project: Project, name: string): void {
  const folder = join(project.folder, name);
  const { dependencies, devDependencies } = readManifest(folder);
  const declared = { ...dependencies, ...devDependencies };
  const tried = readManifest(project.folder);
  const versions: Record<string, string> = { ...tried.dependencies, ...tried.devDependencies };
  for (const [dependency, range] of Object.entries(declared)) {
    assert.equal(range, isOurs(dependency) ? 'latest' : versions[dependency], `the version of ${dependency}`);
  }
  for (const file of globSync('{.,src}/*.{ts,tsx}', { cwd: folder })) {
    const text = readFileSync(join(folder, file), 'utf8');
    for (const [, specifier = ''] of text.matchAll(/ from '([^.'][^']*)'/g)) {
      if (specifier.startsWith('node:')) continue;
      const dependency = specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
      assert.ok(Object.hasOwn(declared, dependency), `${file} imports ${dependency}, which is not declared`);
    }
  }
}

/** The database of one example, the variables that name it, and the leases beside it. */
interface Place {
  readonly environment: Readonly<Record<string, string>>;
  withLeases<Result>(use: (leases: LeaseInspector) => Promise<Result>): Promise<Result>;
}

async function postgresPlace(service: Service, name: string): Promise<Place> {
  const database = name.replaceAll('-', '_');
  const admin = new pg.Pool({ connectionString: postgresUrl(service) });
  await admin.query(`CREATE DATABASE ${database}`);
  await admin.end();
  const connectionString = postgresUrl(service, database);
  return {
    environment: { DATABASE_URL: connectionString },
    async withLeases(use) {
      const pool = new pg.Pool({ connectionString });
      try {
        return await use(new PostgresLeaseProvider(pool));
      } finally {
        await pool.end();
      }
    },
  };
}

function sqlitePlace(folder: string): Place {
  const DATABASE = join(folder, 'orders.db');
  return {
    environment: { DATABASE },
    async withLeases(use) {
      await using provider = new SqliteLeaseProvider({ path: `${DATABASE}.leases` });
      return await use(provider);
    },
  };
}

/** Runs an example from `npm start` to SIGTERM: its service does what it must, and its lease is released. */
export async function runService(project: Project, name: string, postgres: Service): Promise<void> {
  const cwd = join(project.folder, name);
  const { scripts, dependencies } = readManifest(cwd);
  const steps = scripts.start.split(' && ').map((step) => step.split(' '));
  const [command = '', ...args] = steps.pop() ?? [];
  for (const [tool = '', ...rest] of steps) {
    const { code, output } = await project.run(tool, rest, cwd);
    assert.equal(code, 0, `${tool} ${rest.join(' ')}:\n${output}`);
  }

  const usesPostgres = Object.hasOwn(dependencies, 'pg');
  const place = usesPostgres ? await postgresPlace(postgres, name) : sqlitePlace(cwd);
  const child = spawn(command, args, {
    cwd,
    env: { ...project.environment(), ...place.environment, ORDER_SECRET, PORT: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'close');
  let complaints = '';
  child.stderr.on('data', (chunk) => {
    complaints += chunk;
  });
  try {
    const url = await addressFrom(child).catch((error) => {
      throw new Error(`${error}\n${complaints}`);
    });
    const hasPage = existsSync(join(cwd, 'index.html'));
    await checkOrders(`${url}${hasPage ? '/api' : ''}/orders`);
    if (hasPage) await checkOrdersPage(url);
    const held = await place.withLeases((leases) => leases.inspectPool());
    assert.equal(held.held, 1, 'the program holds no lease');
    child.kill('SIGTERM');
    const [code, signal] = (await ended) as [number | null, string | null];
    // NestJS ends itself by the signal, after its hooks.
    assert.equal(signal ?? code, signal === null ? 0 : 'SIGTERM', `it ended with ${code}:\n${complaints}`);
    assert.equal(complaints, '', 'it complained');
    const released = await place.withLeases((leases) => leases.listLeases());
    assert.deepEqual(released, [], 'the lease was not released');
  } finally {
    child.kill('SIGKILL');
  }
}
