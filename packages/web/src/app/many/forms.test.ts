import { describe, expect, it } from 'vitest';
import { type Form, PLAIN, writeIds } from './forms.js';

const ids = ['01941f29-7c00-7aaa-aaaa-aaaaaaaaaaaa', '01941f29-7c00-7aaa-aaaa-aaaaaaaaaaab'];
const big = String(2n ** 63n - 1n);

describe('the same IDs, written', () => {
  const rows: [title: string, form: Partial<Form>, expected: string][] = [
    ['one a line', {}, `${ids[0]}\n${ids[1]}`],
    ['in capitals', { uppercase: true }, `${ids[0]?.toUpperCase()}\n${ids[1]?.toUpperCase()}`],
    [
      'without hyphens',
      { withHyphens: false },
      '01941f297c007aaaaaaaaaaaaaaaaaaa\n01941f297c007aaaaaaaaaaaaaaaaaab',
    ],
    ['in braces', { wrap: 'braces' }, `{${ids[0]}}\n{${ids[1]}}`],
    ['as URNs', { wrap: 'urn' }, `urn:uuid:${ids[0]}\nurn:uuid:${ids[1]}`],
    [
      'as URNs, which always have hyphens',
      { wrap: 'urn', withHyphens: false },
      `urn:uuid:${ids[0]}\nurn:uuid:${ids[1]}`,
    ],
    ['as JSON', { container: 'json' }, `[\n  "${ids[0]}",\n  "${ids[1]}"\n]`],
    ['as SQL', { container: 'sql' }, `VALUES\n  ('${ids[0]}'),\n  ('${ids[1]}');`],
    ['as CSV', { container: 'csv' }, `id\r\n${ids[0]}\r\n${ids[1]}`],
  ];
  for (const [title, form, expected] of rows) {
    it(title, () => expect(writeIds(ids, { ...PLAIN, ...form })).toBe(expected));
  }

  it('keeps 64-bit numbers whole: as strings in JSON, as numbers in SQL, and no form of a UUID is forced on them', () => {
    expect(JSON.parse(writeIds([big], { ...PLAIN, container: 'json', uppercase: true }))).toEqual([big]);
    expect(writeIds([big], { ...PLAIN, container: 'sql', wrap: 'urn' })).toBe(`VALUES\n  (${big});`);
  });
});
