// What etcd complains about, in the words that every store uses; and which complaints are worth another try.
import { StoreError, type StoreErrorCode } from 'kazahana/lease';
import type { HttpResponse } from './http.js';

/** Another member, or the same one a little later, may do what this one did not. */
export class PassingError extends Error {
  override readonly name: string = 'PassingError';
  /** False when etcd surely did nothing of the request. */
  readonly mayHaveHappened: boolean;

  constructor(message: string, mayHaveHappened: boolean, options?: { cause?: unknown }) {
    super(message, options);
    this.mayHaveHappened = mayHaveHappened;
  }
}

/** The token is not one, or not one any more: the next request gets another. */
export class TokenError extends PassingError {}

/** The revision of the read is no longer kept; or not yet made, by an etcd that was set back. */
export class RevisionError extends Error {
  override readonly name = 'RevisionError';
}

/** Status codes of gRPC (https://grpc.io/docs/guides/status-codes), which the gateway passes on. */
const UNKNOWN = 2;
const UNAUTHENTICATED = 16;
/** Cancelled, unknown, deadline exceeded, internal, unavailable: no leader or another one, a member that starts or stops. */
const PASSING = [1, UNKNOWN, 4, 13, 14];

const FINAL: readonly (readonly [says: RegExp, code: StoreErrorCode, what: string])[] = [
  [/space exceeded/, 'STORE_FULL', 'etcd is full: compact and defragment it, or raise --quota-backend-bytes'],
  [/authentication failed/, 'STORE_REFUSED', 'etcd refuses this user name and password'],
  [/user name is empty/, 'STORE_REFUSED', 'etcd wants a user name and a password'],
  [/permission denied/, 'STORE_REFUSED', 'this user may not read and write all keys under the prefix'],
  [/too many operations/, 'STORE_INCOMPATIBLE', 'etcd must allow 128 operations at once (--max-txn-ops)'],
  [/is too large/, 'STORE_REFUSED', 'etcd allows no request so large: ask for fewer leases, send less meta'],
];

/** The body of a good response. A bad one is an error. */
export function readResponse({ status, text }: HttpResponse, origin: string): unknown {
  const body = parse(text);
  if (status === 200 && body) return body;
  const { code = UNKNOWN, message, error } = body ?? {};
  throw toError(Number(code), message ?? error, `${origin} responds with status ${status}`, status >= 500);
}

function toError(code: number, message: unknown, what: string, isPassing: boolean): Error {
  if (typeof message !== 'string') {
    // A proxy in between, a port that is something else's, or a gateway that is switched off.
    const other = `${what} and not as the JSON gateway of etcd does`;
    return isPassing ? new PassingError(other, true) : new StoreError('STORE_INCOMPATIBLE', other);
  }
  if (/required revision (has been compacted|is a future)/.test(message)) return new RevisionError(message);
  const isOldToken = code === UNAUTHENTICATED || /revision of auth store is old/.test(message);
  if (isOldToken) return new TokenError(message, false);
  // Refused before it was proposed to any member.
  if (/too many requests|no leader/.test(message)) return new PassingError(message, false);
  const [, known, why] = FINAL.find(([says]) => says.test(message)) ?? [];
  if (known) return new StoreError(known, `${why} (${message})`);
  if (PASSING.includes(code)) return new PassingError(message, true);
  return new StoreError('STORE_INCOMPATIBLE', `etcd refuses the request (${message})`);
}

function parse(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}
