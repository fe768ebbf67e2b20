// `npm create kazahana` in every combination: each project is written by the packed package, checked by the compiler, and its
// own test is run against real servers; one of each framework is started and stopped. All share one folder of packages.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { CHOICES, type Choices, optionsOf, QUESTIONS } from '../../packages/create-kazahana/src/choices.ts';
import { root } from '../../scripts/run.ts';
import { ensureSystemPackage } from '../../scripts/system-packages.ts';
import { POSTGRES, postgresUrl, startPostgres } from '../services/postgres.ts';
import { REDIS, startRedis } from '../services/redis.ts';
import type { Skipped } from '../skipped.ts';
import { addressFrom, withServer } from './installed-server.ts';

const execute = promisify(execFile);

const namesOf = <Question extends keyof typeof CHOICES>(question: Question) =>
  Object.keys(CHOICES[question]) as Choices[Question][];

export interface Created {
  readonly folder: string;
  readonly choices: Choices;
}

/** What the projects depend on beside our packages, as `npm install` takes it. */
export function dependenciesOfProjects(): string[] {
  const choices = QUESTIONS.flatMap((question) => Object.values(optionsOf(question)));
  const all = choices.flatMap(({ dependencies, devDependencies }) =>
    Object.entries({ ...dependencies, ...devDependencies }),
  );
  const others = all.filter(([name]) => !name.startsWith('@kazahana/'));
  return [...new Set(others.map(([name, range]) => `${name}@${range}`))];
}

/** Writes a project for every combination, as a script does: by flags. */
export async function createProjects(folder: string): Promise<Created[]> {
  const created = namesOf('framework').flatMap((framework) =>
    namesOf('database').flatMap((database) =>
      namesOf('store').map((store) => ({
        folder: join(folder, `${framework}-${database}-${store}`),
        choices: { framework, database, store },
      })),
    ),
  );
  const calls = created.map(({ folder: target, choices }) => [
    target,
    ...QUESTIONS.flatMap((question) => [`--${question}`, choices[question]]),
  ]);
  // One process for all: each start of Node costs as much as writing ten projects.
  const main = JSON.stringify(join(folder, 'node_modules/create-kazahana/dist/main.js'));
  await writeFile(
    join(folder, 'create.mjs'),
    `import { main } from ${main};
for (const args of ${JSON.stringify(calls)}) if ((await main(args)) !== 0) process.exit(1);`,
  );
  await execute(process.execPath, ['create.mjs'], { cwd: folder });
  return created;
}

/** All of them in one run of the compiler, with the options that a project has. */
export async function checkTypesOfProjects(folder: string, created: readonly Created[]): Promise<string> {
  const [first] = created;
  const config = {
    extends: first && join(first.folder, 'tsconfig.json'),
    compilerOptions: { typeRoots: [join(root, 'node_modules/@types')] },
    include: created.flatMap((project) => ['src', 'test'].map((name) => join(project.folder, name))),
  };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config));
  await execute(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', folder]);
  return `${created.length} projects`;
}

/** A project warns when its IDs are not leased ones: then its store was not used. */
async function test({ folder }: Created, environment: NodeJS.ProcessEnv): Promise<void> {
  const { scripts } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as {
    scripts: { test: string };
  };
  const [, ...args] = scripts.test.split(' ');
  // In one process instead of two.
  args.push('--test-isolation=none');
  const { stdout, stderr } = await execute(process.execPath, args, {
    cwd: folder,
    env: { ...process.env, ...environment },
  });
  if (!/^# pass 12$|ℹ pass 12$/m.test(stdout) || /warning/i.test(stdout + stderr))
    throw new Error(`${folder}\n${stdout}\n${stderr}`);
}

/** `npm start`: makes a note, ends with 0 when it is told to. */
async function start({ folder }: Created, environment: NodeJS.ProcessEnv): Promise<void> {
  const child = spawn(process.execPath, ['--env-file=.env', 'src/main.ts'], {
    cwd: folder,
    env: { ...process.env, ...environment, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${await addressFrom(child)}/notes`, {
    method: 'POST',
    headers,
    body: '{"text":"tea"}',
  });
  child.kill('SIGTERM');
  const [code] = await ended;
  if (response.status !== 201 || code !== 0)
    throw new Error(`${folder}: ${response.status}, exit code ${code}`);
}

/** What is missing here to run the projects. */
export function missingServers(): Skipped[] {
  return [POSTGRES, REDIS].flatMap((program) => {
    const found = ensureSystemPackage(program);
    return found.path === null ? [{ name: `projects with ${program.debian}`, ...found }] : [];
  });
}

/** Runs the test of every project, two at a time, against real servers. */
export async function testProjects(folder: string, created: readonly Created[]): Promise<string> {
  const [postgres, redis] = await Promise.all([startPostgres(), startRedis(['--appendonly', 'yes'])]);
  try {
    await withServer(process.execPath, folder, 'memory:', async (url) => {
      const environment = {
        DATABASE_URL: postgresUrl(postgres),
        REDIS_URL: `redis://127.0.0.1:${redis.port}`,
        KAZAHANA_URL: url,
      };
      const queue = [...created];
      const work = async () => {
        for (let next = queue.shift(); next; next = queue.shift()) await test(next, environment);
      };
      await Promise.all([work(), work()]);
      const started = created.filter(
        ({ choices }) => choices.database === 'sqlite' && choices.store === 'sqlite',
      );
      await Promise.all(started.map((project) => start(project, environment)));
    });
  } finally {
    await Promise.all([postgres.dispose(), redis.dispose()]);
  }
  return `${created.length} projects, 12 tests each`;
}
