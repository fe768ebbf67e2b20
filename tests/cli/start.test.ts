// How the command starts: on a Node that is too old, in a clone that is not built, and by `npx`.
import { execFileSync, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { transform } from 'esbuild';
import { afterAll, describe, expect, it } from 'vitest';
import { root } from '../../scripts/run.ts';
import { dataFolder } from '../services/process.ts';
import { program } from './sandbox.ts';

const folder = await dataFolder('cli-start');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function run(command: string, args: readonly string[], cwd = folder): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd });
    const said = { stdout: '', stderr: '' };
    child.stdout.on('data', (text) => {
      said.stdout += text;
    });
    child.stderr.on('data', (text) => {
      said.stderr += text;
    });
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, ...said }));
  });
}

const source = readFileSync(program, 'utf8');
const { engines } = JSON.parse(readFileSync(join(root, 'packages/cli/package.json'), 'utf8'));
const TOO_OLD = (version: string) => `kazahana needs Node 22.14 or later; this is ${version}.\n`;

describe('a Node that is too old', () => {
  /** Says that it is another version, before all else. */
  const pretend = (version: string) => {
    const file = join(folder, `${version}.cjs`);
    writeFileSync(
      file,
      `Object.defineProperty(process, 'version', { value: 'v${version}' });
       Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } });`,
    );
    return run(process.execPath, ['--require', file, program, 'version']);
  };

  it.each(['12.22.12', '18.20.0', '20.19.0', '22.13.1'])(
    '%s gets one sentence, and exit code 2',
    async (version) => {
      expect(await pretend(version)).toEqual({ code: 2, stdout: '', stderr: TOO_OLD(`v${version}`) });
    },
  );

  it.each(['22.14.0', '22.20.0', '23.0.0', '26.1.0'])('%s is none', async (version) => {
    expect(await pretend(version)).toMatchObject({ code: 0, stderr: '' });
  });

  it('is older than the package says', () => expect(engines.node).toBe('>=22.14'));

  it('can read the file that tells it: no syntax younger than Node 12', async () => {
    const [old, young] = await Promise.all(
      ['node12', 'esnext'].map((target) =>
        transform(source, { target, format: 'cjs', supported: { 'dynamic-import': true } }),
      ),
    );
    expect(old?.code).toBe(young?.code);
  });

  /** A real one, where the machine or the tests of runtimes have one. */
  const candidates = ['/usr/bin/node', join(root, 'tests/runtimes/node_modules/node-v20/bin/node')];
  const old = candidates.filter(existsSync).find((path) => {
    const [major = 0, minor = 0] = execFileSync(path, ['-p', 'process.versions.node'], { encoding: 'utf8' })
      .split('.')
      .map(Number);
    return major < 22 || (major === 22 && minor < 14);
  });

  it.skipIf(old === undefined)(`really: ${old}`, async () => {
    const { code, stdout, stderr } = await run(old ?? '', [program, 'uuid']);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^kazahana needs Node 22\.14 or later; this is v\d+\.\d+\.\d+\.\n$/);
  });
});

describe('in a clone', () => {
  it('the file that the command names is there before anything is built', () => {
    const { bin, files } = JSON.parse(readFileSync(join(root, 'packages/cli/package.json'), 'utf8'));
    expect(join(root, 'packages/cli', bin.kazahana)).toBe(program);
    expect(files).toContain('bin');
    expect(execFileSync('git', ['ls-files', '--stage', program], { cwd: root, encoding: 'utf8' })).toMatch(
      /^100755 /,
    );
  });

  it('npx kazahana runs it, on the Node of the repository', async () => {
    const { code, stdout } = await run(
      'npx',
      ['--no-install', 'kazahana', 'uuid', '--max', '0000000000000'],
      root,
    );
    expect([code, stdout]).toEqual([0, '00000000-0000-7fff-bfff-ffffffffffff\n']);
  });

  it('what is not built is built first, and says so on stderr', async () => {
    const clone = join(folder, 'clone');
    mkdirSync(join(clone, 'packages/cli/bin'), { recursive: true });
    mkdirSync(join(clone, 'scripts'));
    cpSync(program, join(clone, 'packages/cli/bin/kazahana.cjs'));
    writeFileSync(join(clone, 'scripts/build.ts'), '');
    // The build of the repository has its own tests: every check begins with it.
    writeFileSync(
      join(clone, 'scripts/bootstrap.mjs'),
      `import { mkdirSync, writeFileSync } from 'node:fs';
       console.log('talk of the build');
       mkdirSync('packages/cli/dist');
       writeFileSync('packages/cli/package.json', '{"type":"module"}');
       writeFileSync('packages/cli/dist/main.js', 'console.log("built: " + process.argv.slice(2))');`,
    );
    const start = () => run(process.execPath, [join(clone, 'packages/cli/bin/kazahana.cjs'), 'uuid'], clone);
    expect(await start()).toEqual({
      code: 0,
      stdout: 'built: uuid\n',
      stderr: 'Building kazahana (once) …\ntalk of the build\n',
    });
    expect(await start()).toEqual({ code: 0, stdout: 'built: uuid\n', stderr: '' });
  });

  it('a package without its files says so', async () => {
    const alone = join(folder, 'alone/a/b');
    mkdirSync(join(alone, 'bin'), { recursive: true });
    cpSync(program, join(alone, 'bin/kazahana.cjs'));
    expect(await run(process.execPath, [join(alone, 'bin/kazahana.cjs')])).toEqual({
      code: 2,
      stdout: '',
      stderr: 'kazahana: the package is incomplete: dist/main.js is missing.\n',
    });
  });
});
