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
const tests = globSync(['packages/*/src/**/*.test.ts', 'tests/**/*.test.ts'], { cwd: root })
  .filter((path) => !path.endsWith('security-page.test.ts'))
  .map(readFile)
  .join('\n');

describe('docs/security.md', () => {
  it('has a threat model', () => {
    expect(rows.length).toBeGreaterThan(15);
    for (const title of [
      'What is worth protecting',
      'What each caller may do',
      'What a theft means',
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
