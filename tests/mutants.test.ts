// How `npm run mutants` counts; the mutants themselves take hours.
import { describe, expect, it } from 'vitest';
import { EQUIVALENT } from './mutants/equivalent.ts';
import { PARTS } from './mutants/parts.ts';
import { percent, scoresOf } from './mutants/score.ts';
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
