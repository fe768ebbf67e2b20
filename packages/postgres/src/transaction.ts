// How the driver's transactions begin. Each sets what it needs, whatever the defaults of server, database, role or pool
// are, and leaves nothing behind in the session.

const SETTINGS = [
  'synchronous_commit = on',
  // A process that hangs with the pool locked, or whose network is gone, loses the lock before the others give up.
  ...['idle_in_transaction_session_timeout = 3000', 'lock_timeout = 4000', 'statement_timeout = 5000'],
  // Our names have the schema in front of them.
  'search_path = pg_catalog, pg_temp',
  // Walk indexes whatever the statistics say: those of a young table, or of one full of dead rows, are no guide.
  ...['seqscan', 'bitmapscan', 'sort', 'hashjoin', 'mergejoin'].map((method) => `enable_${method} = off`),
  'jit = off',
];

export const BEGIN = `BEGIN ISOLATION LEVEL READ COMMITTED; ${SETTINGS.map((setting) => `SET LOCAL ${setting};`).join(' ')}\n`;
