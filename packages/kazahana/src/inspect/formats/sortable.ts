// IDs that begin with a time, so that they sort by it: KSUID, XID, SCRU, Timeflake, Flake, TSID, push IDs, TIDs.
import { machine, numberOf, type RoleField, random, roleLayout, sequence, zero } from '../bits.js';
import { bitFormat, cut } from '../facts.js';
import {
  BASE32HEX,
  BASE32SORTABLE,
  BASE36,
  BASE62,
  BASE64PUSH,
  CROCKFORD,
  fromRadix,
  hexOf,
  toRadix,
} from '../radix.js';
import { inMicroseconds, inMilliseconds, inSeconds, isoOf, timeFromNs } from '../times.js';
import type { ReadingTime } from '../types.js';
import { uuidNameOf, uuidText } from './uuid-facts.js';

const since = (year: number) => Date.UTC(year, 0, 1);
const time = (name: string, bits: number, clock: (count: bigint) => ReadingTime | null): RoleField => ({
  name,
  bits,
  role: 'time',
  reading: (value) => isoOf(clock(BigInt(value))),
});
/** A text of digits only is a number, whatever alphabet it would fit. */
const digitsOf = (text: string, length: number, alphabet: string) =>
  text.length === length && /[^0-9]/.test(text) ? fromRadix(text, alphabet) : undefined;
const below = (value: bigint | undefined, bits: number) =>
  value !== undefined && value < 2n ** BigInt(bits) ? value : undefined;

const KSUID_EPOCH_MS = 1_400_000_000_000;
const ksuidTime = (count: bigint | number) => inSeconds(count, KSUID_EPOCH_MS);
/** https://github.com/segmentio/ksuid */
const ksuid = bitFormat({
  name: 'ksuid',
  title: 'KSUID',
  family: 'sortable',
  since: KSUID_EPOCH_MS + 1,
  shape: { lengths: [27], alphabet: /[0-9A-Za-z]/ },
  layout: roleLayout('KSUID', [time('seconds', 32, ksuidTime), random('payload', 128)]),
  parse: (text) => below(digitsOf(text, 27, BASE62), 160),
  write: (value) => toRadix(value, BASE62, 27),
  strength: 'telling',
  tell: (fields) => ({ time: ksuidTime(numberOf(fields, 'seconds')), order: 'time', randomBits: 128 }),
});

const hexReading = (bits: number) => (value: number | bigint) => hexOf(BigInt(value), bits);
/** 20 characters carry 100 bits; the last four must be 0. */
const XID_SPARE = 2n ** 4n;
/** https://github.com/rs/xid */
const xid = bitFormat({
  name: 'xid',
  title: 'Xid',
  family: 'sortable',
  since: since(2009),
  shape: { lengths: [20], alphabet: /[0-9a-v]/ },
  layout: roleLayout('Xid', [
    time('seconds', 32, inSeconds),
    { ...machine('machine', 24), reading: hexReading(24) },
    machine('process', 16),
    sequence('counter', 24),
  ]),
  parse(text) {
    const value = digitsOf(text, 20, BASE32HEX);
    return value !== undefined && value % XID_SPARE === 0n ? value / XID_SPARE : undefined;
  },
  write: (value) => toRadix(value * XID_SPARE, BASE32HEX, 20),
  strength: 'telling',
  tell: (fields) => ({
    time: inSeconds(numberOf(fields, 'seconds')),
    order: 'time',
    randomBits: 0,
    maker: {
      field: 'machine and process',
      text: `${hexOf(BigInt(numberOf(fields, 'machine')), 24)} and ${numberOf(fields, 'process')}`,
    },
  }),
});

/** https://github.com/scru128/spec */
const scru128 = bitFormat({
  name: 'scru128',
  title: 'SCRU128',
  family: 'sortable',
  since: since(2020),
  shape: { lengths: [25], alphabet: /[0-9a-z]/i },
  layout: roleLayout('SCRU128', [
    time('unixMs', 48, inMilliseconds),
    sequence('counterHigh', 24),
    sequence('counterLow', 24),
    random('entropy', 32),
  ]),
  parse: (text) => below(digitsOf(text.toLowerCase(), 25, BASE36), 128),
  write: (value) => toRadix(value, BASE36, 25),
  // A v7 as Uuid25 begins with the same 48 bits, and its marks are no chance.
  strength: (value) => (uuidNameOf(value) === 'uuid-v7' ? 'shared' : 'telling'),
  tell: (fields) => ({
    time: inMilliseconds(numberOf(fields, 'unixMs')),
    order: 'time',
    randomBits: 80,
  }),
});

const SCRU64_STEP_NS = 256_000_000n;
const scru64Time = (count: bigint | number) =>
  timeFromNs(BigInt(count) * SCRU64_STEP_NS, SCRU64_STEP_NS, '256 ms');
