// One word for one thing, in code, errors, documents and the page: these words are retired (CONTRIBUTING.md, *Words*), because each had
// several meanings or hides who acts.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../scripts/run.ts';

interface RetiredWord {
  /** An extended regular expression for whole words, without regard to case. */
  readonly pattern: string;
  readonly instead: string;
  /** Paths where the word means something else, and what. */
  readonly except?: Readonly<Record<string, string>>;
}

const RETIRED: readonly RetiredWord[] = [
  { pattern: 'whoever|nobody|somebody|those who', instead: 'a client, a caller, a store or an operator' },
  { pattern: 'public ids?', instead: 'external ID' },
  { pattern: 'machine numbers?', instead: 'machine ID' },
  { pattern: 'reply|replies|replied', instead: 'response' },
  {
    pattern: 'answer|answers|answered|answering',
    instead: 'response, respond, result',
    except: {
      'packages/web/src': 'what the page shows for a pasted text: no request is sent',
      'tests/web': 'the same',
    },
  },
  { pattern: 'stays? taken|(slots?|machine ids?|every slot) (is|are) taken', instead: 'held' },
  { pattern: '(could|may|can)( still)? be out', instead: 'clients may still hold' },
  { pattern: 'publicids?', instead: 'externalId' },
  { pattern: 'asked', instead: 'requested, called, read' },
];

/** This file names the words; the others are generated, or tell what was. */
const ELSEWHERE = ['tests/words.test.ts', 'package-lock.json', 'CHANGELOG.md'];

/** The table that retires the words. */
const [, table = ''] =
  /\n## Words\n(.*?)\n## /s.exec(readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8')) ?? [];

function occurrences({ pattern, except = {} }: RetiredWord): string[] {
  const left = [...ELSEWHERE, ...Object.keys(except)].map((path) => `:!${path}`);
  try {
    const found = execFileSync('git', ['grep', '-nIiwE', '--untracked', pattern, '--', '.', ...left], {
      cwd: root,
      encoding: 'utf8',
    });
    const isInTable = (line: string) =>
      line.startsWith('CONTRIBUTING.md:') && table.includes(line.replace(/^[^:]*:\d+:/, ''));
    return found
      .trim()
      .split('\n')
      .filter((line) => !isInTable(line));
  } catch (error) {
    // git grep exits with 1 when it finds nothing.
    if ((error as { status?: number }).status === 1) return [];
    throw error;
  }
}

describe('retired words', () => {
  it.each(RETIRED)('$pattern', (word) => {
    expect(occurrences(word), `say instead: ${word.instead}`).toEqual([]);
  });
});
