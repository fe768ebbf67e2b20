// Builds every package, in the order of their references; unchanged ones are skipped.
import { runOrFail, tool } from './run.ts';

export async function build(): Promise<void> {
  await runOrFail(tool('tsc'), ['-b', 'packages/kazahana']);
}

if (import.meta.main) await build();
