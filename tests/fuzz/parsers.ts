// Every parser of the library, with texts for it and what must hold of each: it throws what is documented and nothing else,
// and agrees with a plainer way to say the same.

import * as compat from 'kazahana/compat/uuid';
import { createExternalIdCodec, ExternalIdFormatError } from 'kazahana/external';
import { CERTAINTIES, findIds, type Inspection, inspectId } from 'kazahana/inspect';
import { LeaseError } from 'kazahana/lease';
import {
  deserializeHistory,
  HistoryFormatError,
  isCanonicalUuid,
  isUuid,
  parseUuid,
  serializeHistory,
  UnsupportedUuidVersionError,
  UuidFormatError,
  uuidToBytes,
  uuidVersion,
  validateUuid,
} from 'kazahana/uuid';
import * as zodIds from 'kazahana/zod';
import * as theirs from 'uuid';
import { CORPUS_NOW } from '../../packages/kazahana/src/inspect/corpus.ts';
import type { Random } from '../../simulation/world.ts';
import { withWrongBytes, withWrongFields } from '../server/hostile/lies.ts';
import { nearlyAnyId, nearlyDecimal, nearlyExternalId, nearlyHistory, nearlyUuid } from './texts.ts';

export interface FuzzedParser {
  make(random: Random): string;
  /** What is wrong with what the parser does with the text; undefined when nothing is. */
  faultOf(text: string): string | undefined;
  /** It takes so many times as long as others, and gets as many fewer texts in the short form. */
  readonly cost?: number;
}

const DIGITS = '[0-9a-f]{8}(-?)[0-9a-f]{4}\\1[1-8][0-9a-f]{3}\\1[89ab][0-9a-f]{3}\\1[0-9a-f]{12}';
const PLAIN = new RegExp(
  `^(?:${DIGITS}|\\{${DIGITS.replaceAll('\\1', '\\2')}\\}|urn:uuid:${DIGITS.replaceAll('\\1', '\\3')})$`,
  'i',
);

/** What came of a call: its value as text, or that it threw; a fault when the error is not of these classes. */
function outcomeOf(call: () => unknown, ...allowed: readonly (new (...args: never[]) => Error)[]): unknown {
  try {
    return call();
  } catch (error) {
    if (!allowed.some((one) => error instanceof one)) throw error;
    return undefined;
  }
}

function faultOfUuid(text: string): string | undefined {
  const expected = PLAIN.test(text);
  const { isValid, isSupported, errors } = validateUuid(text);
  if (isValid !== expected || isUuid(text) !== expected) return `should be ${expected ? '' : 'in'}valid`;
  if ((errors.length === 0) !== expected) return 'errors and verdict disagree';
  if (!errors.every(({ position = 0 }) => position >= 0 && position <= text.length))
    return 'a position outside';
  const parsed = outcomeOf(() => parseUuid(text), UuidFormatError, UnsupportedUuidVersionError);
  if ((parsed !== undefined) !== isSupported) return 'parseUuid and validateUuid disagree';
  const bytes = outcomeOf(() => uuidToBytes(text), UuidFormatError);
  if (expected && bytes === undefined) return 'a UUID has no bytes';
  const version = outcomeOf(() => uuidVersion(text), UuidFormatError);
  if (expected && version === undefined) return 'a UUID has no version';
  return undefined;
}

/** As text, so that both can be compared; the errors of both are of the same classes. */
function resultOf(call: () => unknown): string {
  try {
    const value = call();
    return value instanceof Uint8Array ? value.join() : String(value);
  } catch (error) {
    return `throws ${(error as Error).name}`;
  }
}

function faultOfCompat(text: string): string | undefined {
  const calls: [name: string, ours: (text: string) => unknown, theirs: (text: string) => unknown][] = [
    ['validate', compat.validate, theirs.validate],
    ['version', compat.version, theirs.version],
    ['parse', compat.parse, theirs.parse],
  ];
  for (const [name, ours, other] of calls) {
    const [own, their] = [resultOf(() => ours(text)), resultOf(() => other(text))];
    if (own !== their) return `${name} gives ${own}, uuid gives ${their}`;
  }
  return isCanonicalUuid(text) === theirs.validate(text) ? undefined : 'isCanonicalUuid is not validate';
}

