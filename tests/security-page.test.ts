// docs/security.md names a test for each threat; here they are looked up.
import { globSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { root } from '../scripts/run.ts';
import { readFile } from './operations-page.ts';

const page = readFile('docs/security.md');
const [, after = ''] = page.split('<!-- table: threats -->\n');
const rows = after
  .slice(0, after.indexOf('\n\n'))
  .split('\n')
  .slice(2)
  .map((row) => row.split(' | '));
const named = [
  ...rows.map((cells) => /`([^`]+)`/.exec(cells.at(-1) ?? '')?.[1] ?? ''),
  ...[...page.matchAll(/<!-- test -->`([^`]+)`/g)].map(([, name = '']) => name),
];
/** The packages that users install. */
const packages = globSync('packages/*/package.json', { cwd: root }).map(
  (path): PackageFile => JSON.parse(readFile(path)),
);
const locked: Readonly<Record<string, LockedPackage>> = JSON.parse(readFile('package-lock.json')).packages;

interface PackageFile {
  readonly name: string;
  readonly scripts?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

interface LockedPackage extends Omit<PackageFile, 'name' | 'scripts'> {
  readonly hasInstallScript?: boolean;
  readonly integrity?: string;
  readonly link?: boolean;
  readonly inBundle?: boolean;
}

const isOurs = (name: string) => packages.some((one) => one.name === name);
const namesOf = (dependencies: PackageFile['dependencies']) =>
  Object.keys(dependencies ?? {}).filter((name) => !isOurs(name));

/** Everything that comes with a package when it is installed, ours and others'. */
function broughtBy(names: readonly string[], known = new Set<string>()): ReadonlySet<string> {
  for (const name of names.filter((one) => !known.has(one))) {
    known.add(name);
    broughtBy(namesOf(locked[`node_modules/${name}`]?.dependencies), known);
  }
  return known;
}

const tests = globSync(['packages/*/src/**/*.test.ts', 'tests/**/*.test.ts'], { cwd: root })
  .map(readFile)
  .join('\n');

describe('what users install', () => {
  it('no package runs a script when it is installed, nor does anything that it brings', () => {
    const hooks = ['preinstall', 'install', 'postinstall', 'prepare'];
    for (const { name, scripts = {} } of packages)
      expect(
        hooks.filter((hook) => hook in scripts),
        name,
      ).toEqual([]);
    const brought = [...broughtBy(packages.flatMap(({ dependencies }) => namesOf(dependencies)))];
    expect(brought.length).toBeGreaterThan(10);
    expect(brought.filter((name) => locked[`node_modules/${name}`]?.hasInstallScript)).toEqual([]);
  });

  it('is locked with a hash', () => {
    const unlocked = Object.entries(locked).filter(
      ([path, { integrity, link }]) => path.startsWith('node_modules/') && !link && integrity === undefined,
    );
    expect(unlocked.map(([path]) => path)).toEqual([]);
  });

  it('is in the table of docs/security.md, each dependency with its reason, and nothing else is', () => {
    const [, table = ''] = page.split('<!-- table: dependencies -->\n');
    const listed = table
      .slice(0, table.indexOf('\n\n'))
      .split('\n')
      .slice(2)
      .map((row) => row.split('|').map((cell) => cell.trim()));
    const stated = listed.flatMap(([, names = '', of = '', why = '']) => {
      expect(why.length).toBeGreaterThan(10);
      return [...names.matchAll(/`([^`]+)`/g)].flatMap(([, name]) =>
        of.split(', ').map((one) => `${one}: ${name}`),
      );
    });
    const actual = packages.flatMap(({ name, dependencies, peerDependencies }) =>
      [...namesOf(dependencies), ...namesOf(peerDependencies)].map((one) => `${name}: ${one}`),
    );
    // The stores' peers are those that the command brings.
    const peers = ['@kazahana/postgres: pg', '@kazahana/redis: @redis/client'];
    expect(stated.sort()).toEqual(actual.filter((one) => !peers.includes(one)).sort());
  });
});

describe('docs/security.md', () => {
  it('has a threat model', () => {
    expect(rows.length).toBeGreaterThan(15);
    for (const title of [
      'What is worth protecting',
      'What each caller may do',
      'What a theft means',
      'Secrets and their lives',
      'What we depend on',
      'What external IDs hide',
    ])
      expect(page).toContain(`\n## ${title}\n`);
    expect(readFile('SECURITY.md')).toContain('docs/security.md');
  });

  it.each(named)('names a test that exists: %s', (name) => {
    expect(name).not.toBe('');
    expect([`'${name}'`, `\`${name}\``, `"${name}"`].some((quoted) => tests.includes(quoted))).toBe(true);
  });
});
