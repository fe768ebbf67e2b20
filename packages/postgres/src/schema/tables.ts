// What is kept in PostgreSQL. Columns of type uuid are keys of names, those of type json hold what only TypeScript reads
// (text.ts). A generation's key is that of its pool, too: with two columns the planner misjudges how many slots it has.
//
// An idle transaction anywhere in the database keeps every dead row from being cleaned up. So no row is updated by every
// write: what changes with each write is a new row of `heads`, and reads begin at the highest turn. And no search begins
// at the end of an index from which rows are taken: `heads` also says where the living rows begin (search-start.ts).

export const tables = (s: string): string => `
-- The locks.
CREATE TABLE ${s}.pools (pool uuid PRIMARY KEY, name json NOT NULL);

-- The record of each pool, one living row. There is no data until the pool is created.
CREATE TABLE ${s}.heads (
  pool uuid NOT NULL REFERENCES ${s}.pools, turn bigint NOT NULL, PRIMARY KEY (pool, turn),
  version bigint NOT NULL, data json, serial bigint NOT NULL,
  search text NOT NULL, fresh bigint NOT NULL, free_from bigint NOT NULL, slot bigint NOT NULL
);

-- Slots that were ever written. The data is the whole slot, the other columns are to find and to compare.
CREATE TABLE ${s}.slots (
  generation uuid NOT NULL, slot integer NOT NULL, PRIMARY KEY (generation, slot),
  version integer NOT NULL, free_from bigint NOT NULL, data json NOT NULL
);
CREATE INDEX slots_in_order ON ${s}.slots (generation, free_from, slot);

-- The slots that each quota counts.
CREATE TABLE ${s}.quotas (
  quota uuid NOT NULL, free_from bigint NOT NULL, generation uuid NOT NULL, slot integer NOT NULL,
  PRIMARY KEY (quota, free_from, generation, slot)
);

-- The data is the whole response, the keys are those of its slots.
CREATE TABLE ${s}.responses (
  request uuid PRIMARY KEY, created bigint NOT NULL, keys jsonb NOT NULL, data json NOT NULL
);
`;