function faultOfInspection({ readings, near }: Inspection): string | undefined {
  const levels = readings.map(({ certainty }) => CERTAINTIES.indexOf(certainty));
  if (levels.some((level, i) => i > 0 && level < (levels[i - 1] ?? 0))) return 'not the surest first';
  if (readings.length > 0 && near.length > 0) return 'recognised, and yet near to something';
  const hole = /made (?:undefined|null)|: undefined|up to (?:NaN|null)|^\s*\.$/;
  if (readings.some(({ sentence }) => hole.test(sentence))) return 'a sentence with a hole';
  for (const { format, text, value } of readings) {
    const [again] = inspectId(text, { now: CORPUS_NOW, as: format }).readings;
    if (again?.value !== value) return `its text ${JSON.stringify(text)} is not read again as ${format}`;
  }
  return undefined;
}

const CODECS = [
  createExternalIdCodec(),
  createExternalIdCodec({ algorithm: 'none' }),
  createExternalIdCodec({ secret: 'a secret of the tests' }),
  createExternalIdCodec({ secret: 'a secret of the tests', prefix: 'user' }),
  createExternalIdCodec({ prefix: 'order' }),
  createExternalIdCodec({ secrets: { a: 'first secret', b: 'second secret' }, current: 'b' }),
  createExternalIdCodec({ secrets: { a: 'first secret', b: 'second secret' }, current: 'a', prefix: 'user' }),
];

function faultOfExternal(text: string): string | undefined {
  for (const [index, codec] of CODECS.entries()) {
    const parsed = codec.parse(text);
    const id = outcomeOf(() => codec.toInternalId(text), ExternalIdFormatError) as bigint | undefined;
    if (parsed !== undefined && parsed !== id) return `codec ${index}: parse and toInternalId disagree`;
    if (parsed !== undefined && parsed >= 2n ** 63n) return `codec ${index}: parse lets ${parsed} through`;
    // Of several keys the current one may not be that of the text.
    if (id !== undefined && index < 5 && codec.toExternalId(id) !== text)
      return `codec ${index}: two texts of one ID`;
  }
  return undefined;
}

const SCHEMAS = [
  zodIds.kazahanaId(),
  zodIds.uuid(),
  zodIds.uuid(7),
  ...CODECS.map((codec) => zodIds.externalId(codec)),
];

function faultOfZod(text: string): string | undefined {
  const [id, uuid, v7] = SCHEMAS.map((schema) => schema.safeParse(text).success);
  const isId = /^(?:0|[1-9]\d{0,18})$/.test(text) && BigInt(text) < 2n ** 63n;
  if (id !== isId) return 'kazahanaId is not what its digits say';
  if (uuid !== theirs.validate(text)) return 'uuid is not what npm uuid says';
  if (v7 && !uuid) return 'a v7 that is no UUID';
  for (const one of [zodIds.pylonId(), zodIds.clientId(), zodIds.workspaceId(), zodIds.conversationId()])
    if (one.safeParse(text).success) return 'a text is no Estelle ID';
  return undefined;
}

function faultOfHistory(text: string): string | undefined {
  const items = outcomeOf(() => deserializeHistory(text), HistoryFormatError) as
    | ReturnType<typeof deserializeHistory>
    | undefined;
  if (items === undefined) return undefined;
  const again = JSON.stringify(deserializeHistory(serializeHistory(items)));
  return again === JSON.stringify(items) ? undefined : 'written and read again it is another';
}

// Not exported by the package: the readers of responses, as they are built.
const built = (file: string) =>
  import(new URL(`../../packages/kazahana/dist/providers/${file}`, import.meta.url).href);
type Responses = typeof import('../../packages/kazahana/src/providers/http-response.ts');
type Problems = typeof import('../../packages/kazahana/src/providers/http-problem.ts');
const responses: Responses = await built('http-response.js');
const { problemToError }: Problems = await built('http-problem.js');