/** https://github.com/scru64/spec: the widths of node and counter are a deployment's own. */
const scru64 = bitFormat({
  name: 'scru64',
  title: 'SCRU64',
  family: 'sortable',
  since: since(2020),
  shape: { lengths: [12], alphabet: /[0-9a-z]/i },
  layout: roleLayout('SCRU64', [
    zero('unused', 2),
    time('time', 38, scru64Time),
    { ...machine('nodeAndCounter', 24), reading: hexReading(24) },
  ]),
  parse: (text) => below(digitsOf(text.toLowerCase(), 12, BASE36), 62),
  write: (value) => toRadix(value, BASE36, 12),
  strength: 'telling',
  tell: (fields) => ({ time: scru64Time(numberOf(fields, 'time')), order: 'time' }),
});

/** https://github.com/anthonynsimon/timeflake */
const timeflake = bitFormat({
  name: 'timeflake',
  title: 'Timeflake',
  family: 'sortable',
  since: since(2015),
  shape: { lengths: [22], alphabet: /[0-9A-Za-z]/ },
  layout: roleLayout('Timeflake', [time('unixMs', 48, inMilliseconds), random('random', 80)]),
  parse: (text) => below(digitsOf(text, 22, BASE62), 128),
  write: (value) => toRadix(value, BASE62, 22),
  strength: 'telling',
  tell: (fields, value) => ({
    time: inMilliseconds(numberOf(fields, 'unixMs')),
    order: 'time',
    randomBits: 80,
    forms: [
      { name: 'uuid', text: uuidText(value) },
      { name: 'hex', text: hexOf(value, 128) },
      { name: 'decimal', text: String(value) },
    ],
  }),
});

/** https://github.com/boundary/flake */
const flake = bitFormat({
  name: 'boundary-flake',
  title: 'Flake (Boundary)',
  family: 'sortable',
  since: since(2010),
  shape: { lengths: [18], alphabet: /[0-9A-Za-z]/ },
  layout: roleLayout('Flake', [
    time('unixMs', 64, inMilliseconds),
    { ...machine('worker', 48), reading: (value) => hexOf(BigInt(value), 48).replace(/..\B/g, '$&:') },
    sequence('sequence', 16),
  ]),
  parse: (text) => digitsOf(text, 18, BASE62),
  write: (value) => toRadix(value, BASE62, 18),
  strength: 'telling',
  tell: (fields) => ({
    time: inMilliseconds(BigInt(fields[0]?.value ?? 0)),
    order: 'time',
    randomBits: 0,
    maker: { field: 'worker', text: fields[1]?.reading ?? '' },
  }),
});

const TSID_EPOCH_MS = Date.UTC(2020, 0, 1);
const tsidTime = (count: bigint | number) => inMilliseconds(count, TSID_EPOCH_MS);
/** https://github.com/f4b6a3/tsid-creator: the 22 random bits may begin with a node's number. */
const tsid = bitFormat({
  name: 'tsid',
  title: 'TSID',
  family: 'sortable',
  since: TSID_EPOCH_MS + 1,
  shape: { lengths: [13], alphabet: /[0-9a-hjkmnp-tv-z]/i },
  layout: roleLayout('TSID', [time('time', 42, tsidTime), random('random', 22)]),
  parse: (text) => below(digitsOf(text.toUpperCase(), 13, CROCKFORD), 64),
  write: (value) => toRadix(value, CROCKFORD, 13),
  strength: 'telling',
  tell: (fields) => ({ time: tsidTime(numberOf(fields, 'time')), order: 'time', randomBits: 22 }),
});

/** https://firebase.blog/posts/2015/02/the-2120-ways-to-ensure-unique_68 */
const pushId = bitFormat({
  name: 'firebase-push-id',
  title: 'Firebase push ID',
  family: 'sortable',
  since: since(2011),
  shape: { lengths: [20], alphabet: /[\w-]/ },
  layout: roleLayout('push ID', [time('unixMs', 48, inMilliseconds), random('random', 72)]),
  parse: (text) => digitsOf(text, 20, BASE64PUSH),
  write: (value) => toRadix(value, BASE64PUSH, 20),
  strength: 'telling',
  tell: (fields, value) => ({
    time: inMilliseconds(numberOf(fields, 'unixMs')),
    order: 'time',
    randomBits: 72,
    segments: cut(toRadix(value, BASE64PUSH, 20), ['unixMs', 'time', 8], ['random', 'random']),
  }),
});

/** https://atproto.com/specs/tid */
const tid = bitFormat({
  name: 'bluesky-tid',
  title: 'Bluesky TID',
  family: 'sortable',
  since: since(2010),
  shape: { lengths: [13], alphabet: /[2-7a-z]/ },
  layout: roleLayout('TID', [zero('unused', 1), time('unixUs', 53, inMicroseconds), machine('clockId', 10)]),
  parse: (text) => below(digitsOf(text, 13, BASE32SORTABLE), 64),
  write: (value) => toRadix(value, BASE32SORTABLE, 13),
  strength: 'telling',
  tell: (fields) => ({
    time: inMicroseconds(numberOf(fields, 'unixUs')),
    order: 'time',
    randomBits: 0,
    maker: { field: 'clockId', text: String(numberOf(fields, 'clockId')) },
  }),
});

export const sortableFormats = [ksuid, xid, scru128, scru64, timeflake, flake, tsid, pushId, tid] as const;
