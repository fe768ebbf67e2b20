// What every function of the schema is declared with.

/**
 * Plans by index whatever the statistics say: those of a table that is young, or bloated under somebody's idle
 * transaction, are no guide. And no names but our own and PostgreSQL's.
 */
const SETTINGS = `
  SET search_path = pg_catalog, pg_temp
  SET enable_seqscan = off
  SET enable_bitmapscan = off
  SET enable_sort = off
  SET plan_cache_mode = force_generic_plan
  SET jit = off`;

/** A function of one JSON object that answers with one. */
export const defineFunction = (s: string, name: string, declarations: string, body: string): string => `
CREATE OR REPLACE FUNCTION ${s}.${name}(args jsonb) RETURNS jsonb LANGUAGE plpgsql${SETTINGS}
AS $kazahana$
DECLARE
  p ${s}.pools;
  v_now bigint;
${declarations}
BEGIN
${body}
END
$kazahana$;
`;
