// What operators see and do.
import { EMPTY } from './release-functions.js';
import { defineFunction } from './settings.js';

/** A lease is in its slot, whose free_from is its end, or among those of former layouts. */
const held = (s: string): string => `
    (SELECT slot, p.bit_seq AS bit_seq, service, holder, created, expired, fallback_until FROM ${s}.slots
      WHERE pool = p.key AND free_from > v_now AND secret IS NOT NULL AND fallback_until > v_now
    UNION ALL
    SELECT slot, bit_seq, service, holder, created, expired, fallback_until FROM ${s}.former_leases
      WHERE pool = p.key AND fallback_until > v_now) AS held`;

const inspect = (s: string): string =>
  defineFunction(
    s,
    'inspect_pool',
    '  v_held bigint;',
    `
  p := ${s}.enter(args ->> 'pool', false);
  v_now := ${s}.now_ms();
  SELECT count(*) INTO v_held FROM ${held(s)};
  RETURN jsonb_build_object('now', v_now, 'pool', ${s}.to_json(p), 'held', v_held);`,
  );

const list = (s: string): string =>
  defineFunction(
    s,
    'list_leases',
    '  v_leases jsonb;',
    `
  p := ${s}.enter(args ->> 'pool', false);
  v_now := ${s}.now_ms();
  SELECT jsonb_agg(jsonb_build_object('id', slot, 'bitSeq', bit_seq, 'serviceId', service, 'holder', holder,
      'created', created, 'expired', expired, 'fallbackUntil', fallback_until) ORDER BY slot, bit_seq)
    INTO v_leases FROM ${held(s)};
  RETURN coalesce(v_leases, '[]');`,
  );

const quarantine = (s: string): string =>
  defineFunction(
    s,
    'quarantine_pool',
    '',
    `
  p := ${s}.enter(args ->> 'pool', true);
  PERFORM ${s}.stop_granting(p, ${s}.now_ms(), (args ->> 'window_ms')::bigint, (args ->> 'margin')::bigint, NULL, NULL);
  RETURN jsonb_build_object();`,
  );

const revoke = (s: string): string =>
  defineFunction(
    s,
    'revoke_leases',
    `
  v_slot CONSTANT integer := args ->> 'slot';
  v_serial bigint;
  v_count integer;
  v_former integer;`,
    `
  p := ${s}.enter(args ->> 'pool', false);
  v_now := ${s}.now_ms();
  SELECT serial INTO v_serial FROM ${s}.slots WHERE pool = p.key AND slot = v_slot ORDER BY serial DESC LIMIT 1;
  UPDATE ${s}.slots SET ${EMPTY}
    WHERE pool = p.key AND slot = v_slot AND serial = v_serial AND fallback_until > v_now;
  GET DIAGNOSTICS v_count = ROW_COUNT;
  DELETE FROM ${s}.former_leases WHERE pool = p.key AND slot = v_slot AND fallback_until > v_now;
  GET DIAGNOSTICS v_former = ROW_COUNT;
  RETURN jsonb_build_object('count', v_count + v_former);`,
  );

/**
 * `relayoutSlots` of the pool rules: a new slot becomes free when every old range that it overlaps is. Slots between
 * them that were never used get their rows, too. Leases move to those of former layouts, and the answers that they were
 * part of are forgotten.
 */
const changeLayout = (s: string): string =>
  defineFunction(
    s,
    'change_layout',
    `
  a record;
  v_serial bigint;
  v_shift integer;
  v_prepared integer;`,
    `
  SELECT * INTO a FROM jsonb_to_record(args) AS x(pool text, id text, version integer, bit_id integer, bit_seq integer);
  p := ${s}.enter(a.pool, true);
  IF p.key IS NULL OR p.id <> a.id OR p.version <> a.version THEN
    RETURN jsonb_build_object('isDone', false);
  END IF;
  v_now := ${s}.now_ms();
  -- That of the living row is the highest of its slot: see slots_by_number.
  v_serial := ${s}.serial_of(p);
  DELETE FROM ${s}.former_leases WHERE pool = p.key AND fallback_until <= v_now;
  INSERT INTO ${s}.former_leases (pool, slot, bit_id, bit_seq, serial, secret, service, holder, created, expired,
      fallback_until, account)
    SELECT pool, slot, p.bit_id, p.bit_seq, serial, secret, service, holder, created, expired, fallback_until, account
      FROM ${s}.slots WHERE pool = p.key AND secret IS NOT NULL AND fallback_until > v_now;
  v_shift := p.bit_seq - a.bit_seq;
  WITH gone AS (
    DELETE FROM ${s}.slots WHERE pool = p.key RETURNING slot::bigint AS slot, free_from
  ), changed AS (
    SELECT n, max(free_from) AS free_from
      FROM gone, generate_series(
        CASE WHEN v_shift >= 0 THEN slot << v_shift ELSE slot >> -v_shift END,
        CASE WHEN v_shift >= 0 THEN ((slot + 1) << v_shift) - 1 ELSE slot >> -v_shift END) AS n
      WHERE free_from > 0 GROUP BY n
  )
  INSERT INTO ${s}.slots (pool, slot, free_from, serial)
    SELECT p.key, n, coalesce(changed.free_from, 0), v_serial
      FROM generate_series(0, (SELECT max(n) FROM changed)) AS n LEFT JOIN changed USING (n);
  GET DIAGNOSTICS v_prepared = ROW_COUNT;
  UPDATE ${s}.pools SET version = version + 1, bit_id = a.bit_id, bit_seq = a.bit_seq, prepared = v_prepared,
    former = former || jsonb_build_object('bitId', p.bit_id, 'bitSeq', p.bit_seq) WHERE key = p.key;
  RETURN jsonb_build_object('isDone', true);`,
  );

export const operatorFunctions = (s: string): string =>
  inspect(s) + list(s) + quarantine(s) + revoke(s) + changeLayout(s);
