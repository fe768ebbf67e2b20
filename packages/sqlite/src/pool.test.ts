import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { prepareStatements } from './pool.js';
import { migrate } from './schema.js';

/** These are for a whole pool, and rare. */
const OF_ALL = ['usedSlots', 'deleteSlots', 'allLeases', 'forgetAnswers'];
/** The end of an index, which is found without going through it. */
const OF_ONE_END = ['lastSlot', 'firstSlot'];

describe('a statement of an acquire or a release', () => {
  const database = new DatabaseSync(':memory:');
  migrate(database, ':memory:');
  const statements = Object.entries(prepareStatements(database)).filter(
    ([name]) => !OF_ALL.includes(name) && !OF_ONE_END.includes(name),
  );

  it.each(statements)('finds its rows by an index, however many there are: %s', (name, { sourceSQL }) => {
    const plan = database.prepare(`EXPLAIN QUERY PLAN ${sourceSQL}`).all() as { detail: string }[];
    for (const { detail } of plan.filter(({ detail }) => /^(?:SCAN|SEARCH) (?!\()/.test(detail))) {
      const isSearch = name === 'readPool' ? /\(name=\?\)$/ : /\(pool=\? AND .*\)$/;
      expect(detail).toMatch(isSearch);
    }
  });
});
