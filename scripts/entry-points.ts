// Every entry point that a program can import, as the manifests of the packages state them.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './run.ts';

export interface EntryPoint {
  /** What a program imports: `kazahana/uuid`. */
  readonly name: string;
  /** The folder of its package. */
  readonly folder: string;
  /** Its types after a build. */
  readonly types: string;
  readonly source: string;
}

interface Manifest {
  readonly name: string;
  readonly exports: Readonly<Record<string, string | { readonly types?: string }>>;
}

export function entryPoints(): EntryPoint[] {
  const packages = join(root, 'packages');
  return readdirSync(packages).flatMap((name) => {
    const folder = join(packages, name);
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
    return Object.entries(manifest.exports).flatMap(([path, target]) => {
      // What has no types is a plain file: package.json.
      if (typeof target === 'string' || target.types === undefined) return [];
      const source = target.types.replace(/^\.\/dist\//, 'src/').replace(/\.d\.ts$/, '.ts');
      return [
        {
          name: manifest.name + path.slice(1),
          folder,
          types: join(folder, target.types),
          source: join(folder, source),
        },
      ];
    });
  });
}
