import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { removeStaleOutputs } from '../scripts/stale-outputs.ts';

it('removes what was compiled from a source that is gone, and nothing else', () => {
  const folder = mkdtempSync(join(tmpdir(), 'kazahana-stale-'));
  const kept = [
    'src/room/here.ts',
    'src/here.test.ts',
    'dist/room/here.js',
    'dist/room/here.d.ts',
    'dist/site/app.js',
    'dist/tsconfig.tsbuildinfo',
  ];
  const stale = ['dist/gone.js', 'dist/gone.d.ts', 'dist/room/gone.js', 'dist/here.test.js'];
  for (const path of [...kept, ...stale]) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), '');
  }

  expect(removeStaleOutputs(folder).sort()).toEqual(stale.map((path) => join(folder, path)).sort());
  expect(stale.filter((path) => existsSync(join(folder, path)))).toEqual([]);
  expect(kept.filter((path) => !existsSync(join(folder, path)))).toEqual([]);
  rmSync(folder, { recursive: true });
});
