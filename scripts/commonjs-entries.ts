// Gives every entry point a door for CommonJS: `index.cjs` requires the ES module (Node can do that since 20.19), and `index.d.cts`
// tells TypeScript so. Without it, `module: node16` refuses an import from a CommonJS file (TS1479).
// The types are those of the ES module, not copies, so an ID made behind one door fits behind the other.
import { writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import { entryPoints } from './entry-points.ts';

const isClass = (value: unknown) => typeof value === 'function' && /^class\b/.test(String(value));

function typesOf(module: string, values: Readonly<Record<string, unknown>>): string {
  const mode = `with { 'resolution-mode': 'import' }`;
  const all = `import('./${module}', { ${mode.replace('with', 'with:')} })`;
  const lines = Object.entries(values).flatMap(([name, value]) => [
    `export declare const ${name}: typeof ${all}.${name};`,
    // What is declared here hides the type of the same name below.
    ...(isClass(value) ? [`export type ${name} = ${all}.${name};`] : []),
  ]);
  return `${lines.join('\n')}\nexport type * from './${module}' ${mode};\n`;
}

/** Writes both files beside each built entry point. */
export async function writeCommonJsEntries(): Promise<void> {
  for (const { types } of entryPoints()) {
    const path = types.replace(/\.d\.ts$/, '');
    const module = `${basename(path)}.js`;
    const values = (await import(pathToFileURL(`${path}.js`).href)) as Record<string, unknown>;
    writeFileSync(`${path}.cjs`, `'use strict';\nmodule.exports = require('./${module}');\n`);
    writeFileSync(`${path}.d.cts`, typesOf(module, values));
  }
}
