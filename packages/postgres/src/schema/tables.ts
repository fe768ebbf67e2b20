// What is kept in PostgreSQL. The tables are made so that no work of an acquire or a release walks over dead rows: a
// transaction that sits idle anywhere in the database keeps every dead row from being cleaned up, and thousands of
// them then stand at the head of an index that is read from its head. So every search starts at an exact key, at the
// newest of equal ones, or at a remembered place.
//
// A row of `slots` is a slot with the lease that it has in the pool's present layout; there are rows for slots that
// were used and for the next few. Leases of former layouts move to `former_leases`. There is no unique index on
// (pool, slot): it would have to look at every dead version of a row at each update. Rows are only ever added under
// the pool's lock, in `prepare` and `change_layout`.

export const tables = (s: string): string => `
CREATE TABLE ${s}.pools (
  key integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text NOT NULL UNIQUE,
  id text NOT NULL,
  -- Rises with every change of layout, so that servers know when what they remember is out of date.
  version integer NOT NULL DEFAULT 1,
  -- The serial is the highest of \`grants\`, or this where it is higher (rule R7).
  serial bigint NOT NULL DEFAULT 0,
  custom_epoch bigint NOT NULL,
  bit_reserve integer NOT NULL,
  bit_ts integer NOT NULL,
  bit_id integer NOT NULL,
  bit_seq integer NOT NULL,
  former jsonb NOT NULL DEFAULT '[]',
  -- Slots below have a row.
  prepared integer NOT NULL DEFAULT 0,
  quarantined_until bigint NOT NULL DEFAULT 0,
  lost_ids text[] NOT NULL DEFAULT '{}',
  max_window bigint NOT NULL
);

CREATE TABLE ${s}.slots (
  pool integer NOT NULL,
  slot integer NOT NULL,
  -- 0 when it was never used.
  free_from bigint NOT NULL DEFAULT 0,
  -- Written with a free_from not above a place that some server may have remembered: a search from there would miss it.
  is_late boolean NOT NULL DEFAULT false,
  -- Of its last grant.
  serial bigint NOT NULL DEFAULT 0,
  -- The rest is null when it is not leased.
  secret text,
  service text,
  holder text,
  created bigint,
  expired bigint,
  fallback_until bigint,
  account text,
  -- The request that it answers, as the how manieth lease of how many.
  request text,
  place integer,
  answer_size integer
);
CREATE INDEX slots_by_free_from ON ${s}.slots (pool, free_from, slot);
-- Read from the highest serial, which is that of the living row.
CREATE INDEX slots_by_number ON ${s}.slots (pool, slot, serial);
CREATE INDEX slots_late ON ${s}.slots (pool, free_from) WHERE is_late;
CREATE INDEX slots_by_request ON ${s}.slots (pool, request) WHERE request IS NOT NULL;
CREATE INDEX slots_by_service ON ${s}.slots (pool, service, fallback_until) WHERE secret IS NOT NULL;
CREATE INDEX slots_by_account ON ${s}.slots (pool, account, fallback_until) WHERE account IS NOT NULL;

CREATE TABLE ${s}.former_leases (
  pool integer NOT NULL,
  slot integer NOT NULL,
  bit_id integer NOT NULL,
  bit_seq integer NOT NULL,
  serial bigint NOT NULL,
  secret text NOT NULL,
  service text NOT NULL,
  holder text NOT NULL,
  created bigint NOT NULL,
  expired bigint NOT NULL,
  fallback_until bigint NOT NULL,
  account text,
  PRIMARY KEY (pool, slot, bit_seq)
);

-- The last few thousand grants. Those that run at once commit in any order, so the highest serial alone does not tell
-- whether a lower one was lost with a replica that lagged behind; here it is missing.
CREATE TABLE ${s}.grants (
  pool integer NOT NULL,
  serial bigint NOT NULL,
  -- The free_from of the highest place that was given out to be remembered.
  place bigint NOT NULL,
  PRIMARY KEY (pool, serial)
);
`;
