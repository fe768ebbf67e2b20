// Both looks at the lines together, over all that a stream can have wrong with it.
import fc from 'fast-check';
import { minIdAt } from 'kazahana';
import { generateV4, generateV7 } from 'kazahana/uuid';
import { describe, expect, it } from 'vitest';
import { lineChecker } from './check.js';
import { lineConfirmer } from './confirm.js';
import { Findings } from './findings.js';
import { idTimesOf } from './id-times.js';
import { LineSplitter, type OnLine } from './lines.js';
import { RepeatedKeys } from './repeated-keys.js';

const NOW = Date.UTC(2026, 10, 16);
const ID = minIdAt(NOW - 5000);
const FALLBACK = 8192n << 8n;

function verify(lines: readonly string[], { isOrdered = true, runKeys = 4, suspects = 1000 } = {}): Findings {
  const findings = new Findings();
  const keys = new RepeatedKeys({ runKeys });
  const bytes = new TextEncoder().encode(lines.join('\n'));
  const look = (onLine: OnLine) => {
    const splitter = new LineSplitter(onLine);
    splitter.add(bytes);
    splitter.end();
  };
  look(lineChecker(findings, keys, { times: idTimesOf(undefined), isOrdered, now: () => NOW }));
  const repeated = keys.find(suspects);
  if (repeated.count > 0) look(lineConfirmer(findings, repeated));
  keys.dispose();
  return findings;
}

describe('a stream of IDs', () => {
  const uuid = '01941f29-7c00-7aaa-aaaa-aaaaaaaaaaaa';
  const rows: [title: string, lines: (string | bigint)[], counts: Partial<Findings>, examples: string[]][] = [
    ['all is well', [ID, ID + 1n, '', uuid], { lines: 4, ids: 3 }, []],
    [
      'what is no ID',
      [ID, 'hello\u001b[31m', '風花'],
      { ids: 1, invalid: 2 },
      ['line 2: not an ID: hello\\u001b[31m', '風花'].map((text, i) =>
        i === 0 ? text : `line 3: not an ID: ${text}`,
      ),
    ],
    [
      'a number twice, not side by side',
      [5n, 6n, 5n],
      { ids: 3, duplicates: 1, orderBreaks: 1 },
      ['line 3: 5 is below the one before it', 'line 3: 5 stands on line 1 already'],
    ],
    [
      'the same twice in a row is no break of order',
      [5n, 5n],
      { ids: 2, duplicates: 1 },
      ['line 2: 5 stands on line 1 already'],
    ],
    [
      'a UUID in two forms',
      [uuid, `{${uuid.toUpperCase()}}`],
      { ids: 2, duplicates: 1 },
      [`line 2: {${uuid.toUpperCase()}} stands on line 1 already`],
    ],
    ['a number and a UUID have no order', [ID, uuid, ID + 1n], { ids: 3 }, []],
    ['fallback is counted, and no fault', [ID + FALLBACK], { ids: 1, fallback: 1 }, []],
    [
      'the future',
      [minIdAt(NOW), minIdAt(NOW + 1)],
      { ids: 2, future: 1 },
      [`line 2: ${minIdAt(NOW + 1)} is of the future: 2026-11-16T00:00:00.001Z`],
    ],
    [
      'the future of v7s, which may run a second ahead',
      [v7At(NOW + 1000), v7At(NOW + 1001)],
      { ids: 2, future: 1 },
      [`line 2: ${v7At(NOW + 1001)} is of the future: 2026-11-16T00:00:01.001Z`],
    ],
    [
      'a time beyond all dates',
      [2n ** 64n - 1n],
      { ids: 1, future: 1, fallback: 1 },
      ['line 1: 18446744073709551615 is of the future: 2165-05-15T07:35:11.103Z'],
    ],
  ];
  for (const [title, lines, counts, examples] of rows) {
    it(title, () => {
      const { examples: told, ...found } = verify(lines.map(String));
      const none = { invalid: 0, duplicates: 0, orderBreaks: 0, fallback: 0, future: 0 };
      expect(found).toEqual({ lines: lines.length, ...none, ...counts });
      expect(told).toEqual(examples);
    });
  }

  it('is fine when nothing is wrong', () => {
    expect([verify([String(ID)]).isFine, verify(['5', '5']).isFine, verify(['x']).isFine]).toEqual([
      true,
      false,
      false,
    ]);
  });

  it('need not be in order', () => {
    expect(verify(['6', '5'], { isOrdered: false }).orderBreaks).toBe(0);
  });

  it('has all its duplicates counted, whatever the runs and however few are told', () => {
    const pool = [
      ...Array.from({ length: 20 }, (_, i) => String(i * 1e15)),
      generateV7(),
      generateV4(),
      generateV4(),
    ];
    const stream = fc.array(fc.constantFrom(...pool), { maxLength: 200 });
    fc.assert(
      fc.property(stream, fc.integer({ min: 1, max: 300 }), fc.nat(30), (lines, runKeys, suspects) => {
        const { duplicates } = verify(lines, { isOrdered: false, runKeys, suspects });
        expect(duplicates).toBe(lines.length - new Set(lines).size);
      }),
    );
  });
});

function v7At(unixMs: number): string {
  const time = unixMs.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`;
}
