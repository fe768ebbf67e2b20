// The release, in two steps, because only JavaScript compares signatures (in constant time): first the leases of a
// machine number are read, then the one whose signature fits is given back, if it is still there.
import { defineFunction } from './settings.js';

const candidates = (s: string): string =>
  defineFunction(
    s,
    'leases_of',
    `
  v_slot CONSTANT integer := args ->> 'slot';
  v_leases jsonb := '[]';
  lease record;`,
    `
  p := ${s}.enter(args ->> 'pool', false);
  v_now := ${s}.now_ms();
  IF p.key IS NULL THEN
    RETURN jsonb_build_object('now', v_now, 'pool', NULL, 'leases', v_leases);
  END IF;
  FOR lease IN
    (SELECT p.bit_id AS bit_id, p.bit_seq AS bit_seq, false AS is_former, serial, secret, created, expired,
        fallback_until
      FROM ${s}.slots WHERE pool = p.key AND slot = v_slot ORDER BY serial DESC LIMIT 1)
    UNION ALL
    (SELECT bit_id, bit_seq, true, serial, secret, created, expired, fallback_until
      FROM ${s}.former_leases WHERE pool = p.key AND slot = v_slot)
  LOOP
    IF lease.secret IS NOT NULL THEN
      v_leases := v_leases || jsonb_build_object('id', v_slot, 'bitId', lease.bit_id, 'bitSeq', lease.bit_seq,
        'isFormer', lease.is_former, 'serial', lease.serial, 'secret', lease.secret, 'created', lease.created,
        'expired', lease.expired, 'fallbackUntil', lease.fallback_until);
    END IF;
  END LOOP;
  RETURN jsonb_build_object('now', v_now, 'pool', ${s}.to_json(p), 'leases', v_leases);`,
  );

/** Nothing about a lease is left in its slot but when that is free again. */
export const EMPTY = `secret = NULL, service = NULL, holder = NULL, created = NULL, expired = NULL,
      fallback_until = NULL, account = NULL, request = NULL, place = NULL, answer_size = NULL`;

/** `free_from` is what the pool rules say; it holds only where the slot is still this lease's to give back (R2, R4). */
const release = (s: string): string =>
  defineFunction(
    s,
    'release',
    `
  a record;
  v_place bigint;
  v_is_late boolean;
  v_count integer;`,
    `
  SELECT * INTO a FROM jsonb_to_record(args) AS x(pool text, id text, version integer, slot integer, bit_seq integer,
    is_former boolean, serial bigint, fallback_until bigint, free_from bigint);
  p := ${s}.enter(a.pool, false);
  IF p.key IS NULL OR p.id <> a.id OR p.version <> a.version THEN
    RETURN jsonb_build_object('isDone', false);
  END IF;
  SELECT place INTO v_place FROM ${s}.grants WHERE pool = p.key ORDER BY serial DESC LIMIT 1;
  v_is_late := a.free_from <= coalesce(v_place, 0);
  IF a.is_former THEN
    DELETE FROM ${s}.former_leases
      WHERE pool = p.key AND slot = a.slot AND bit_seq = a.bit_seq AND serial = a.serial;
    GET DIAGNOSTICS v_count = ROW_COUNT;
    -- The pool may have changed its layout and changed it back.
    IF v_count = 1 AND a.bit_seq = p.bit_seq THEN
      UPDATE ${s}.slots SET free_from = a.free_from, is_late = v_is_late
        WHERE pool = p.key AND free_from = a.fallback_until AND slot = a.slot;
    END IF;
  ELSE
    UPDATE ${s}.slots SET free_from = a.free_from, is_late = v_is_late, ${EMPTY}
      WHERE pool = p.key AND slot = a.slot AND serial = a.serial AND fallback_until = a.fallback_until
        AND free_from = a.fallback_until;
    GET DIAGNOSTICS v_count = ROW_COUNT;
  END IF;
  RETURN jsonb_build_object('isDone', v_count = 1);`,
  );

export const releaseFunctions = (s: string): string => candidates(s) + release(s);
