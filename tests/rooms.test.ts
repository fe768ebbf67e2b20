// Keeps the arrows between rooms pointing down: each list below runs from the bottom to the top, and a room imports only
// rooms of earlier lines. Imports of types count too; tests, which may look at every room, do not.
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../scripts/run.ts';

/** The folders of packages/kazahana/src; a file that stands in no folder is a room of its own. */
const LIBRARY = [
  ['branded.ts', 'error-codes.ts', 'version.ts'],
  ['errors.ts'],
  ['layout', 'random.ts', 'call-listener.ts', 'options.ts'],
  ['uuid', 'id', 'estelle', 'environment.ts'],
  ['external', 'compat', 'deadline.ts', 'virtual-environment.ts'],
  ['inspect'],
  ['lease'],
  ['client', 'providers'],
  ['testing', 'integrations'],
  ['entries', 'index.ts'],
];
const PACKAGES = [
  ['kazahana'],
  ['sqlite', 'redis', 'postgres', 'etcd', 'server', 'web', 'create-kazahana'],
  ['cli'],
];
const REPOSITORY = [['packages'], ['scripts'], ['tests']];

const IMPORT = /^(?:import|export|\}).*?from '([^']+)'|^import '([^']+)'|\bimport\('([^']+)'\)/gm;
const IS_TEST = /\.test\.tsx?$|\/src\/testing\//;

const toPath = (path: string) => path.split(sep).join('/');
const files = (pattern: string) =>
  globSync(pattern, {
    cwd: root,
    exclude: (path) => /(^|[\\/])(node_modules|dist|\.work)$/.test(path),
  }).map(toPath);
const importsOf = (file: string) =>
  [...readFileSync(join(root, file), 'utf8').matchAll(IMPORT)].map(([, a, b, c]) => a ?? b ?? c ?? '');
/** An import as a path in the repository; a package's own name is its folder, another's name is undefined. */
function targetOf(file: string, name: string): string | undefined {
  if (name.startsWith('.')) return toPath(relative(root, resolve(root, dirname(file), name)));
  const own = /^(?:@kazahana\/)?(kazahana|(?<=\/)\w+)(?:\/|$)/.exec(name)?.[1];
  return own && `packages/${own}`;
}

interface Edge {
  readonly from: string;
  readonly to: string;
  readonly file: string;
}

/** What crosses from one room to another, where `roomOf` gives the room of a path. */
function edges(sources: readonly string[], roomOf: (path: string) => string | undefined): Edge[] {
  return sources.flatMap((file) =>
    importsOf(file).flatMap((name) => {
      const target = targetOf(file, name);
      const [from, to] = [roomOf(file), target === undefined ? undefined : roomOf(target)];
      return from === undefined || to === undefined || from === to ? [] : [{ from, to, file }];
    }),
  );
}

/** The imports that do not point down in an order, and the rooms that it does not list. */
function faults(order: readonly (readonly string[])[], found: readonly Edge[]): string[] {
  const level = (room: string) => order.findIndex((rooms) => rooms.includes(room));
  return found
    .filter(({ from, to }) => level(from) < 0 || level(to) < 0 || level(to) >= level(from))
    .map(({ from, to, file }) => `${file}: ${from} imports ${to}`);
}

const libraryFolder = 'packages/kazahana/src/';
const library = files(`${libraryFolder}**/*.ts`).filter((file) => !file.endsWith('.test.ts'));
const packageSources = files('packages/*/src/**/*.{ts,tsx}').filter(
  (file) => file.startsWith(libraryFolder) || !IS_TEST.test(file),
);
const libraryRoom = (path: string) =>
  path.startsWith(libraryFolder)
    ? path.slice(libraryFolder.length).split('/')[0]?.replace(/\.js$/, '.ts')
    : undefined;

describe('every import points down', () => {
  it('between the rooms of the library', () => {
    const found = edges(library, libraryRoom);
    expect(found.length).toBeGreaterThan(50);
    expect(faults(LIBRARY, found)).toEqual([]);
    expect(new Set(library.map(libraryRoom))).toEqual(new Set(LIBRARY.flat()));
  });

  it('between packages, which know each other by name only', () => {
    const found = edges(packageSources, (path) => /^packages\/([^/]+)/.exec(path)?.[1]);
    expect(found.length).toBeGreaterThan(50);
    expect(faults(PACKAGES, found)).toEqual([]);
    const leaving = packageSources.flatMap((file) =>
      importsOf(file)
        .filter((name) => name.startsWith('.'))
        .filter((name) => !targetOf(file, name)?.startsWith(`${file.split('/').slice(0, 3).join('/')}/`))
        .map((name) => `${file}: ${name}`),
    );
    expect(leaving).toEqual([]);
  });

  it('between packages, scripts and tests', () => {
    const sources = [...packageSources, ...files('{scripts,tests}/**/*.{ts,mjs}')];
    const found = edges(sources, (path) => /^(packages|scripts|tests)\//.exec(path)?.[1]);
    expect(found.length).toBeGreaterThan(50);
    expect(faults(REPOSITORY, found)).toEqual([]);
  });

  it('and what is shipped does not import kazahana/testing', () => {
    expect(packageSources.filter((file) => importsOf(file).includes('kazahana/testing'))).toEqual([]);
  });

  it('or is found, of either kind', () => {
    const order = [['low'], ['high', 'beside']];
    const edge = (from: string, to: string) => ({ from, to, file: 'x.ts' });
    expect(faults(order, [edge('high', 'low')])).toEqual([]);
    expect(faults(order, [edge('low', 'high')])).toEqual(['x.ts: low imports high']);
    expect(faults(order, [edge('high', 'beside')])).toEqual(['x.ts: high imports beside']);
    expect(faults(order, [edge('high', 'unlisted')])).toEqual(['x.ts: high imports unlisted']);
  });
});
