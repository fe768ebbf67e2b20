// Starts of `kazahana serve` that cannot be: one sentence and a hint where waiting cannot help, with real files, ports and
// stores; and never a password.
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ensureSystemPackage } from '../../scripts/system-packages.ts';
import { askRedis, KEEPS_NOTHING, REDIS, startRedis } from '../services/redis.ts';
import { reportSkipped } from '../skipped.ts';
import { createSandbox, program, type Sandbox, shell } from './sandbox.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await createSandbox();
});
afterAll(() => sandbox.dispose());

/** Lets it start for some seconds; one that waits for its store ends with 124. */
async function start(line: string, environment: Record<string, string> = {}) {
  const { code, stdout, stderr } = await shell(sandbox, `timeout 20 ${line}`, { environment });
  expect(stdout + stderr).not.toMatch(/hush|h%75sh/);
  return { code, stdout, stderr };
}

const serve = (flags: string, environment: Record<string, string> = {}) =>
  start(`kazahana serve --port 0 ${flags}`, environment);

describe('a start that waiting cannot mend ends at once', () => {
  it('because the file is no database', async () => {
    writeFileSync(
      join(sandbox.folder, 'text.db'),
      'this is no database, and long enough to be looked at'.repeat(9),
    );
    expect(await serve('--store sqlite:text.db')).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(
        /^kazahana serve: \S+text\.db: the file is not an SQLite database\. Restore it from a backup, or .*\n$/,
      ),
    });
  });

  it('because the store is a folder, or below a file', async () => {
    mkdirSync(join(sandbox.folder, 'folder.db'));
    const folder = await serve('--store sqlite:folder.db');
    expect(folder).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('is a folder: name a file'),
    });
    const below = await serve('--store sqlite:app.log/x.db');
    expect(below).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('app.log is no folder'),
    });
  });

  const setpriv = ensureSystemPackage({ commands: ['setpriv'], debian: 'util-linux' }).path;
  it.skipIf(setpriv === null || process.getuid?.() !== 0)(
    'because the folder cannot be written',
    async () => {
      const folder = mkdtempSync(join(tmpdir(), 'kazahana-unwritable-'));
      chmodSync(folder, 0o755);
      const command = `setpriv --reuid=65534 --clear-groups "${process.execPath}" "${program}" serve --port 0`;
      const environment = { NODE_COMPILE_CACHE: '/nowhere' };
      const ended = await start(`${command} --store sqlite:${folder}/leases.db`, environment);
      rmSync(folder, { recursive: true });
      expect(ended).toMatchObject({ code: 1, stdout: '' });
      expect(ended.stderr).toMatch(
        /access to the file is denied\. Let the user of this process write the file and its folder/,
      );
    },
  );

  it('because the port is in use', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    const { code, stdout, stderr } = await start(`kazahana serve --store memory: --port ${port}`);
    other.close();
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toBe(
      `kazahana serve: port ${port} of 127.0.0.1 is in use (EADDRINUSE). Another server may be running there: end it, or choose another port with --port.\n`,
    );
  });

  it.each([
    'redis://:h%75sh/x@127.0.0.1:1',
    'postgres://u:hush#x@127.0.0.1:1/db',
    'etcd://u:hush%x@127.0.0.1:1',
    'redis://:hush@x@db',
  ])('because the URL cannot be read: %s', async (url) => {
    for (const more of ['', '--check']) {
      const { code, stderr } = await serve(more, { KAZAHANA_STORE: url });
      expect([code, stderr]).toEqual([
        2,
        expect.stringMatching(/the URL of the store cannot be read: .*%2F %3F %23 %40/),
      ]);
    }
  });

  it('because of a key that the configuration does not have', async () => {
    writeFileSync(join(sandbox.folder, 'typo.json'), JSON.stringify({ prot: 5 }));
    const { code, stderr } = await serve('--config typo.json');
    expect([code, stderr]).toEqual([2, expect.stringMatching(/"prot" \(did you mean port\?\)\n$/)]);
  });
});

const redisServer = ensureSystemPackage(REDIS);
const hasRedis =
  redisServer.path !== null || reportSkipped([{ name: 'a wrong password of Redis', ...redisServer }]);

it.skipIf(redisServer.path === null || !hasRedis)(
  'a wrong password of Redis ends the start, and so does none',
  async () => {
    const redis = await startRedis(KEEPS_NOTHING);
    try {
      await askRedis(redis.port, 'CONFIG SET requirepass the-right-one-of-ours');
      for (const user of [':hush@', '']) {
        const environment = { KAZAHANA_STORE: `redis://${user}127.0.0.1:${redis.port}` };
        const { code, stdout, stderr } = await serve('', environment);
        expect([code, stdout]).toEqual([1, '']);
        expect(stderr).toMatch(
          /^kazahana serve: Redis does not let this user in \((?:WRONGPASS|NOAUTH)\)\. Check the user name, the password/,
        );
      }
    } finally {
      await redis.dispose();
    }
  },
);

it('--check shows where the store is, and no password', async () => {
  const { code, stdout } = await serve('--check', { KAZAHANA_STORE: 'redis://:hush#x@127.0.0.1:1' });
  expect(code).toBe(3);
  expect(stdout).toContain('\nstore      redis://…@127.0.0.1:1\n');
});
