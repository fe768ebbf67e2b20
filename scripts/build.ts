// Builds every package, in the order of their references; unchanged ones are skipped.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root, runOrFail, tool } from './run.ts';

export async function build(): Promise<void> {
  const folders = readdirSync(join(root, 'packages')).map((name) => join(root, 'packages', name));
  await runOrFail(tool('tsc'), [
    '-b',
    ...folders.filter((folder) => existsSync(join(folder, 'tsconfig.json'))),
  ]);
}

if (import.meta.main) await build();
