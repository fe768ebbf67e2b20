// The functions about a pool as a whole: its lock, its clock, its birth and its quarantine.
import { defineFunction } from './settings.js';

/**
 * The store's time (rule R3); every function asks once. Whole milliseconds, rounded down.
 *
 * `enter` lets a call in: beside others, or alone, which those need that change the pool itself. The lock is an
 * advisory one because a row lock would be written to the row by everybody. It is taken before anything is read, and
 * under READ COMMITTED all statements after it see what was committed before it.
 *
 * These are called by the functions of `defineFunction` only, and run under their settings.
 */
const foundations = (s: string, schema: string): string => `
CREATE OR REPLACE FUNCTION ${s}.now_ms() RETURNS bigint LANGUAGE sql VOLATILE
AS $kazahana$ SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint $kazahana$;

CREATE OR REPLACE FUNCTION ${s}.enter(pool_name text, is_alone boolean) RETURNS ${s}.pools LANGUAGE plpgsql
AS $kazahana$
DECLARE
  p ${s}.pools;
  v_key CONSTANT bigint := hashtextextended('kazahana/${schema}/pool/' || pool_name, 0);
BEGIN
  IF current_setting('transaction_isolation') <> 'read committed' THEN
    RAISE EXCEPTION 'kazahana needs READ COMMITTED, not %', current_setting('transaction_isolation')
      USING ERRCODE = 'invalid_transaction_state';
  END IF;
  IF current_setting('transaction_read_only') = 'on' THEN
    RAISE EXCEPTION 'kazahana cannot lease from a server that is read-only'
      USING ERRCODE = 'read_only_sql_transaction';
  END IF;
  IF is_alone THEN
    PERFORM pg_advisory_xact_lock(v_key);
  ELSE
    PERFORM pg_advisory_xact_lock_shared(v_key);
  END IF;
  SELECT * INTO p FROM ${s}.pools WHERE name = pool_name;
  RETURN p;
END
$kazahana$;

CREATE OR REPLACE FUNCTION ${s}.serial_of(p ${s}.pools) RETURNS bigint LANGUAGE plpgsql
AS $kazahana$
DECLARE
  v_highest bigint;
BEGIN
  SELECT serial INTO v_highest FROM ${s}.grants WHERE pool = p.key ORDER BY serial DESC LIMIT 1;
  RETURN greatest(p.serial, v_highest);
END
$kazahana$;

CREATE OR REPLACE FUNCTION ${s}.to_json(p ${s}.pools) RETURNS jsonb LANGUAGE sql
AS $kazahana$
  SELECT jsonb_build_object(
    'id', p.id, 'version', p.version, 'serial', ${s}.serial_of(p),
    'layout', jsonb_build_object('customEpoch', p.custom_epoch, 'bitReserve', p.bit_reserve, 'bitTs', p.bit_ts,
      'bitId', p.bit_id, 'bitSeq', p.bit_seq),
    'former', p.former, 'quarantinedUntil', p.quarantined_until, 'lostIds', to_jsonb(p.lost_ids),
    'maxWindow', p.max_window)
$kazahana$;

-- \`quarantine\` of the pool rules. Who calls it is alone.
CREATE OR REPLACE FUNCTION ${s}.stop_granting(
  p ${s}.pools, now_ms bigint, window_ms bigint, margin_ms bigint, seen_pool text, seen_serial bigint
) RETURNS ${s}.pools LANGUAGE plpgsql
AS $kazahana$
DECLARE
  v_longest CONSTANT bigint := greatest(p.max_window, window_ms);
BEGIN
  p.max_window := v_longest;
  p.quarantined_until := greatest(p.quarantined_until, now_ms + v_longest + margin_ms);
  IF seen_pool = p.id THEN
    p.serial := greatest(${s}.serial_of(p), seen_serial);
  ELSIF seen_pool IS NOT NULL THEN
    p.lost_ids := p.lost_ids || seen_pool;
  END IF;
  UPDATE ${s}.pools SET max_window = p.max_window, quarantined_until = p.quarantined_until, serial = p.serial,
    lost_ids = p.lost_ids WHERE key = p.key;
  RETURN p;
END
$kazahana$;
`;

/** The pool, made when it does not exist: `createPool` of the pool rules. */
const openPool = (s: string): string =>
  defineFunction(
    s,
    'open_pool',
    '  a record;',
    `
  SELECT * INTO a FROM jsonb_to_record(args) AS x(pool text, id text, custom_epoch bigint, bit_reserve integer,
    bit_ts integer, bit_id integer, bit_seq integer, max_window bigint, margin bigint, seen_pool text,
    seen_serial bigint);
  SELECT * INTO p FROM ${s}.pools WHERE name = a.pool;
  IF p.key IS NULL THEN
    p := ${s}.enter(a.pool, true);
    IF p.key IS NULL THEN
      INSERT INTO ${s}.pools (name, id, custom_epoch, bit_reserve, bit_ts, bit_id, bit_seq, max_window)
        VALUES (a.pool, a.id, a.custom_epoch, a.bit_reserve, a.bit_ts, a.bit_id, a.bit_seq, a.max_window)
        RETURNING * INTO p;
      IF a.seen_pool IS NOT NULL THEN
        p := ${s}.stop_granting(p, ${s}.now_ms(), a.max_window, a.margin, a.seen_pool, a.seen_serial);
      END IF;
    END IF;
  END IF;
  RETURN ${s}.to_json(p);`,
  );

export const poolFunctions = (s: string, schema: string): string => foundations(s, schema) + openPool(s);
