// A stranger's project: outside the workspace, with nothing but the packed library installed, and one small
// program for each entry point in every module system.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EntryPointCheck, entryPointChecks } from './entry-points.ts';

export interface Consumer {
  readonly folder: string;
  /** The names of its programs, without extension; `all.mjs` and `all.cjs` run every one. */
  readonly programs: readonly string[];
  remove(): Promise<void>;
}

/** `./uuid` of `kazahana` is imported as `kazahana/uuid`. */
function specifier(library: string, entry: string): string {
  return entry === '.' ? library : `${library}/${entry.slice('./'.length)}`;
}

function programName(entry: string): string {
  return entry === '.' ? 'root' : entry.slice('./'.length).replaceAll('/', '-');
}

function sources(from: string, { names, holds }: EntryPointCheck): ReadonlyMap<string, string> {
  const list = names.join(', ');
  const imported = `import { ${list} } from '${from}';\n`;
  const required = `const { ${list} } = require('${from}');\n`;
  const check = `if (!(${holds})) throw new Error(${JSON.stringify(`${from}: not true: ${holds}`)});\n`;
  const typed = `export const works: boolean = ${holds};\n`;
  return new Map([
    ['mjs', imported + check],
    ['cjs', required + check],
    ['mts', imported + typed],
    ['cts', imported + typed],
    ['ts', imported + typed],
  ]);
}

/** A class is a value and a type, behind every door. */
const CLASSES = (library: string) => `import { type ClientStats, KazahanaClient } from '${library}';
export const client: KazahanaClient = new KazahanaClient();
export const stats = (): ClientStats => client.stats();
`;

const STRICT = { strict: true, noEmit: true, target: 'es2022', skipLibCheck: false };

/** The platform's own types, of which the library uses AbortSignal and the like: from Node, or from a browser. */
const NODE = {
  lib: ['es2022'],
  types: ['node'],
  typeRoots: [join(import.meta.dirname, '../../node_modules/@types')],
};
const BROWSER = { lib: ['es2022', 'dom'], types: [] };

/** The libraries behind the integrations have types that need others still, so those are not checked. */
const INTEGRATIONS = ['zod.*', 'drizzle.*', 'opentelemetry.*'];

/** How projects resolve modules: the two ways of today, and that of old tool chains. */
export const TSCONFIGS: Readonly<Record<string, object>> = {
  nodenext: {
    compilerOptions: { ...STRICT, ...NODE, module: 'nodenext', moduleResolution: 'nodenext' },
    include: ['*.mts', '*.cts'],
    exclude: INTEGRATIONS,
  },
  bundler: {
    compilerOptions: { ...STRICT, ...BROWSER, module: 'esnext', moduleResolution: 'bundler' },
    include: ['*.mts'],
    exclude: INTEGRATIONS,
  },
  // From CommonJS too: `.cts` is one whatever package.json says.
  node16: {
    compilerOptions: { ...STRICT, ...NODE, module: 'node16', moduleResolution: 'node16' },
    include: ['*.mts', '*.cts'],
    exclude: INTEGRATIONS,
  },
  integrations: {
    compilerOptions: { ...STRICT, ...NODE, module: 'node16', skipLibCheck: true },
    include: INTEGRATIONS.flatMap((name) => [name.replace('*', 'mts'), name.replace('*', 'cts')]),
  },
  node10: {
    compilerOptions: {
      ...STRICT,
      ...NODE,
      module: 'commonjs',
      moduleResolution: 'node10',
      // Libraries that ours imports may know no such way.
      skipLibCheck: true,
    },
    include: ['*.ts'],
    exclude: ['drizzle.ts'],
  },
};

export async function createConsumer(library: string, entries: readonly string[]): Promise<Consumer> {
  const folder = await mkdtemp(join(tmpdir(), 'kazahana-consumer-'));
  const write = (file: string, text: string) => writeFile(join(folder, file), text);
  const programs = entries.map(programName);
  await write('package.json', JSON.stringify({ name: 'stranger', private: true }));
  for (const entry of entries) {
    const check = entryPointChecks[entry];
    if (check === undefined) throw new Error(`add a check for ${entry} to tests/package/entry-points.ts`);
    for (const [extension, text] of sources(specifier(library, entry), check)) {
      await write(`${programName(entry)}.${extension}`, text);
    }
  }
  for (const extension of ['mts', 'cts', 'ts']) await write(`classes.${extension}`, CLASSES(library));
  await write('all.mjs', programs.map((name) => `import './${name}.mjs';\n`).join(''));
  await write(
    'all.cjs',
    [...programs.map((name) => `./${name}.cjs`), `${library}/package.json`]
      .map((path) => `require('${path}');\n`)
      .join(''),
  );
  for (const [name, config] of Object.entries(TSCONFIGS)) {
    await write(`tsconfig.${name}.json`, JSON.stringify(config));
  }
  return { folder, programs, remove: () => rm(folder, { recursive: true, force: true }) };
}
