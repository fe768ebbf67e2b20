import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { prepareStatements } from './records.js';
import { SCHEMA } from './schema.js';

const database = new DatabaseSync(':memory:');
database.exec(SCHEMA);
const plans = Object.entries(prepareStatements(database)).map(([name, { sourceSQL }]) => {
  const plan = database.prepare(`EXPLAIN QUERY PLAN ${sourceSQL}`).all() as { detail: string }[];
  return [name, plan.map(({ detail }) => detail)] as const;
});

/** Goes through all quotas of the pool, when a former layout is forgotten. */
const RARE = 'dropQuotas';

describe('a statement', () => {
  it.each(plans.filter(([name]) => name !== RARE))(
    'finds its rows by an index and sorts nothing: %s',
    (_, plan) => {
      const wanted = /^SEARCH pools .*\(pool=\?\)$|^SEARCH .*\(pool=\? AND .*\)$|^LIST SUBQUERY/;
      for (const detail of plan) expect(detail).toMatch(wanted);
    },
  );

  it('finds the next slots and counts held ones in the order of their time', () => {
    const index = 'slots_by_free_from (pool=? AND generation=?';
    expect(new Map(plans).get('nextSlots')).toEqual([`SEARCH slots USING INDEX ${index})`]);
    expect(new Map(plans).get('countHeld')).toEqual([
      `SEARCH slots USING COVERING INDEX ${index} AND free_from>?)`,
    ]);
  });
});
