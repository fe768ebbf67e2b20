// The acquire, as one function and so one round trip. It says what `LeaseStore` says (kazahana/lease), in the same
// order; what it cannot do beside others, or needs a newer view of the pool for, it leaves to a second call.
import { defineFunction } from './settings.js';

/** A place that is given out is at least so old: what others write meanwhile is younger, or they know of the place. */
const PLACE_MIN_AGE_MS = 10;
/** A place to search from is remembered for so long; then one search starts from the head again, to be sure. */
const PLACE_LASTS_MS = 60_000;
/** When a search from a remembered place finds too little, the head is looked at, but not more often than this. */
const PLACE_RESTS_MS = 10_000;
/** Rows for slots are made so many at once: few commits wait for each other, and few rows wait to be used. */
const BLOCK = { least: 64, most: 1024, part: 4 };
/** Of so many grants it is known whether they are here; older ones are taken to be. */
const GRANTS = { kept: 4096, known: 2048, sweep: 256 };

/**
 * Whether the client knows of a grant that is not here (rule R7). It may be above the highest serial, or below: grants
 * that run at once commit in any order, and a replica may have got the later one only.
 */
const forgotten = (s: string): string => `(a.seen_pool IS NOT NULL AND CASE
    WHEN a.seen_pool <> p.id THEN NOT a.seen_pool = ANY (p.lost_ids)
    WHEN a.seen_serial > v_serial THEN true
    WHEN a.seen_serial <= greatest(p.serial, v_serial - ${GRANTS.known}) THEN false
    ELSE NOT EXISTS (SELECT FROM ${s}.grants g WHERE g.pool = p.key AND g.serial = a.seen_serial)
  END)`;

/** How many leases a quota has left, and when its first one ends; \`kind\` is a column. */
const quota = (s: string, kind: 'service' | 'account'): string => `
  IF a.most_of_${kind} IS NOT NULL THEN
    SELECT count(*), min(ends) INTO v_held, v_end FROM (
      (SELECT fallback_until AS ends FROM ${s}.slots
        WHERE pool = p.key AND ${kind} = a.${kind} AND secret IS NOT NULL AND fallback_until > v_now
        ORDER BY fallback_until LIMIT a.most_of_${kind})
      UNION ALL
      (SELECT fallback_until FROM ${s}.former_leases
        WHERE pool = p.key AND ${kind} = a.${kind} AND fallback_until > v_now)) AS held;
    v_left := least(v_left, greatest(0, a.most_of_${kind} - v_held));
    IF v_held >= a.most_of_${kind} THEN
      v_quota_ends := greatest(v_quota_ends, v_end);
    END IF;
  END IF;`;

/** Makes rows for the next slots, unless somebody has just done so. */
const prepare = (s: string): string => `
      PERFORM pg_advisory_xact_lock(hashtextextended(v_scope || '/prepare', 0));
      SELECT prepared INTO v_prepared FROM ${s}.pools WHERE key = p.key;
      IF v_prepared = p.prepared THEN
        v_prepared := least(v_slots, p.prepared
          + greatest(${BLOCK.least}, v_left - v_found, least(${BLOCK.most}, p.prepared / ${BLOCK.part})));
        INSERT INTO ${s}.slots (pool, slot) SELECT p.key, n FROM generate_series(p.prepared, v_prepared - 1) AS n;
        UPDATE ${s}.pools SET prepared = v_prepared WHERE key = p.key;
      END IF;
      p.prepared := v_prepared;`;

/**
 * A serial that nobody else has. Two that run at once would both take the highest and one; so each locks the number
 * that it takes, until it has committed, and who finds it locked takes the next. The highest is read again under the
 * lock: whoever had the number before has committed by then, and is seen.
 */
const takeSerial = (s: string): string => `
  v_serial := v_serial + 1;
  LOOP
    IF pg_try_advisory_xact_lock(hashtext(v_scope), (v_serial % 2147483647)::integer) THEN
      SELECT serial, place INTO v_highest, v_highest_place FROM ${s}.grants
        WHERE pool = p.key ORDER BY serial DESC LIMIT 1;
      EXIT WHEN v_highest IS NULL OR v_highest < v_serial;
      v_serial := v_highest;
    END IF;
    v_serial := v_serial + 1;
  END LOOP;`;

const DECLARATIONS = `
  a record;
  known record;
  v_scope text;
  v_serial bigint;
  v_highest bigint;
  v_highest_place bigint;
  v_slots bigint;
  v_left bigint;
  v_held bigint;
  v_end bigint;
  v_quota_ends bigint;
  v_prepared integer;
  v_late bigint;
  v_from bigint := 0;
  v_from_slot integer := 0;
  v_place_since bigint;
  v_found integer := 0;
  v_rows tid[];
  v_numbers integer[];
  v_times bigint[];
  v_next bigint;
  v_until bigint;`;