const LAYOUT = { customEpoch: 1_767_225_600_000, bitReserve: 1, bitTs: 41, bitId: 14, bitSeq: 8 };
const LEASE = {
  id: 5,
  created: 1000,
  expired: 2000,
  fallbackUntil: 3000,
  secret: 'ab'.repeat(16),
  ...LAYOUT,
};
const POOL = {
  ...{
    name: 'default',
    id: 'cd'.repeat(16),
    serial: 7,
    now: 1500,
    slots: 8192,
    held: 1,
    quarantinedUntil: 0,
  },
  ...{ layout: LAYOUT, share: { index: 0, of: 1 }, heldBy: { web: 1 } },
};
const HELD = {
  id: 5,
  bitSeq: 8,
  serviceId: 'web',
  holder: { host: 'a' },
  created: 1,
  expired: 2,
  fallbackUntil: 3,
};
const RESPONSES = [
  { leases: [LEASE, { ...LEASE, id: 6 }], now: 1500, pool: 'p', serial: 7, requestId: 'r', proof: 'x' },
  { pool: POOL, leases: [HELD], next: null },
  POOL,
  { pool: 'p', unixMs: 1, machineId: 5, sequence: 6, isFallback: false, maker: { ...HELD, end: 9 } },
  { ids: ['115612034447441927', '115612034447441928'] },
  { code: 'POOL_EXHAUSTED', status: 503, pool: 'p', reason: 'in quarantine', retryAfterMs: 5 },
  { code: 'TOO_MANY_LEASES', serviceId: 'web', allowed: 1, requested: 2 },
  { code: 'STALE_SIGNATURE', now: 5, toleranceMs: 30_000 },
].map((response) => JSON.stringify(response));

function nearlyResponse(random: Random): string {
  const text = random.pick(RESPONSES);
  return random.chance(0.7) ? withWrongFields(text, random) : withWrongBytes(text, random);
}

function faultOfResponse(text: string): string | undefined {
  const { BadResponseError } = responses;
  const acquired = outcomeOf(() => responses.readAcquire(text), BadResponseError) as
    | ReturnType<Responses['readAcquire']>
    | undefined;
  const isSound = ({ id, created, expired, secret }: typeof LEASE) =>
    [id, created, expired].every(Number.isSafeInteger) && typeof secret === 'string';
  if (acquired && !acquired.leases.every((lease) => isSound(lease as typeof LEASE)))
    return 'a lease that is none';
  for (const read of [
    responses.readPool,
    responses.readPoolState,
    responses.readWhois,
    responses.readNothing,
  ])
    outcomeOf(() => read(text), BadResponseError);
  const ids = outcomeOf(() => responses.readIds(text, 2), BadResponseError) as bigint[] | undefined;
  if (ids && !((ids[0] ?? 0n) < (ids[1] ?? 0n))) return 'IDs that do not rise';
  const refusal = {
    status: 503,
    text,
    retryAfter: text.slice(0, 10),
    request: { id: 5, timestamp: 1 },
    now: 1,
  };
  const error = outcomeOf(() => problemToError(refusal), BadResponseError);
  // A code that is not in the list may be that of a newer server.
  return error === undefined || error instanceof LeaseError
    ? undefined
    : 'a problem that is no error of ours';
}

export const PARSERS: Readonly<Record<string, FuzzedParser>> = {
  uuid: { make: nearlyUuid, faultOf: faultOfUuid },
  compat: { make: nearlyUuid, faultOf: faultOfCompat },
  history: { make: nearlyHistory, faultOf: faultOfHistory },
  external: { make: nearlyExternalId, faultOf: faultOfExternal, cost: 4 },
  zod: {
    make: (random) => random.pick([nearlyUuid, nearlyDecimal, nearlyExternalId])(random),
    faultOf: faultOfZod,
    cost: 4,
  },
  responses: { make: nearlyResponse, faultOf: faultOfResponse, cost: 4 },
  inspect: {
    make: nearlyAnyId,
    faultOf(text) {
      findIds(text);
      return faultOfInspection(inspectId(text, { now: CORPUS_NOW }));
    },
    cost: 20,
  },
};

/** Throws, with the text, at the first fault; returns how many texts were tried. */
export function fuzz(name: string, { make, faultOf }: FuzzedParser, random: Random, count: number): void {
  for (let i = 1; i <= count; i++) {
    const text = make(random);
    let fault: string | undefined;
    try {
      fault = faultOf(text);
    } catch (error) {
      fault = String((error as Error)?.stack ?? error);
    }
    if (fault !== undefined)
      throw new Error(`${name}, text ${i}: ${JSON.stringify(text).slice(0, 2000)}: ${fault}`);
  }
}
