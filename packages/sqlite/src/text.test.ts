import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromStored, toStored } from './text.js';

describe('a stored text', () => {
  const database = new DatabaseSync(':memory:');
  const echo = database.prepare('SELECT ? AS text');

  it('comes back from SQLite as it was, whatever its characters are', () => {
    const text = fc.string({ unit: fc.nat(0xffff).map((unit) => String.fromCharCode(unit)) });
    const special = fc.string({ unit: fc.constantFrom('\\', '"', '\0', '\ud800', '\udc00', 'n', 'u', '0') });
    fc.assert(
      fc.property(fc.oneof(text, special), (original) => {
        const { text: stored } = echo.get(toStored(original)) as { text: string };
        expect(fromStored(stored)).toBe(original);
      }),
    );
  });

  it('looks as it is where that is ordinary, or JSON', () => {
    for (const text of ['default', 'Zürich 注文 🙂', '{"lease":null,"past":[]}'])
      expect(toStored(text)).toBe(text);
  });
});