/** Locks first, then the clock: what is granted begins when nobody has to be waited for any more. */
const enter = (s: string, schema: string): string => `
  SELECT * INTO a FROM jsonb_to_record(args) AS x(
    pool text, id text, version integer, is_alone boolean, is_patient boolean, seen_pool text, seen_serial bigint,
    request text, service text, holder text, account text, lease_ms bigint, grace_ms bigint, asked bigint,
    most_asked bigint, most_of_service bigint, most_of_account bigint, secrets text[], place bigint[],
    window_ms bigint, margin bigint);
  p := ${s}.enter(a.pool, a.is_alone);
  IF p.key IS NULL OR p.id <> a.id OR p.version <> a.version THEN
    RETURN jsonb_build_object('is', 'outdated');
  END IF;
  v_scope := 'kazahana/${schema}/' || p.key;
  IF a.request IS NOT NULL THEN
    PERFORM pg_advisory_xact_lock(hashtextextended(v_scope || '/request/' || a.request, 0));
  END IF;
  IF a.most_of_service IS NOT NULL THEN
    PERFORM pg_advisory_xact_lock(hashtextextended(v_scope || '/service/' || a.service, 0));
  END IF;
  IF a.most_of_account IS NOT NULL THEN
    PERFORM pg_advisory_xact_lock(hashtextextended(v_scope || '/account/' || a.account, 0));
  END IF;
  v_now := ${s}.now_ms();
  v_serial := ${s}.serial_of(p);`;

const refuse = (s: string): string => `
  IF ${forgotten(s)} THEN
    IF NOT a.is_alone THEN
      RETURN jsonb_build_object('is', 'crowded');
    END IF;
    p := ${s}.stop_granting(p, v_now, a.window_ms, a.margin, a.seen_pool, a.seen_serial);
    v_serial := ${s}.serial_of(p);
  END IF;
  IF a.request IS NOT NULL THEN
    -- Of an answer of which a lease was released or taken over, not all leases still name the request.
    SELECT count(*) AS leases, min(answer_size) AS answer_size, min(expired) AS expired,
        jsonb_agg(jsonb_build_object('id', slot, 'secret', secret, 'created', created, 'expired', expired,
          'fallbackUntil', fallback_until) ORDER BY place) AS answer
      INTO known FROM ${s}.slots
      WHERE pool = p.key AND request = a.request
        AND serial = (SELECT max(serial) FROM ${s}.slots WHERE pool = p.key AND request = a.request);
    IF known.leases = known.answer_size AND v_now < known.expired THEN
      RETURN jsonb_build_object('is', 'repeated', 'now', v_now, 'serial', v_serial, 'leases', known.answer);
    END IF;
  END IF;
  IF v_now < p.quarantined_until THEN
    RETURN jsonb_build_object('is', 'quarantined', 'waitMs', p.quarantined_until - v_now);
  END IF;
  IF a.asked > a.most_asked THEN
    RETURN jsonb_build_object('is', 'too many');
  END IF;
  v_left := cardinality(a.secrets);
  v_quota_ends := v_now;${quota(s, 'service')}${quota(s, 'account')}
  IF v_left = 0 THEN
    RETURN jsonb_build_object('is', 'over quota', 'waitMs', v_quota_ends - v_now);
  END IF;
  IF a.lease_ms + a.grace_ms > p.max_window AND NOT a.is_alone THEN
    RETURN jsonb_build_object('is', 'crowded');
  END IF;`;

/**
 * Never used first, in order, then by free_from, then by number. The search starts where the last one of this server
 * ended: below it there are only dead rows, and those that were freed late, which have an index of their own.
 */
