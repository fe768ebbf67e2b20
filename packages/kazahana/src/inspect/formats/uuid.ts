// UUIDs of every version and variant, in the forms that `kazahana/uuid` reads.
import type { Context, Format, Match } from '../types.js';
import { describeUuid, type UuidName, uuidNameOf, uuidText, uuidValue } from './uuid-facts.js';
import { NCS_EPOCH_MS } from './uuid-layouts.js';

/** When RFC 4122's first draft was written; UUIDs with older times are older than their format. */
const V1_SINCE = Date.UTC(1988, 0, 1);
const SINCE: Partial<Record<UuidName, number>> = {
  'uuid-v1': V1_SINCE,
  'uuid-v2': V1_SINCE,
  'uuid-ncs': NCS_EPOCH_MS,
};

export const uuidSince = (name: UuidName) => SINCE[name];

/**
 * How telling the version digit of 128 bits is that carry no other mark of a UUID: in random bits a v4 is one of 64, and a v1,
 * v6 or v7 whose time can be right is far less.
 */
const TELLING_BITS: ReadonlySet<UuidName> = new Set([
  'uuid-v1',
  'uuid-v4',
  'uuid-v6',
  'uuid-v7',
  'uuid-nil',
  'uuid-max',
]);

export function strengthOfBits(name: UuidName): Match['strength'] {
  if (name === 'uuid-ncs' || name === 'uuid-microsoft') return 'weak';
  return TELLING_BITS.has(name) ? 'telling' : 'shared';
}

/** NCS and Microsoft made UUIDs before versions were; a version's digit there is most often a fault. */
function strengthOfText(name: UuidName, value: bigint, text: string): Match['strength'] {
  if (isBare(text)) return strengthOfBits(name);
  if (name === 'uuid-ncs') return 'telling';
  if (name === 'uuid-microsoft')
    return /^.{8}-.{4}-.{4}-c000-000000000046$/.test(uuidText(value)) ? 'certain' : 'weak';
  return 'certain';
}

const isBare = (text: string) => !text.includes('-') && !/^[{u]/i.test(text);

function recogniseAs(name: UuidName, text: string, { isForced }: Context): Match | undefined {
  const value = uuidValue(text);
  if (value === undefined) return undefined;
  if (uuidNameOf(value) !== name) return undefined;
  // 32 digits without any mark of a UUID are a hash.
  const isOld = name === 'uuid-ncs' || name === 'uuid-microsoft';
  if (isOld && isBare(text) && !isForced) return undefined;
  return { strength: strengthOfText(name, value, text), facts: describeUuid(name, value) };
}

const TITLES: Readonly<Record<UuidName, string>> = {
  'uuid-v7': 'UUID v7',
  'uuid-v4': 'UUID v4',
  'uuid-v1': 'UUID v1',
  'uuid-v6': 'UUID v6',
  'uuid-v5': 'UUID v5',
  'uuid-v3': 'UUID v3',
  'uuid-v8': 'UUID v8',
  'uuid-v2': 'UUID v2',
  'uuid-nil': 'Nil UUID',
  'uuid-max': 'Max UUID',
  'uuid-ncs': 'NCS UUID',
  'uuid-microsoft': 'Microsoft GUID',
};

const shape = { title: 'UUID', lengths: [36, 32], alphabet: /[0-9a-f-]/i };

export const uuidFormats: readonly Format<UuidName>[] = (Object.keys(TITLES) as UuidName[]).map((name) => {
  const since = uuidSince(name);
  return {
    name,
    title: TITLES[name],
    family: 'uuid',
    shape,
    ...(since !== undefined && { since }),
    recognise: (text, context) => recogniseAs(name, text, context),
    describe: (value) => describeUuid(name, value),
  };
});
