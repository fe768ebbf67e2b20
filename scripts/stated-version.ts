// The version of the packages, where it stands beside their package.json: a release writes the new one there, too. A test holds these
// files to the packages.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The library's own constant, and what commands print, as documents and tests show it. */
export const STATES_VERSION = [
  'packages/kazahana/src/version.ts',
  'docs/terminal-session.md',
  'tests/cli/help-examples.txt',
  'tests/cli/pictures/serve-40.txt',
  'tests/cli/pictures/serve-80.txt',
];

/** The version of all packages: they are released together. */
export function packageVersion(repository: string): string {
  const manifest = readFileSync(join(repository, 'packages', 'kazahana', 'package.json'), 'utf8');
  return (JSON.parse(manifest) as { version: string }).version;
}

/** A version as a whole, not as a part of a longer number. */
export const versionPattern = (version: string) =>
  new RegExp(`(?<![\\d.])${version.replaceAll('.', '\\.')}(?![\\d.])`, 'g');

export function stateVersion(repository: string, before: string, after: string): void {
  for (const path of STATES_VERSION) {
    const file = join(repository, path);
    const text = readFileSync(file, 'utf8');
    const stated = text.replace(versionPattern(before), after);
    if (stated === text && before !== after) throw new Error(`${path} does not state the version ${before}`);
    writeFileSync(file, stated);
  }
}
