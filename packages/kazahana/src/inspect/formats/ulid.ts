// 128 bits in 26 characters of base32: ULID, TypeID, which puts a prefix before a UUID, and UPID, which has one in its bits.
import { defineLayout } from '../../layout/layout.js';
import { numberOf, random, roleLayout } from '../bits.js';
import { bitFormat, bitForms, cut } from '../facts.js';
import { message } from '../messages.js';
import { BASE32SORTABLE, CROCKFORD, fromRadix, toRadix } from '../radix.js';
import { inMilliseconds, isoOf, timeFromNs } from '../times.js';
import type { Format, Match } from '../types.js';
import { describeUuid, uuidForms, uuidNameOf, uuidText } from './uuid-facts.js';

const LENGTH = 26;
/** 26 characters carry 130 bits: the first has the two that must be 0. */
const WITHIN_128_BITS = /^[0-7]/;

function crockford(text: string): bigint | undefined {
  return text.length === LENGTH && WITHIN_128_BITS.test(text) ? fromRadix(text, CROCKFORD) : undefined;
}

/** Text that was set aside for ULIDs is in one case. */
const isOneCase = (text: string) => text === text.toUpperCase() || text === text.toLowerCase();

const ulidText = (value: bigint) => toRadix(value, CROCKFORD, LENGTH);

/** https://github.com/ulid/spec */
const ulid = bitFormat({
  name: 'ulid',
  title: 'ULID',
  family: 'sortable',
  since: Date.UTC(2000, 0, 1),
  shape: { lengths: [LENGTH], alphabet: /[0-9a-hjkmnp-tv-z]/i },
  layout: roleLayout('ULID', [
    { name: 'unixMs', bits: 48, role: 'time', reading: (value) => isoOf(inMilliseconds(value)) },
    random('random', 80),
  ]),
  parse: (text) => (isOneCase(text) ? crockford(text.toUpperCase()) : undefined),
  write: ulidText,
  strength: 'telling',
  tell: (fields, value) => ({
    time: inMilliseconds(numberOf(fields, 'unixMs')),
    order: 'time',
    randomBits: 80,
    segments: cut(ulidText(value), ['unixMs', 'time', 10], ['random', 'random']),
    forms: [
      { name: 'uuid', text: uuidText(value) },
      ...uuidForms(value).filter(({ name }) => ['hex', 'base64url', 'decimal'].includes(name)),
    ],
  }),
});

const TYPE_ID = /^(?:([a-z](?:[a-z_]{0,61}[a-z])?)_)?([0-7][0-9a-hjkmnp-tv-z]{25})$/;

/** https://github.com/jetify-com/typeid/tree/main/spec */
const typeId: Format<'typeid'> = {
  name: 'typeid',
  title: 'TypeID',
  family: 'sortable',
  recognise(text, { isForced }): Match | undefined {
    const [, prefix, suffix = ''] = TYPE_ID.exec(text) ?? [];
    const value = crockford(suffix.toUpperCase());
    if (value === undefined || (prefix === undefined && !isForced)) return undefined;
    const name = uuidNameOf(value);
    // The specification takes any 128 bits, marks of a UUID or not.
    const inner = describeUuid(name, value);
    return {
      strength: name === undefined || name === 'uuid-ncs' || name === 'uuid-microsoft' ? 'shared' : 'certain',
      facts: {
        ...inner,
        text,
        contains: name ?? null,
        segments: prefix ? cut(text, ['prefix', 'other', prefix.length + 1], ['suffix', 'random']) : [],
        notes: [...(prefix ? [message('note-prefix', { prefix })] : []), ...inner.notes],
        forms: [{ name: 'uuid', text: uuidText(value) }, ...inner.forms],
      },
    };
  },
};

const UPID = /^([2-7a-z]{4})_([2-7a-z]{8})([2-7a-z]{13})([2-7a-j])$/;
const UPID_STEP_NS = 256_000_000n;
const upidTime = (count: bigint) => timeFromNs(count * UPID_STEP_NS, UPID_STEP_NS, '256 ms');
const readUpid = (text: string) => fromRadix(text, BASE32SORTABLE) ?? 0n;

const upidLayout = roleLayout('UPID', [
  { name: 'time', bits: 40, role: 'time', reading: (value) => isoOf(upidTime(BigInt(value))) },
  random('random', 64),
  { name: 'prefix', bits: 20, role: 'other', reading: (value) => toRadix(BigInt(value), BASE32SORTABLE, 4) },
  {
    name: 'version',
    bits: 4,
    role: 'version',
    reading: (value) => toRadix(BigInt(value), BASE32SORTABLE, 1),
  },
]);

/** The order of the bits, which is not that of the text. */
const UPID_BITS = defineLayout({
  name: 'UPID',
  bits: 128,
  fields: [
    { name: 'time', bits: 40 },
    // 64 bits in 13 characters: twelve of five bits, and one of four.
    { name: 'randomHigh', bits: 60 },
    { name: 'randomLow', bits: 4 },
    { name: 'prefix', bits: 20 },
    { name: 'version', bits: 4 },
  ],
});

function upidText(value: bigint): string {
  const { time, randomHigh, randomLow, prefix, version } = UPID_BITS.decode(value);
  const write = (part: number | bigint, length: number) => toRadix(BigInt(part), BASE32SORTABLE, length);
  return `${write(prefix, 4)}_${write(time, 8)}${write(randomHigh, 12)}${write(randomLow, 1)}${write(version, 1)}`;
}

/** https://github.com/carderne/upid */
const upid = bitFormat({
  name: 'upid',
  title: 'UPID',
  family: 'sortable',
  since: Date.UTC(2020, 0, 1),
  shape: { lengths: [27], alphabet: /[2-7a-z_]/ },
  layout: upidLayout,
  parse(text) {
    const [, prefix = '', time = '', rest = '', version = ''] = UPID.exec(text) ?? [];
    const low = readUpid(rest.slice(12));
    if (prefix === '' || low > 15n) return undefined;
    return UPID_BITS.encode({
      time: Number(readUpid(time)),
      randomHigh: readUpid(rest.slice(0, 12)),
      randomLow: Number(low),
      prefix: Number(readUpid(prefix)),
      version: Number(readUpid(version)),
    });
  },
  write: upidText,
  strength: 'telling',
  tell: (fields, value) => ({
    time: upidTime(BigInt(numberOf(fields, 'time'))),
    order: 'time',
    randomBits: 64,
    segments: cut(
      upidText(value),
      ['prefix', 'other', 5],
      ['time', 'time', 8],
      ['random', 'random', 13],
      ['version', 'version'],
    ),
    notes: [message('note-prefix', { prefix: upidText(value).slice(0, 4) })],
    forms: [{ name: 'uuid', text: uuidText(value) }, ...bitForms(value, 128, upidText(value))],
  }),
});

export const ulidFormats = [ulid, typeId, upid] as const;
