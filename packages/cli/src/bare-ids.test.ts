import { describe, expect, it } from 'vitest';
import { withInspect } from './bare-ids.js';

describe('a bare ID is inspected', () => {
  const inspected = [
    ['01941f29-7c00-7aaa-aaaa-aaaaaaaaaaaa'],
    ['115005299097601287', '--json'],
    ['--json', '115005299097601287'],
    ['--color', 'never', 'rmWMOny8JZo'],
    ['-SNFZ4mrze8'],
    ['-'],
    ['{"id": 5}'],
    ['aaaaaaaa-aaaa-aaaa-aaaa-aaaaaaaaaaaa'],
    ['--', '-5'],
    [''],
  ];
  for (const words of inspected) {
    it(words.join(' '), () => expect(withInspect(words)).toEqual(['inspect', ...words]));
  }

  const left = [
    [],
    ['uuid'],
    ['uuids'],
    ['inspect', '5'],
    ['pool', 'list'],
    ['--color', 'never', 'uuid'],
    ['--color', 'never'],
    ['--colour', 'always', 'uuid'],
    ['--version'],
    ['-h'],
    ['frobnicate', '5'],
  ];
  for (const words of left) {
    it(`not: ${words.join(' ')}`, () => expect(withInspect(words)).toEqual(words));
  }
});
