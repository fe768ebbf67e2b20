// What is in deploy/ for one host can be deployed: it is read as Docker, Compose and systemd would read it, and what it
// runs and configures is what the repository has. For Kubernetes: kubernetes.test.ts.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync } from 'node:fs';
import { join, matchesGlob } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { root, run } from '../scripts/run.ts';
import { readFile } from './operations-page.ts';
import { resolveFile } from './server-config.ts';

interface Instruction {
  readonly name: string;
  readonly text: string;
  readonly stage: number;
}

/** The instructions of a Dockerfile, continued lines joined. */
function instructions(dockerfile: string): Instruction[] {
  const lines = dockerfile
    .replace(/^\s*#.*\n/gm, '')
    .replace(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '');
  let stage = -1;
  return lines.map((line) => {
    const [, name = '', text = ''] = /^(\w+)\s+(.*)$/.exec(line) ?? [];
    if (name === 'FROM') stage++;
    return { name, text, stage };
  });
}

describe('the Dockerfile', () => {
  const all = instructions(readFile('deploy/Dockerfile'));
  const last = Math.max(...all.map(({ stage }) => stage));
  const texts = (name: string, stage = last) =>
    all.filter((one) => one.name === name && one.stage === stage).map(({ text }) => text);
  const manifest = JSON.parse(readFile('package.json')) as {
    scripts: Record<string, string>;
    workspaces: string[];
    devDependencies: Record<string, string>;
  };
  const ignored = readFile('deploy/Dockerfile.dockerignore')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  const isIgnored = (path: string) =>
    ignored.some((pattern) => matchesGlob(path, pattern) || matchesGlob(path, `${pattern}/**`));
  /** The path in the repository of a path in the image. */
  const inRepository = (path: string) => path.replace(/^\/(?:src|app)\//, '');

  it("builds in one stage and runs in another, on the official image of the repository's Node", () => {
    expect(last).toBe(1);
    const images = all.filter(({ name }) => name === 'FROM').map(({ text }) => text.split(' ')[0]);
    expect(images).toEqual(Array(2).fill(`node:${manifest.devDependencies.node}-slim`));
  });

  it('runs scripts and workspaces that there are', () => {
    const [build, install] = texts('RUN', 0);
    const [, script = ''] = /^npm run (\w+)$/.exec(build ?? '') ?? [];
    expect(manifest.scripts[script]).toContain('scripts/build.ts');
    const [, workspace = ''] = /^npm ci --omit=dev .*--workspace=(\S+)$/.exec(install ?? '') ?? [];
    expect(JSON.parse(readFile('packages/cli/package.json'))).toMatchObject({ name: workspace });
  });

  it('leaves nothing out that the build needs, and takes nothing in that was built elsewhere', () => {
    expect(texts('COPY', 0)).toEqual(['. .']);
    const folders = manifest.workspaces.flatMap((pattern) =>
      globSync(`${pattern}/package.json`, { cwd: root }),
    );
    const needed = ['package.json', 'package-lock.json', '.npmrc', 'tsconfig.base.json', 'scripts/build.ts'];
    const sources = globSync('packages/*/{tsconfig.json,src/index.ts,src/bin.ts}', { cwd: root });
    for (const path of [...needed, ...folders, ...sources]) expect(isIgnored(path), path).toBe(false);
    for (const path of [
      'node_modules',
      'packages/cli/dist',
      'packages/cli/dist/tsconfig.tsbuildinfo',
      '.git',
    ])
      expect(isIgnored(path), path).toBe(true);
  });

  it('copies what the build has made, and starts the command', () => {
    const copied = texts('COPY').map((text) => text.split(' ').at(-1) ?? '');
    for (const target of copied) expect(existsSync(join(root, inRepository(target))), target).toBe(true);
    const [entry] = texts('ENTRYPOINT').map((text) => JSON.parse(text) as string[]);
    const { bin } = JSON.parse(readFile('packages/cli/package.json')) as { bin: { kazahana: string } };
    expect(entry).toEqual(['node', `/app/packages/cli/${bin.kazahana.replace('./', '')}`, 'serve']);
    expect(copied.some((target) => entry?.[1]?.startsWith(`${target}/`))).toBe(true);
  });

  it('runs as a numbered user that is not root, and writes into a volume', () => {
    const [user = '0'] = texts('USER');
    expect(Number.parseInt(user, 10)).toBeGreaterThan(0);
    expect(texts('VOLUME')).toEqual(['/data']);
    expect(texts('WORKDIR')).toEqual(['/data']);
    expect(texts('RUN').join()).toContain(`--owner=${user.split(':')[0]} `);
    const names = all.filter(({ stage }) => stage === last).map(({ name }) => name);
    expect(names.slice(names.indexOf('USER'))).not.toContain('RUN');
  });

  it('has a health check that follows a server, whose end by SIGTERM is a good one', async () => {
    const [check = ''] = texts('HEALTHCHECK').map((text) => text.slice(text.indexOf('CMD ') + 4));
    const [, ...args] = JSON.parse(check) as string[];
    const bin = join(root, inRepository((JSON.parse(texts('ENTRYPOINT')[0] ?? '[]') as string[])[1] ?? ''));
    const server = spawn(process.execPath, [bin, 'serve', '--port', '0', '--store', 'memory:']);
    const exited = once(server, 'exit');
    const [line] = (await once(server.stdout, 'data')) as [Buffer];
    const { port } = new URL((JSON.parse(String(line).split('\n')[0] ?? '') as { url: string }).url);
    const health = () => run(process.execPath, args, { KAZAHANA_PORT: port });
    expect((await health()).code).toBe(0);
    server.kill('SIGTERM');
    expect(await exited).toEqual([0, null]);
    expect((await health()).code).toBe(1);
  });
});

describe('one server on one host', () => {
  const example = resolveFile(readFile('deploy/config.example.json'));
  const variables = [...readFile('deploy/config.example.json').matchAll(/"env": "(\w+)"/g)].map(
    ([, name]) => name,
  );

  it('has a configuration that the server takes', () => {
    expect(example.tokens.map(({ name }) => name)).toEqual(['apps', 'operator']);
  });

  it('with Compose: read-only, without rights, with all tokens, and time to end', () => {
    const { services, volumes } = parse(readFile('deploy/compose.yaml')) as {
      services: {
        kazahana: Record<string, unknown> & {
          environment: Record<string, string>;
          volumes: string[];
          build: { context: string; dockerfile: string };
          stop_grace_period: string;
        };
      };
      volumes: object;
    };
    const { kazahana } = services;
    expect(kazahana).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
    });
    expect(Object.keys(kazahana.environment)).toEqual([
      'KAZAHANA_CONFIG',
      'KAZAHANA_CREATE_POOLS',
      ...variables,
    ]);
    expect(existsSync(join(root, 'deploy', kazahana.build.context, kazahana.build.dockerfile))).toBe(true);
    const [data = '', config = ''] = kazahana.volumes;
    expect(Object.keys(volumes)).toContain(data.split(':')[0]);
    const [file = '', target] = config.split(':');
    expect(existsSync(join(root, 'deploy', file))).toBe(true);
    expect(target).toBe(kazahana.environment.KAZAHANA_CONFIG);
    expect(Number.parseInt(kazahana.stop_grace_period, 10)).toBeGreaterThan(example.drainMs / 1000);
  });

  it('with systemd: a user of its own, one folder to write into, and time to end', () => {
    const unit = readFile('deploy/systemd/kazahana.service');
    const settings = new Map(
      [...unit.matchAll(/^(\w+)=(.*)$/gm)].map(([, name, value]) => [name, value ?? '']),
    );
    expect(Object.fromEntries(settings)).toMatchObject({
      DynamicUser: 'yes',
      NoNewPrivileges: 'yes',
      ProtectSystem: 'strict',
      StateDirectory: 'kazahana',
      WorkingDirectory: '/var/lib/kazahana',
      CapabilityBoundingSet: '',
    });
    expect(settings.get('ExecStart')).toBe('/usr/bin/env kazahana serve');
    expect(Number(settings.get('TimeoutStopSec'))).toBeGreaterThan(example.drainMs / 1000);
    for (const variable of variables) expect(unit).toContain(`${variable}=`);
  });
});
