// `npm create kazahana` as people and scripts call it; that what it writes runs is shown in tests/package.
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packageName } from '../../packages/create-kazahana/src/main.ts';
import { root } from '../../scripts/run.ts';
import { atTerminal, hasTerminal } from './pseudo-terminal.ts';
import { createSandbox, type Sandbox } from './sandbox.ts';

const program = join(root, 'packages/create-kazahana/bin/create-kazahana.js');
const DOWN = '\u001b[B';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await createSandbox();
});
afterAll(() => sandbox.dispose());

const inSandbox = (...path: string[]) => join(sandbox.folder, ...path);
const manifestOf = (folder: string) =>
  JSON.parse(readFileSync(inSandbox(folder, 'package.json'), 'utf8')) as {
    name: string;
    scripts: Record<string, string>;
    dependencies: Record<string, string>;
  };

/** Without a terminal. */
const create = (...args: string[]) =>
  new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    const child = execFile(
      process.execPath,
      [program, ...args],
      { cwd: sandbox.folder, env: sandbox.environment },
      (_error, stdout, stderr) => resolve({ code: child.exitCode ?? -1, stdout, stderr }),
    );
    child.stdin?.end();
  });

describe('from a script', () => {
  it('writes what the flags say, and prints the next steps', async () => {
    const { code, stdout } = await create(
      'shop',
      '--framework=fastify',
      '--database=postgres',
      '--store=server',
    );
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /cd shop\n\s+npm install\n\s+docker compose up --detach\n\s+npm run ids .*\n\s+npm test\n/,
    );
    const { name, dependencies, scripts } = manifestOf('shop');
    expect(name).toBe('shop');
    expect(Object.keys(dependencies)).toEqual(['fastify', 'kazahana', 'pg']);
    expect(scripts.ids).toBe('kazahana serve');
    expect(readdirSync(inSandbox('shop')).sort()).toEqual(
      [
        '.env',
        '.env.example',
        '.gitignore',
        'README.md',
        'compose.yaml',
        'package.json',
        'src',
        'test',
        'tsconfig.json',
      ].sort(),
    );
  });

  it('gives each project a secret of its own, which git and other users do not see', async () => {
    await create('one', '--yes');
    await create('two', '--yes');
    const secretOf = (folder: string) =>
      /SECRET=(.*)/.exec(readFileSync(inSandbox(folder, '.env'), 'utf8'))?.[1];
    expect(secretOf('one')).toMatch(/^[\w-]{43}$/);
    expect(secretOf('one')).not.toBe(secretOf('two'));
    expect(readFileSync(inSandbox('one', '.env.example'), 'utf8')).toContain('SECRET=\n');
    expect(readFileSync(inSandbox('one', '.gitignore'), 'utf8').split('\n')).toContain('.env');
    expect(statSync(inSandbox('one', '.env')).mode & 0o077).toBe(0);
  });

  it('takes an empty folder, and refuses one that is not', async () => {
    mkdirSync(inSandbox('empty'));
    expect((await create('empty', '--yes')).code).toBe(0);
    mkdirSync(inSandbox('full'));
    writeFileSync(inSandbox('full', 'thesis.txt'), 'mine');
    const { code, stderr } = await create('full', '--yes');
    expect(code).toBe(2);
    expect(stderr).toBe(
      'create-kazahana: the folder full must be empty or new; there is "thesis.txt" in it\n',
    );
    expect(readdirSync(inSandbox('full'))).toEqual(['thesis.txt']);
  });

  it.each([
    [
      ['x', '--framework', 'rails', '--yes'],
      '--framework must be one of hono, express, fastify, none, got "rails"',
    ],
    [
      ['x', '--store', 'constructor', '--yes'],
      '--store must be one of sqlite, server, postgres, redis, got "constructor"',
    ],
    [['x', '--databse', 'none'], "Unknown option '--databse'"],
    [['x', 'y', '--yes'], 'one folder, got 2'],
    [['x'], 'no terminal to ask at: name the folder and say --framework, --database, --store, or --yes'],
  ])('refuses %j', async (args, message) => {
    const { code, stderr } = await create(...args);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
    expect(existsSync(inSandbox('x'))).toBe(false);
  });
});

describe.skipIf(!hasTerminal)('at a terminal', () => {
  it('asks for the folder, framework, database and store', async () => {
    const session = atTerminal(sandbox, [], { program });
    await session.shows(/Folder/);
    session.type('by-questions\r');
    await session.shows(/Framework/);
    session.type(`${DOWN}\r`);
    await session.shows(/Database/);
    session.type('\r');
    await session.shows(/lease its machine ID/);
    session.type(`${DOWN}${DOWN}${DOWN}\r`);
    expect(await session.ended).toBe(0);
    expect(Object.keys(manifestOf('by-questions').dependencies)).toEqual([
      '@kazahana/redis',
      '@redis/client',
      'express',
      'kazahana',
    ]);
  });

  it('asks only for what is not said, and writes nothing after Ctrl-C', async () => {
    const session = atTerminal(sandbox, ['left', '--framework', 'hono', '--database', 'none'], { program });
    await session.shows(/lease its machine ID/);
    expect(session.output).not.toMatch(/Folder|Framework/);
    session.type('\u0003');
    await session.ended;
    expect(session.output).toContain('Nothing was written.');
    expect(existsSync(inSandbox('left'))).toBe(false);
  });
});

describe('the name of the package', () => {
  it.each([
    ['shop', 'shop'],
    ['My Shop!', 'my-shop'],
    ['a/b/Notes_2', 'notes_2'],
    ['風花', 'kazahana-app'],
    ['.hidden', 'hidden'],
  ])('of a folder %s is %s', (folder, name) => {
    expect(packageName(folder)).toBe(name);
  });
});
