// How `npm run mutants` counts; the mutants themselves take hours.
import { describe, expect, it } from 'vitest';
import { EQUIVALENT } from './mutants/equivalent.ts';
import { PARTS } from './mutants/parts.ts';
import { percent, scoresOf } from './mutants/score.ts';
import { withTable } from './mutants/table.ts';
import { readFile } from './operations-page.ts';

const SOURCE = 'if (a <\n  b) run();\n';
const at = (line: number, from: number, endLine: number, to: number) => ({
  location: { start: { line, column: from }, end: { line: endLine, column: to } },
});
const condition = { mutatorName: 'Equality', replacement: 'a <=\n b', ...at(1, 5, 2, 4) };
const call = { mutatorName: 'Call', replacement: ';', ...at(2, 6, 2, 12) };
const reportOf = (...statuses: readonly string[]) => ({
  files: {
    'src/a.ts': {
      source: SOURCE,
      mutants: statuses.map((status, i) => ({ ...(i % 2 ? call : condition), status })),
    },
  },
});
const LISTED = { file: 'a.ts', line: 'if (a <', original: 'a < b', replacement: 'a <= b', reason: 'none' };

describe('the score', () => {
  it('counts what a test killed or a mutant that hung; not what cannot be compiled', () => {
    const { scores } = scoresOf(reportOf('Killed', 'Timeout', 'Survived', 'NoCoverage', 'CompileError'), []);
    expect(percent(scores)).toBe(50);
    expect(scores[0]).toMatchObject({ killed: 1, timedOut: 1, equivalent: 0 });
    expect(scores[0]?.survivors).toMatchObject([
      { line: 1, source: 'if (a <', original: 'a < b', replacement: 'a <= b', isCovered: true },
      { line: 2, source: 'b) run();', original: 'run();', replacement: ';', isCovered: false },
    ]);
  });

  it('counts what could not be judged as if it had survived', () =>
    expect(percent(scoresOf(reportOf('Killed', 'RuntimeError'), []).scores)).toBe(50));

  it('leaves out what is listed as equivalent, on that line only', () => {
    expect(percent(scoresOf(reportOf('Survived', 'Killed'), [LISTED]).scores)).toBe(100);
    expect(percent(scoresOf(reportOf('Survived', 'Killed'), [{ ...LISTED, line: 'x' }]).scores)).toBe(50);
  });

  it('names entries of the list that survive no more', () => {
    expect(scoresOf(reportOf('Killed'), [LISTED]).stale).toEqual([LISTED]);
    expect(scoresOf(reportOf('Survived'), [LISTED]).stale).toEqual([]);
    expect(scoresOf(reportOf('Killed'), [{ ...LISTED, file: 'b.ts' }]).stale).toEqual([]);
  });
});

describe('the list of equivalent mutants', () => {
  it('is of lines that are there, each with a reason', () => {
    for (const { file, line, reason } of EQUIVALENT) {
      const lines = readFile(`packages/kazahana/src/${file}`).split('\n');
      expect(
        lines.map((text) => text.trim()),
        file,
      ).toContain(line);
      expect(reason.length).toBeGreaterThan(20);
    }
  });
});

it('every file that is mutated exists', () => {
  for (const { files } of Object.values(PARTS))
    for (const file of files) readFile(`packages/kazahana/src/${file}`);
});

describe('the table', () => {
  it('takes the place of the former one on the page, and of nothing else', () => {
    const { scores } = scoresOf(reportOf('Killed', 'Timeout', 'Survived'), []);
    const part = { part: 'all', goal: 90, isWhole: true, scores };
    const page = readFile('docs/reliability.md');
    const written = withTable(page, [part], 'how it was made');
    expect(written).toContain('how it was made\n\n|  | mutants |');
    expect(written).toContain(
      '| **all** | **3** | **1** | **1** | **1** | **0** | **66.7 %** |\n| `a.ts` | 3 |',
    );
    const around = (text: string) => [
      text.split('<!-- begin: npm run mutants')[0],
      text.split('<!-- end: mutants')[1],
    ];
    expect(around(written)).toEqual(around(page));
    expect(() => withTable('no place for it', [part], '')).toThrow('the page has no');
  });
});
