import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LineSplitter } from './lines.js';

function linesOf(chunks: readonly string[]): string[] {
  const lines: string[] = [];
  const splitter = new LineSplitter((bytes, start, end) => {
    lines.push(new TextDecoder().decode(bytes.slice(start, end)));
  });
  for (const chunk of chunks) splitter.add(new TextEncoder().encode(chunk));
  splitter.end();
  return lines;
}

describe('lines', () => {
  it('are the same wherever the chunks end', () => {
    const line = fc.string({ unit: fc.constantFrom('1', '2', 'a', '-'), maxLength: 30 });
    const cuts = fc.array(fc.nat(200));
    fc.assert(
      fc.property(
        fc.array(line),
        fc.constantFrom('\n', '\r\n'),
        fc.boolean(),
        cuts,
        (lines, end, isEnded, places) => {
          const text = lines.join(end) + (isEnded && lines.length > 0 ? end : '');
          const at = [0, ...places.filter((place) => place < text.length).sort((a, b) => a - b), text.length];
          const chunks = at.slice(1).map((place, i) => text.slice(at[i], place));
          // A last line that is empty and has no end is none.
          const expected = !isEnded && lines.at(-1) === '' ? lines.slice(0, -1) : lines;
          expect(linesOf(chunks)).toEqual(expected);
        },
      ),
    );
  });

  it('of any length take no more memory than a short one', () => {
    const long = 'x'.repeat(1000);
    expect(linesOf([long, long, `\n1\n${long}`, '5\n2'])).toEqual([
      'x'.repeat(256),
      '1',
      'x'.repeat(256),
      '2',
    ]);
  });
});
