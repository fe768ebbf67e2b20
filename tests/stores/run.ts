// Runs the tests of the stores against real servers. Programs that are missing are installed where that is possible;
// a store whose server cannot be had is skipped, loudly. The exit code tells.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { root } from '../../scripts/run.ts';
import { ensureSystemPackage, type SystemPackage } from '../../scripts/system-packages.ts';
import { ETCD } from '../services/etcd.ts';
import { POSTGRES } from '../services/postgres.ts';
import { REDIS } from '../services/redis.ts';
import { reportSkipped, type Skipped } from '../skipped.ts';

const SERVERS: Readonly<Record<string, SystemPackage>> = { redis: REDIS, postgres: POSTGRES, etcd: ETCD };

const skipped: Skipped[] = [];
for (const [store, program] of Object.entries(SERVERS)) {
  const found = ensureSystemPackage(program);
  if (found.path === null) skipped.push({ name: `the ${store} store`, ...found });
}
// The tests that drive all stores at once need every server.
const excluded = skipped.length === 0 ? [] : ['tests/stores/**'];
for (const { name } of skipped) excluded.push(`packages/${name.split(' ')[1]}/**`);

const vitest = spawn(
  process.execPath,
  [
    join(root, 'node_modules', 'vitest', 'vitest.mjs'),
    ...['run', '--project', 'stores', ...excluded.flatMap((path) => ['--exclude', path])],
    ...process.argv.slice(2),
  ],
  { cwd: root, stdio: 'inherit' },
);
const code = await new Promise<number>((resolve) => vitest.on('exit', (status) => resolve(status ?? 1)));
process.exitCode = reportSkipped(skipped) ? code : 1;
