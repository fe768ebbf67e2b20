// The compiler writes what is new and leaves what is old: a module whose source was removed could still be imported.
import { existsSync, globSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** Removes every compiled file of a package whose source is gone, and returns their paths. */
export function removeStaleOutputs(folder: string): string[] {
  const outputs = globSync('**/*.{js,cjs,d.ts,d.cts}', {
    cwd: join(folder, 'dist'),
    // The built page is no output of the compiler.
    exclude: (name) => name === 'site',
  });
  const stale = outputs.filter((output) => {
    const source = join(folder, 'src', output.replace(/(\.d\.c?ts|\.c?js)$/, ''));
    return source.endsWith('.test') || !(existsSync(`${source}.ts`) || existsSync(`${source}.tsx`));
  });
  const paths = stale.map((output) => join(folder, 'dist', output));
  for (const path of paths) rmSync(path);
  return paths;
}
