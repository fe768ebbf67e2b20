// Which test runs or compares the code of documents that is neither TypeScript nor a recipe: no piece of code is left alone.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/run.ts';
import type { Snippet } from './snippets.ts';

/** The tests that run or compare what is in another language, by document; of each, the test names the document. */
const CHECKED_BY: Readonly<Record<string, readonly string[]>> = {
  'tests/cli/docs.test.ts': [
    'console docs/cli.md',
    'console docs/recipes.md',
    'console docs/start-server.md',
    'console packages/cli/README.md',
  ],
  'tests/cli/session.ts': ['text docs/terminal-session.md'],
  'tests/protocol-page.test.ts': ['json docs/protocol.md', 'http docs/protocol.md'],
  'tests/operations-page.ts': ['json docs/configuration.md', 'json docs/scale.md'],
  'tests/metrics.test.ts': ['yaml docs/monitoring.md'],
  'tests/kubernetes.test.ts': ['yaml docs/fixed-machine-id.md'],
};
/** Pictures made of letters. */
const NOT_RUN = ['text docs/estelle.md'];

/** What was looked at, and what is wrong with it: an empty text where nothing is. */
export function checkLanguages(snippets: readonly Snippet[]): [name: string, fault: string][] {
  const tests = Object.entries(CHECKED_BY).map(([test, pieces]): [string, string] => {
    const text = readFileSync(join(root, test), 'utf8');
    const forgotten = pieces.filter((piece) => {
      const [, name = ''] = /([\w-]+)\.md$/.exec(piece) ?? [];
      return !text.includes(name);
    });
    return [test, forgotten.length === 0 ? '' : `does not name ${forgotten.join(', ')}`];
  });
  const known = [...Object.values(CHECKED_BY).flat(), ...NOT_RUN];
  const others = snippets.filter(({ language }) => !['', 'ts', 'sh'].includes(language));
  const pieces = others.map(({ origin, language }): [string, string] => {
    const isRun = known.includes(`${language} ${origin.replace(/:\d+$/, '')}`);
    return [origin, isRun ? '' : `no test runs or compares this piece of ${language}`];
  });
  return [...tests, ...pieces];
}
