import { InvalidArgumentError } from 'kazahana/lease';
import { describe, expect, it } from 'vitest';
import { checkSchemaName } from './name.js';

const HOSTILE = [
  'a b',
  'a"b',
  "a'b",
  'a;DROP TABLE pools',
  'a.b',
  'a-b',
  'a\\b',
  'a\0',
  'a$$b',
  'a\nb',
  'é',
  'ａ',
];
const RESERVED = ['pg_catalog', 'PG_temp', 'information_schema', 'public', 'Public'];
const OTHERS = ['', '1a', 'x'.repeat(64), null, 5, {}, ['kazahana']];

describe('the name of a schema', () => {
  it.each(['kazahana', 'Kazahana', '_', 'a1', 'x'.repeat(63)])('may be %j', (name) => {
    expect(checkSchemaName(name)).toBe(name);
  });

  it.each([...HOSTILE, ...RESERVED, ...OTHERS])('may not be %j', (name) => {
    expect(() => checkSchemaName(name)).toThrow(InvalidArgumentError);
  });
});
