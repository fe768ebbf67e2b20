// 64-bit numbers that begin with a time. The number alone does not tell whose it is: what counts is which of them has a time
// between the first of its kind and now.
import type { FieldValue } from '../../layout/layout.js';
import { machine, numberOf, type RoleField, random, roleLayout, sequence, zero } from '../bits.js';
import { bitFormat, bitForms } from '../facts.js';
import { integerOf } from '../numbers.js';
import { BASE58, fromRadix, toRadix } from '../radix.js';
import { inCentiseconds, inMilliseconds, inSeconds, isoOf } from '../times.js';
import type { Format, OtherForm, ReadingTime } from '../types.js';

/** An ID of the first week after an epoch is a smaller number, such as a Unix time in microseconds. */
const WEEK_MS = 7 * 24 * 3600 * 1000;
const SMALLEST = 10n ** 14n;

interface Snowflake<Name extends string> {
  readonly name: Name;
  readonly title: string;
  /** The Unix time in milliseconds from which its time counts. */
  readonly epoch: number;
  readonly since?: number;
  readonly spread: number;
  readonly clock: (count: FieldValue, epochMs: number) => ReadingTime | null;
  /** Bits of its time, and those before it, which are 0. */
  readonly timeBits: number;
  readonly unused?: number;
  readonly rest: readonly RoleField[];
  readonly makers?: readonly string[];
  readonly forms?: (value: bigint) => readonly OtherForm[];
  readonly parseText?: (text: string) => bigint | undefined;
}

function snowflake<const Name extends string>(definition: Snowflake<Name>): Format<Name> {
  const {
    name,
    title,
    epoch,
    since = epoch + WEEK_MS,
    spread,
    clock,
    timeBits,
    unused = 0,
    rest,
  } = definition;
  const layout = roleLayout(title, [
    ...(unused > 0 ? [zero('unused', unused)] : []),
    { name: 'time', bits: timeBits, role: 'time', reading: (value) => isoOf(clock(value, epoch)) },
    ...rest,
  ]);
  const maker = definition.makers;
  const format = bitFormat({
    name,
    title,
    family: 'snowflake',
    since,
    spread,
    layout,
    strength: 'shared',
    parse: (text) => integerOf(text) ?? definition.parseText?.(text),
    write: String,
    tell: (fields, value) => ({
      time: clock(numberOf(fields, 'time'), epoch),
      order: 'time',
      randomBits: rest.filter(({ role }) => role === 'random').reduce((sum, { bits }) => sum + bits, 0),
      forms: [...(definition.forms?.(value) ?? []), ...bitForms(value, 64, String(value))],
      maker: maker
        ? { field: maker.join('/'), text: maker.map((field) => numberOf(fields, field)).join('/') }
        : null,
    }),
  });
  return {
    ...format,
    recognise(text, context) {
      const match = format.recognise(text, context);
      const isTooSmall = match && match.facts.value < SMALLEST && !context.isForced;
      return isTooSmall ? undefined : match;
    },
  };
}

const other = (name: string, bits: number): RoleField => ({ name, bits, role: 'other' });

/** 2010-11-04T01:42:54.657Z */
const TWITTER_EPOCH = 1_288_834_974_657;
/** 2011-08-24T21:07:01.721Z */
const INSTAGRAM_EPOCH = 1_314_220_021_721;

export const snowflakeFormats = [
  // https://discord.com/developers/docs/reference#snowflakes
  snowflake({
    name: 'discord-snowflake',
    title: 'Discord snowflake',
    epoch: Date.UTC(2015, 0, 1),
    spread: 12,
    clock: inMilliseconds,
    timeBits: 42,
    rest: [machine('worker', 5), machine('process', 5), sequence('increment', 12)],
    makers: ['worker', 'process'],
  }),
  // https://github.com/twitter-archive/snowflake/tree/snowflake-2010
  snowflake({
    name: 'twitter-snowflake',
    title: 'Twitter snowflake',
    epoch: TWITTER_EPOCH,
    spread: 12,
    clock: inMilliseconds,
    unused: 1,
    timeBits: 41,
    rest: [machine('datacenter', 5), machine('worker', 5), sequence('sequence', 12)],
    makers: ['datacenter', 'worker'],
  }),
  // https://instagram-engineering.com/sharding-ids-at-instagram-1cf5a71e5a5c
  snowflake({
    name: 'instagram-id',
    title: 'Instagram ID',
    epoch: INSTAGRAM_EPOCH,
    spread: 9,
    clock: inMilliseconds,
    timeBits: 41,
    rest: [machine('shard', 13), sequence('sequence', 10)],
    makers: ['shard'],
  }),
  // https://github.com/mastodon/mastodon/blob/main/lib/mastodon/snowflake.rb
  snowflake({
    name: 'mastodon-id',
    title: 'Mastodon ID',
    epoch: 0,
    since: Date.UTC(2016, 2, 16),
    spread: 9,
    clock: inMilliseconds,
    timeBits: 48,
    rest: [other('hash and sequence', 16)],
  }),
  // https://dfir.blog/tinkering-with-tiktok-timestamps/
  snowflake({
    name: 'tiktok-id',
    title: 'TikTok ID',
    epoch: 0,
    since: Date.UTC(2016, 8, 1),
    spread: 12,
    clock: inSeconds,
    timeBits: 32,
    rest: [other('low', 32)],
  }),
  // https://github.com/Ollie-Boyd/Linkedin-post-timestamp-extractor
  snowflake({
    name: 'linkedin-id',
    title: 'LinkedIn ID',
    epoch: 0,
    since: Date.UTC(2012, 0, 1),
    spread: 11,
    clock: inMilliseconds,
    unused: 1,
    timeBits: 41,
    rest: [other('low', 22)],
  }),
  // https://github.com/sony/sonyflake
  snowflake({
    name: 'sonyflake',
    title: 'Sonyflake',
    epoch: Date.UTC(2014, 8, 1),
    // Its first release.
    since: Date.UTC(2015, 3, 1),
    spread: 4,
    clock: inCentiseconds,
    unused: 1,
    timeBits: 39,
    rest: [sequence('sequence', 8), machine('machine', 16)],
    makers: ['machine'],
  }),
  // https://github.com/f4b6a3/tsid-creator
  snowflake({
    name: 'tsid-number',
    title: 'TSID as a number',
    epoch: Date.UTC(2020, 0, 1),
    spread: 4,
    clock: inMilliseconds,
    timeBits: 42,
    rest: [random('random', 22)],
  }),
  // https://github.com/kkrypt0nn/spaceflake: Discord's epoch and widths
  snowflake({
    name: 'spaceflake',
    title: 'Spaceflake',
    epoch: Date.UTC(2015, 0, 1),
    spread: -2,
    clock: inMilliseconds,
    unused: 1,
    timeBits: 41,
    rest: [machine('node', 5), machine('worker', 5), sequence('sequence', 12)],
    makers: ['node', 'worker'],
  }),
  // https://github.com/ordo-one/package-frostflake
  snowflake({
    name: 'frostflake',
    title: 'Frostflake',
    epoch: 0,
    since: Date.UTC(2022, 0, 1),
    spread: -4,
    clock: inSeconds,
    timeBits: 32,
    rest: [sequence('sequence', 21), machine('generator', 11)],
    makers: ['generator'],
    parseText: (text) => (text.length === 11 ? fromRadix(text, BASE58) : undefined),
    forms: (value) => [{ name: 'base58', text: toRadix(value, BASE58, 11) }],
  }),
] as const;
