// Keeps the library small: what a page downloads when it imports this much, minified and gzipped.
// The library must be built. The exit code tells.
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build, type Plugin } from 'esbuild';

interface Row {
  readonly what: string;
  /** What the page's bundle holds. */
  readonly source: string;
  /** In bytes, gzipped; null is only shown. */
  readonly limit: number | null;
  /** The bundle leaves out what the module imports. */
  readonly isAlone?: boolean;
}

const everythingOf = (entry: string, limit: number | null): Row => ({
  what: entry,
  source: `export * from '${entry}';`,
  limit,
});

/** An integration without the library below it and the library that it is for. */
const addedBy = (name: string, limit: number): Row => ({
  what: `kazahana/${name}`,
  source: `export * from './packages/kazahana/dist/integrations/${name}.js';`,
  limit,
  isAlone: true,
});

const rows: readonly Row[] = [
  {
    what: 'generateV7',
    source: `import { generateV7 } from 'kazahana/uuid'; export const id = () => generateV7();`,
    limit: 1200,
  },
  // 5,000 is wanted; docs/performance.md says what was tried.
  everythingOf('kazahana/uuid', 5650),
  everythingOf('kazahana/estelle', null),
  everythingOf('kazahana/layout', null),
  everythingOf('kazahana/external', null),
  // Some eighty formats; the page loads it after the first paint.
  everythingOf('kazahana/inspect', 33_000),
  everythingOf('kazahana/compat/uuid', null),
  everythingOf('kazahana', null),
  // What they add to a program that has the library and the peer.
  addedBy('zod', 1000),
  addedBy('drizzle', 1000),
  addedBy('opentelemetry', 1000),
];

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Leaves out everything that a module in a folder of the library imports. */
const alone: Plugin = {
  name: 'alone',
  setup({ onResolve }) {
    onResolve({ filter: /.*/ }, ({ importer }) =>
      importer.includes('integrations') ? { external: true } : undefined,
    );
  },
};

async function gzippedSize({ source, isAlone = false }: Row): Promise<number> {
  const { outputFiles } = await build({
    stdin: { contents: source, resolveDir: root },
    plugins: isAlone ? [alone] : [],
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    write: false,
    logLevel: 'silent',
  });
  return gzipSync(outputFiles[0]?.contents ?? new Uint8Array(), { level: 9 }).length;
}

console.log(`  ${'what'.padEnd(24)} ${'gzip'.padStart(6)} ${'limit'.padStart(6)}`);
for (const row of rows) {
  const { what, limit } = row;
  try {
    const size = await gzippedSize(row);
    const isOver = limit !== null && size > limit;
    if (isOver) process.exitCode = 1;
    console.log(
      `  ${what.padEnd(24)} ${String(size).padStart(6)} ${String(limit ?? '—').padStart(6)}${isOver ? '   TOO BIG' : ''}`,
    );
  } catch (error) {
    process.exitCode = 1;
    console.log(`  ${what.padEnd(24)} FAILED (is the library built? npm run build)`);
    console.log(error instanceof Error ? error.message : String(error));
  }
}
