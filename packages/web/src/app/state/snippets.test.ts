import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { quoted } from './snippets.js';

it('any text is one word of a shell', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      fc.pre(!text.includes('\0'));
      const said = execFileSync('sh', ['-c', `printf %s ${quoted(text)}`], { encoding: 'utf8' });
      expect(said).toBe(text);
    }),
    { numRuns: 30 },
  );
});

it('plain IDs are not quoted', () => {
  expect(quoted('01941f29-7c00-7aaa-aaaa-aaaaaaaaaaaa')).toBe('01941f29-7c00-7aaa-aaaa-aaaaaaaaaaaa');
  expect(quoted("it's")).toBe("'it'\\''s'");
  expect(quoted('-x')).toBe("'-x'");
});
