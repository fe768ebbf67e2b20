// The operator's verbs, through a server and in the store itself; what they say on stdout is data, the rest is talk.

import { join } from 'node:path';
import { SqliteLeaseProvider } from '@kazahana/sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LeaseServer, startLeaseServer } from './lease-server.ts';
import { createSandbox, kazahana, type Sandbox } from './sandbox.ts';

let sandbox: Sandbox;
let server: LeaseServer;
beforeAll(async () => {
  [sandbox, server] = await Promise.all([createSandbox(), startLeaseServer()]);
  await server.acquire('orders', { host: 'web-1' });
  await server.acquire('users', {}, 512);
  const store = new SqliteLeaseProvider({ path: join(sandbox.folder, 'leases.db') });
  await store.acquire({ serviceId: 'orders', meta: { host: 'web-1' } });
  await store.acquire({ serviceId: 'users', throughputPerMs: 512 });
  await store.close();
});
afterAll(async () => {
  await server.dispose();
  sandbox.dispose();
});

const objects = (text: string) =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

const WAYS: [title: string, args: () => string[]][] = [
  ['through a server', () => ['--url', server.url]],
  ['in the store', () => ['--store', 'sqlite:leases.db']],
];

for (const [title, args] of WAYS) {
  describe(title, () => {
    const pool = (...words: string[]) => kazahana(sandbox, ['pool', ...words, ...args()]);

    it('status', async () => {
      const { code, stdout } = await pool('status', '--json');
      expect(code).toBe(0);
      expect(objects(stdout)).toMatchObject([{ name: 'default', slots: 8192, held: 3, quarantinedUntil: 0 }]);
      expect((await pool('status')).stdout).toContain('services   users 2, orders 1\n');
    });

    it('list, a line for each holder', async () => {
      expect((await pool('list')).stdout).toMatch(
        /^service {2}host {3}process {2}count {2}machine IDs {2}expires\norders {3}web-1 .* 1 {2}0 .*\nusers {4}– .* 2 {2}1–2 .*\n$/,
      );
      expect(objects((await pool('list', '--json')).stdout)).toMatchObject([
        { serviceId: 'orders', host: 'web-1', machineIds: [0] },
        { serviceId: 'users', machineIds: [1, 2] },
      ]);
    });

    it('list --all, one object a lease, without secrets', async () => {
      const { stdout } = await pool('list', '--all', '--json');
      const leases = objects(stdout);
      expect(leases).toMatchObject([
        { id: 0, serviceId: 'orders', holder: { host: 'web-1' } },
        { id: 1, serviceId: 'users' },
        { id: 2, serviceId: 'users' },
      ]);
      expect(stdout).not.toContain('secret');
      expect((await pool('list', '--all')).stdout.trimEnd().split('\n')).toHaveLength(4);
    });

    it('watch takes one look where there is no terminal', async () => {
      const { code, stdout, stderr } = await pool('watch');
      expect([code, stderr]).toEqual([0, '']);
      expect(stdout).toContain('3 of 8192 machine IDs');
    });

    it('revoke says what it will do, and does it', async () => {
      const { code, stdout, stderr } = await pool('revoke', '1', '--yes');
      expect([code, stdout]).toEqual([0, 'the lease of machine ID 1 is revoked\n']);
      expect(stderr).toMatch(/^The lease of machine ID 1 will be forgotten/);
      expect(objects((await pool('list', '--all', '--json')).stdout).map(({ id }) => id)).toEqual([0, 2]);
      expect(objects((await pool('revoke', '2', '--yes', '--json')).stdout)).toEqual([{ revoked: 2 }]);
    });

    it('layout says what it will do, and does it', async () => {
      const { code, stdout, stderr } = await pool('layout', '13', '9', '--yes', '--json');
      expect(code).toBe(0);
      expect(stderr).toMatch(/^Pool default will change from 14 \+ 8 to 13 \+ 9 bits: 4096 machine IDs/);
      expect(objects(stdout)).toMatchObject([{ slots: 4096, layout: { bitId: 13, bitSeq: 9 } }]);
    });

    it('quarantine says what it will do, and does it', async () => {
      const { code, stdout, stderr } = await pool('quarantine', '--yes');
      expect(code).toBe(0);
      expect(stderr).toMatch(/^Pool default will grant no new machine ID/);
      expect(stdout).toMatch(/^pool default is in quarantine until \d{4}-[-\d]+T[:\d]+\.\d{3}Z\n$/);
      const refused = await kazahana(sandbox, ['next', ...args()]);
      expect([refused.code, refused.stdout]).toEqual([4, '']);
      expect(refused.stderr).toMatch(
        /^kazahana next: pool default: in quarantine; the next slot frees in \d+ ms\n$/,
      );
    });
  });
}

describe('a server with tokens', () => {
  const TOKEN = 'a-token-of-ours-for-tests';
  let guarded: LeaseServer;
  beforeAll(async () => {
    const tokens = [{ name: 'ours', token: TOKEN, scopes: ['acquire', 'observe'] }];
    guarded = await startLeaseServer({ tokens });
  });
  afterAll(() => guarded.dispose());

  for (const [args, scope] of [
    [['next'], 'acquire'],
    [['pool', 'status'], 'observe'],
  ] as const) {
    it(`${args.join(' ')} sends the token of the environment (${scope})`, async () => {
      const environment = { KAZAHANA_URL: guarded.url };
      const refused = await kazahana(sandbox, args, { environment });
      expect([refused.code, refused.stdout]).toEqual([1, '']);
      const granted = await kazahana(sandbox, args, {
        environment: { ...environment, KAZAHANA_TOKEN: TOKEN },
      });
      expect([granted.code, granted.stderr]).toEqual([0, '']);
    });
  }

  it('refuses what the token is not for, without naming the token', async () => {
    const environment = { KAZAHANA_URL: guarded.url, KAZAHANA_TOKEN: TOKEN };
    const { code, stderr } = await kazahana(sandbox, ['pool', 'quarantine', '--yes'], { environment });
    expect(code).toBe(1);
    expect(stderr).toMatch(/\(HTTP status 403, FORBIDDEN\)\n$/);
    expect(stderr).not.toContain(TOKEN);
  });
});
