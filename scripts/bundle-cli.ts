// Puts what starts often into one file each: `main.js` with all that `kazahana uuid` needs, and the commands that read
// IDs. Every module that Node finds, reads and links costs a start about a millisecond, and there would be forty. The
// other commands stay as they are. Without this step everything works as well, only slower to start.
import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { root } from './run.ts';

const cli = join(root, 'packages/cli');
const READING = ['inspect', 'validate', 'external', 'estelle', 'verify'];
const ENTRIES = ['main', ...READING.map((name) => `commands/${name}`)];

/** What `main.js` loads when a command needs it stays outside it. */
const otherCommands: Plugin = {
  name: 'other-commands',
  setup({ onResolve }) {
    onResolve({ filter: /\/(?:commands|serve)\/|\/failures\.js$|\/text-width\.js$/ }, ({ path, kind }) => {
      if (kind !== 'dynamic-import' || path.endsWith('/uuid.js')) return undefined;
      return { path: `./${path.replace(/^(?:\.\.?\/)+/, '')}`, external: true };
    });
    onResolve({ filter: /^kazahana\/layout$/ }, ({ path, kind }) =>
      kind === 'dynamic-import' ? { path, external: true } : undefined,
    );
  },
};

/**
 * Node's own modules without their ESM faces, which touch every export and so load what is loaded lazily; and
 * `child_process`, which commander asks for and we never use, not at all before it is used.
 */
const builtins: Plugin = {
  name: 'builtins',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node:/ }, ({ path }) => ({ path, namespace: 'builtin' }));
    onLoad({ filter: /.*/, namespace: 'builtin' }, ({ path }) => ({
      contents:
        path === 'node:child_process'
          ? `exports.spawn = (...args) => process.getBuiltinModule('${path}').spawn(...args);`
          : `module.exports = process.getBuiltinModule('${path}');`,
    }));
  },
};

/** The licenses of the packages of others that went into a file. */
function licensesOf(inputs: readonly string[]): string {
  const folders = inputs.map((input) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0]);
  return [...new Set(folders.filter((folder) => folder !== undefined))]
    .sort()
    .map((folder) => {
      const path = resolve(root, folder);
      const file = readdirSync(path).find((name) => /^licen[cs]e/i.test(name));
      if (file === undefined) throw new Error(`${folder} has no license`);
      const text = readFileSync(join(path, file), 'utf8').replaceAll('*/', '* /').trimEnd();
      return `/* This file contains ${folder.replace(/^.*node_modules\//, '')}:\n\n${text}\n*/\n`;
    })
    .join('\n');
}

export async function bundleCli(): Promise<void> {
  const { outputFiles, metafile } = await build({
    entryPoints: ENTRIES.map((entry) => join(cli, 'src', `${entry}.ts`)),
    outbase: join(cli, 'src'),
    outdir: join(cli, 'dist'),
    absWorkingDir: resolve(root),
    write: false,
    metafile: true,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node22',
    logLevel: 'warning',
    plugins: [otherCommands, builtins],
  });
  for (const { path, text } of outputFiles) {
    const { inputs = {} } = Object.entries(metafile.outputs).find(([name]) => path.endsWith(name))?.[1] ?? {};
    const fresh = `${path}.${process.pid}`;
    writeFileSync(fresh, `${text}\n${licensesOf(Object.keys(inputs))}`);
    // In one step: another process may start it right now.
    renameSync(fresh, path);
  }
}

if (import.meta.main) await bundleCli();
