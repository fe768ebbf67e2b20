// Reads the responses of a lease server. They come from outside: each field is checked before it is used, and unknown
// fields are dropped. Whether the leases of a response make sense is for the client to judge.
import type { KazahanaId } from '../id/layout.js';
import { LeaseError } from '../lease/errors.js';
import type {
  AcquireResponse,
  IdMaker,
  InspectedLease,
  InspectedPool,
  LeaseInfo,
  Share,
  WhoisResult,
} from '../lease/types.js';

/** A response that is not one of a lease server. Its text is not shown, because secrets may be in it. */
export class BadResponseError extends LeaseError {
  override readonly name = 'BadResponseError';

  constructor(
    what: string,
    /** The HTTP status, where it is not one of success: 5xx of a proxy is an outage, for example. */
    readonly status?: number,
  ) {
    super('BAD_RESPONSE', `the response is not one of a lease server: ${what}`);
  }
}

/** The value, if it is what the reader expects; `what` names it in the error. */
type Reader<T> = (value: unknown, what: string) => T;

/** A reader for each field of T; the readers of optional fields may give undefined. */
type Fields<T> = {
  readonly [Name in keyof T]-?: Reader<
    Record<never, never> extends Pick<T, Name> ? T[Name] | undefined : T[Name]
  >;
};

const readerOf =
  <T>(test: (value: unknown) => boolean): Reader<T> =>
  (value, what) => {
    if (test(value)) return value as T;
    throw new BadResponseError(`${what} is missing or of another type`);
  };

/** Longer than any name, secret or proof of a lease server. A client remembers them. */
const MAX_TEXT = 1024;

const text = readerOf<string>((value) => typeof value === 'string' && value.length <= MAX_TEXT);
const flag = readerOf<boolean>((value) => typeof value === 'boolean');
const integer = readerOf<number>(Number.isSafeInteger);
const count = readerOf<number>((value) => Number.isSafeInteger(value) && (value as number) >= 0);
const record = readerOf<Readonly<Record<string, unknown>>>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
);
const array = readerOf<readonly unknown[]>(Array.isArray);

const optional =
  <T>(read: Reader<T>): Reader<T | undefined> =>
  (value, what) =>
    value === undefined ? undefined : read(value, what);

const listOf =
  <T>(read: Reader<T>): Reader<readonly T[]> =>
  (value, what) =>
    array(value, what).map((item, index) => read(item, `item ${index} of ${what}`));

const object =
  <T>(fields: Fields<T>): Reader<T> =>
  (value, what) => {
    const given = record(value, what);
    const known = Object.entries<Reader<unknown>>(fields).map(
      ([name, read]) => [name, read(given[name], `${name} of ${what}`)] as const,
    );
    return Object.fromEntries(known.filter(([, field]) => field !== undefined)) as T;
  };

const recordOf =
  <T>(read: Reader<T>): Reader<Readonly<Record<string, T>>> =>
  (value, what) => {
    const given = record(value, what);
    // The names of the fields come from outside, too: the error does not show them.
    for (const field of Object.values(given)) read(field, `a field of ${what}`);
    return given as Readonly<Record<string, T>>;
  };
const texts = recordOf(text);

const LAYOUT = { customEpoch: integer, bitReserve: count, bitTs: count, bitId: count, bitSeq: count };

const acquireResponse = object<AcquireResponse>({
  leases: listOf(
    object<LeaseInfo>({
      id: integer,
      created: integer,
      expired: integer,
      secret: text,
      ...LAYOUT,
      fallbackUntil: optional(integer),
      proof: optional(text),
    }),
  ),
  requestId: optional(text),
  now: optional(integer),
  pool: optional(text),
  serial: optional(integer),
  proof: optional(text),
  isRepeated: optional(flag),
});

const inspectedPool = object<InspectedPool>({
  name: text,
  id: text,
  serial: count,
  now: count,
  layout: object(LAYOUT),
  share: object<Share>({ index: count, of: count }),
  slots: count,
  held: count,
  heldBy: optional(recordOf(count)),
  quarantinedUntil: count,
});

const inspectedLease = object<InspectedLease>({
  id: count,
  bitSeq: count,
  serviceId: text,
  holder: texts,
  created: count,
  expired: count,
  fallbackUntil: count,
});

/** GET /pool. */
interface PoolState {
  readonly pool: InspectedPool;
  readonly leases: readonly InspectedLease[];
  /** The machine ID after which the next page begins; null when this one is the last. */
  readonly next?: number | null;
}

const poolState = object<PoolState>({
  pool: inspectedPool,
  leases: listOf(inspectedLease),
  next: optional((value, what) => (value === null ? null : count(value, what))),
});

const idMaker = object<IdMaker>({ serviceId: text, holder: texts, created: count, end: count });

const whoisResult = object<WhoisResult>({
  pool: text,
  unixMs: count,
  machineId: count,
  sequence: count,
  isFallback: flag,
  maker: (value, what) => (value === null ? null : idMaker(value, what)),
});

export function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    // The parser's own error quotes the text.
    throw new BadResponseError('it is not JSON');
  }
}

/** More than the largest response of a lease server: a thousand leases with their holders. */
const MAX_RESPONSE_BYTES = 4 * 1024 * 1024;

/** The text of a response, read piece by piece: a server must not fill the memory of its clients, nor hold them for ever. */
export async function readText(response: Response, signal: AbortSignal): Promise<string> {
  const reader = response.body?.getReader();
  if (!reader) return '';
  const cancel = () => void reader.cancel(signal.reason).catch(() => undefined);
  signal.addEventListener('abort', cancel);
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  try {
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      bytes += piece.value.byteLength;
      if (bytes > MAX_RESPONSE_BYTES) {
        cancel();
        throw new BadResponseError(`it has more than ${MAX_RESPONSE_BYTES} bytes`);
      }
      text += decoder.decode(piece.value, { stream: true });
    }
    return text + decoder.decode();
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}

/** A release has no result; a simple server may say in JSON that it is done. A page of a proxy must not pass for that. */
export function readReleased(body: string): void {
  if (body !== '') parseJson(body);
}

/** For calls that have no result: a page of a proxy must not pass for success. */
export function readNothing(body: string): void {
  if (body !== '') throw new BadResponseError('it is not empty');
}

const readBody =
  <T>(read: Reader<T>) =>
  (body: string): T =>
    read(parseJson(body), 'the response');

export const readPool = readBody(inspectedPool);
export const readPoolState = readBody(poolState);
export const readWhois = readBody(whoisResult);

/** Decimal digits of an ID with a reserve bit: up to 2^63 − 1. */
const id: Reader<KazahanaId> = (value, what) => {
  if (typeof value === 'string' && /^\d{1,19}$/.test(value) && BigInt(value) < 2n ** 63n) {
    return BigInt(value) as KazahanaId;
  }
  throw new BadResponseError(`${what} is no ID in decimal digits`);
};

/** The IDs of `POST /ids`, if there are so many of them. */
export function readIds(body: string, count: number): KazahanaId[] {
  const { ids } = record(parseJson(body), 'the response');
  const read = listOf(id)(ids, 'ids');
  if (read.length !== count) throw new BadResponseError(`it has ${read.length} IDs instead of ${count}`);
  if (read.some((one, i) => i > 0 && one <= (read[i - 1] ?? 0n)))
    throw new BadResponseError('its IDs do not rise');
  return [...read];
}

export function readAcquire(body: string): AcquireResponse {
  const response = readBody(acquireResponse)(body);
  if (response.leases.length === 0) throw new BadResponseError('it has no leases');
  return response;
}
