// The code of the README is run as it stands.
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { startRedis } from '../../../tests/services/redis.ts';

const home = fileURLToPath(new URL('..', import.meta.url));

it('shows programs that work', async () => {
  const server = await startRedis();
  const text = await readFile(join(home, 'README.md'), 'utf8');
  const programs = [...text.matchAll(/^```js\n(.*?)^```$/gms)].map(([, code = '']) => code);
  expect(programs).toHaveLength(2);
  // Where they find the packages.
  const folder = await mkdtemp(join(home, 'dist', 'readme-'));
  const outputs = await Promise.all(
    programs.map(async (code, at) => {
      const file = join(folder, `${at}.mjs`);
      await writeFile(file, code);
      const env = { ...process.env, REDIS_URL: `redis://127.0.0.1:${server.port}` };
      return promisify(execFile)(process.execPath, [file], { env });
    }),
  );
  for (const { stdout, stderr } of outputs) {
    expect(stdout).toMatch(/^\d+n\n$/);
    expect(stderr).toContain('KazahanaWarning: Redis keeps nothing on disk');
  }
  await rm(folder, { recursive: true });
  await server.dispose();
});
