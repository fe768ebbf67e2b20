// The library cannot read its package.json wherever it runs, so its version stands in a file of its own; and so it does in what documents
// and tests show of commands. A release writes all of them.
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { VERSION } from '../packages/kazahana/src/version.ts';
import { root } from '../scripts/run.ts';
import { packageVersion, STATES_VERSION, stateVersion, versionPattern } from '../scripts/stated-version.ts';

it('the library says the version of its package', () => {
  expect(VERSION).toBe(packageVersion(root));
});

it.each(STATES_VERSION)('%s states the version of the packages', (path) => {
  expect(readFileSync(join(root, path), 'utf8')).toMatch(versionPattern(packageVersion(root)));
});

it('a release writes the new version there, and nothing else', () => {
  const copy = mkdtempSync(join(tmpdir(), 'kazahana-version-'));
  try {
    for (const path of STATES_VERSION) cpSync(join(root, path), join(copy, path), { recursive: true });
    const before = packageVersion(root);
    stateVersion(copy, before, '12.34.56');
    for (const path of STATES_VERSION) {
      const [old, now] = [root, copy].map((folder) => readFileSync(join(folder, path), 'utf8').split('\n'));
      const changed = now?.filter((line, i) => line !== old?.[i]) ?? [];
      expect(changed, path).toHaveLength(1);
      expect(changed[0], path).toContain('12.34.56');
    }
    expect(() => stateVersion(copy, before, '1.2.3')).toThrow('does not state the version');
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
});
