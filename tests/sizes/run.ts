// Keeps the library small: what a page downloads when it imports this much, minified and gzipped.
// The library must be built. The exit code tells.
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

interface Row {
  readonly what: string;
  /** What the page's bundle holds. */
  readonly source: string;
  /** In bytes, gzipped; null is only shown. */
  readonly limit: number | null;
}

const everythingOf = (entry: string, limit: number | null): Row => ({
  what: entry,
  source: `export * from '${entry}';`,
  limit,
});

const rows: readonly Row[] = [
  {
    what: 'generateV7',
    source: `import { generateV7 } from 'kazahana/uuid'; export const id = () => generateV7();`,
    limit: 1200,
  },
  // Six exports for range queries and for programs that come from `uuid`, dates that exist, and refused options took it past 5,000.
  everythingOf('kazahana/uuid', 5400),
  everythingOf('kazahana/estelle', null),
  everythingOf('kazahana/layout', null),
  everythingOf('kazahana/external', null),
  everythingOf('kazahana/inspect', null),
  everythingOf('kazahana/compat/uuid', null),
  everythingOf('kazahana', null),
];

const root = fileURLToPath(new URL('../..', import.meta.url));

async function gzippedSize(source: string): Promise<number> {
  const { outputFiles } = await build({
    stdin: { contents: source, resolveDir: root },
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

console.log(`  ${'what'.padEnd(20)} ${'gzip'.padStart(6)} ${'limit'.padStart(6)}`);
for (const { what, source, limit } of rows) {
  try {
    const size = await gzippedSize(source);
    const isOver = limit !== null && size > limit;
    if (isOver) process.exitCode = 1;
    console.log(
      `  ${what.padEnd(20)} ${String(size).padStart(6)} ${String(limit ?? '—').padStart(6)}${isOver ? '   TOO BIG' : ''}`,
    );
  } catch (error) {
    process.exitCode = 1;
    console.log(`  ${what.padEnd(20)} FAILED (is the library built? npm run build)`);
    console.log(error instanceof Error ? error.message : String(error));
  }
}