const findSlots = (s: string): string => `
  v_slots := 1::bigint << (p.bit_id - 1);
  v_place_since := v_now;
  IF a.place IS NOT NULL AND v_now BETWEEN a.place[3] AND a.place[3] + ${PLACE_LASTS_MS} THEN
    v_from := a.place[1];
    v_from_slot := a.place[2];
    v_place_since := a.place[3];
    SELECT free_from INTO v_late FROM ${s}.slots WHERE pool = p.key AND is_late ORDER BY free_from LIMIT 1;
    IF v_late <= v_from THEN
      v_from := v_late;
      v_from_slot := 0;
    END IF;
  END IF;
  IF a.is_patient THEN
    PERFORM FROM ${s}.slots WHERE pool = p.key AND (free_from, slot) >= (v_from, v_from_slot) AND free_from <= v_now
      ORDER BY free_from, slot LIMIT 1 FOR UPDATE;
  END IF;
  LOOP
    SELECT array_agg(row_id), array_agg(slot), array_agg(free_from), count(*)
      INTO v_rows, v_numbers, v_times, v_found
      FROM (SELECT ctid AS row_id, slot, free_from FROM ${s}.slots
        WHERE pool = p.key AND (free_from, slot) >= (v_from, v_from_slot)
          AND free_from <= CASE WHEN p.prepared < v_slots THEN 0 ELSE v_now END
        ORDER BY free_from, slot LIMIT v_left FOR UPDATE SKIP LOCKED) AS free;
    EXIT WHEN v_found = v_left;
    IF p.prepared < v_slots THEN${prepare(s)}
    ELSIF v_now - v_place_since >= ${PLACE_RESTS_MS} THEN
      v_from := 0;
      v_from_slot := 0;
      v_place_since := v_now;
    ELSE
      EXIT;
    END IF;
  END LOOP;
  IF v_found = 0 THEN
    SELECT free_from INTO v_next FROM ${s}.slots WHERE pool = p.key AND (free_from, slot) >= (v_from, v_from_slot)
      ORDER BY free_from, slot LIMIT 1;
    -- Free, but others are about to take it or to let it be; who has nothing can wait for them.
    IF v_next <= v_now AND NOT a.is_patient THEN
      RETURN jsonb_build_object('is', 'contended');
    END IF;
    SELECT place INTO v_highest_place FROM ${s}.grants WHERE pool = p.key ORDER BY serial DESC LIMIT 1;
    RETURN jsonb_build_object('is', 'exhausted', 'waitMs', greatest(0, v_next - v_now),
      'place', jsonb_build_array(least(v_next, coalesce(v_highest_place, 0)), 0, v_place_since));
  END IF;`;

const grant = (s: string): string => `
  v_until := v_now + a.lease_ms + a.grace_ms;${takeSerial(s)}
  IF v_times[v_found] < v_now - ${PLACE_MIN_AGE_MS} THEN
    v_from := v_times[v_found];
    v_from_slot := v_numbers[v_found] + 1;
  ELSE
    v_from := v_now - ${PLACE_MIN_AGE_MS};
    v_from_slot := 0;
  END IF;
  v_highest_place := greatest(v_highest_place, v_from);
  UPDATE ${s}.slots AS taken SET free_from = v_until, is_late = v_until <= v_highest_place,
      serial = v_serial, secret = new.secret, service = a.service, holder = a.holder, created = v_now,
      expired = v_now + a.lease_ms, fallback_until = v_until, account = a.account, request = a.request,
      place = new.place, answer_size = v_found
    FROM unnest(v_rows, a.secrets[1:v_found]) WITH ORDINALITY AS new(row_id, secret, place)
    WHERE taken.ctid = new.row_id;
  GET DIAGNOSTICS v_held = ROW_COUNT;
  IF v_held <> v_found THEN
    RAISE EXCEPTION 'kazahana locked % slots and could write %', v_found, v_held;
  END IF;
  INSERT INTO ${s}.grants (pool, serial, place) VALUES (p.key, v_serial, v_highest_place);
  IF v_serial % ${GRANTS.sweep} = 0 THEN
    -- Also what a sweep before this one missed, whose serial went to somebody that gave up.
    DELETE FROM ${s}.grants WHERE pool = p.key
      AND serial BETWEEN v_serial - ${GRANTS.kept + 4 * GRANTS.sweep} AND v_serial - ${GRANTS.kept};
  END IF;
  IF jsonb_array_length(p.former) > 0 THEN
    DELETE FROM ${s}.former_leases WHERE pool = p.key AND slot = ANY (v_numbers) AND bit_seq = p.bit_seq;
  END IF;
  IF v_until - v_now > p.max_window THEN
    UPDATE ${s}.pools SET max_window = v_until - v_now WHERE key = p.key;
  END IF;
  RETURN jsonb_build_object('is', 'granted', 'now', v_now, 'serial', v_serial, 'slots', to_jsonb(v_numbers),
    'place', jsonb_build_array(v_from, v_from_slot, v_place_since));`;

export const acquireFunction = (s: string, schema: string): string =>
  defineFunction(
    s,
    'acquire',
    DECLARATIONS,
    [enter(s, schema), refuse(s), findSlots(s), grant(s)].join('\n'),
  );
