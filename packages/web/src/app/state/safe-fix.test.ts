import { describe, expect, it } from 'vitest';
import { safeFix } from './safe-fix.js';

const uuid = '01941f29-7c00-7aaa-aaaa-aaaaaaaaaaaa';

describe('a safe fix', () => {
  const rows: [title: string, text: string][] = [
    ['puts hyphens where they belong', '01941f297-c00-7aaa-aaaa-aaaaaaaaaaaa'],
    ['takes dashes of other scripts', uuid.replaceAll('-', '–')],
    ['takes off quotes and a comma', `"${uuid}",`],
    ['closes or drops a brace', `{${uuid}`],
    ['mends the prefix', `uuid:${uuid}`],
    ['mends a broken URN', `urn uuid ${uuid}`],
    ['drops what cannot be seen', `\u200b${uuid}\u200b`],
  ];
  for (const [title, text] of rows) it(title, () => expect(safeFix(text)).toBe(uuid));

  it('is not offered where a digit would have to be guessed', () => {
    for (const text of [
      '01941f29-7c00-7aaa-aaaa-aaaaaaaaaaaO',
      '01941f29-7c00-7aaa-aaaa-aaaaaaaaaaa',
      '24688438-40e1-70d0-d97e-084cfc8992c7',
      '<img src=x onerror=alert(1)>',
      'a'.repeat(1_000_000),
    ]) {
      expect(safeFix(text)).toBeUndefined();
    }
  });
});
