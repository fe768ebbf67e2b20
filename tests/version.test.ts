// The library cannot read its package.json wherever it runs, so its version stands in a file of its own.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { VERSION } from '../packages/kazahana/src/version.ts';
import { root } from '../scripts/run.ts';

it('the library says the version of its package', () => {
  const file = readFileSync(join(root, 'packages/kazahana/package.json'), 'utf8');
  expect(VERSION).toBe((JSON.parse(file) as { version: string }).version);
});
