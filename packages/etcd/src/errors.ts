// What etcd complains about, in the words that every store uses; and which complaints are worth another try.
import { StoreError, type StoreErrorCode } from 'kazahana/lease';
import type { HttpAnswer } from './http.js';

/** Another member, or the same one a little later, may do what this one did not. */
export class PassingError extends Error {
  override readonly name = 'PassingError';

  constructor(
    message: string,
    /** False when etcd surely did nothing of what was asked. */
    readonly mayHaveHappened: boolean,
    options?: { cause?: unknown },
  ) {
    super(message, options);
  }
}

/** The token is not one, or not one any more: ask for another. */
export class TokenError extends Error {
  override readonly name = 'TokenError';
}

/** The revision that was asked for is no longer kept. */
export class CompactedError extends Error {
  override readonly name = 'CompactedError';
}

/** Status codes of gRPC (https://grpc.io/docs/guides/status-codes), which the gateway passes on. */
const CANCELLED = 1;
const UNKNOWN = 2;
const DEADLINE_EXCEEDED = 4;
const PERMISSION_DENIED = 7;
const INTERNAL = 13;
const UNAVAILABLE = 14;
const UNAUTHENTICATED = 16;

/** No leader, a leader that changes, a member that starts or stops. */
const PASSING = [CANCELLED, UNKNOWN, DEADLINE_EXCEEDED, INTERNAL, UNAVAILABLE];

type Row = readonly [says: RegExp, code: StoreErrorCode, what: string];

const FINAL: readonly Row[] = [
  [
    /database space exceeded/,
    'STORE_FULL',
    'etcd is full: compact and defragment it, or raise --quota-backend-bytes',
  ],
  [/authentication failed/, 'STORE_REFUSED', 'etcd refuses this user name and password'],
  [/user name is empty/, 'STORE_REFUSED', 'etcd wants a user name and a password'],
  [/permission denied/, 'STORE_REFUSED', 'this user may not read and write all keys under the prefix'],
  [
    /too many operations/,
    'STORE_INCOMPATIBLE',
    'etcd must allow 128 operations in a transaction (--max-txn-ops)',
  ],
  [
    /request is too large/,
    'STORE_REFUSED',
    'the request is larger than etcd allows: ask for fewer leases or send less meta',
  ],
];

/** The error that a bad answer is. */
export function toError({ status, text }: HttpAnswer, origin: string): Error {
  const { code, message } = readProblem(text);
  if (message === undefined) {
    // A proxy in between, a port that is something else's, or a gateway that is switched off.
    const what = `${origin} answers with status ${status} and not as the JSON gateway of etcd does`;
    return status >= 500 ? new PassingError(what, true) : new StoreError('STORE_INCOMPATIBLE', what);
  }
  if (/required revision has been compacted/.test(message)) return new CompactedError(message);
  if (code === UNAUTHENTICATED || /revision of auth store is old/.test(message))
    return new TokenError(message);
  // Refused before it was proposed to anyone.
  if (/too many requests|no leader/.test(message)) return new PassingError(message, false);
  for (const [says, storeCode, what] of FINAL) {
    if (says.test(message)) return new StoreError(storeCode, `${what} (${message})`);
  }
  if (code === PERMISSION_DENIED) return new StoreError('STORE_REFUSED', message);
  if (PASSING.includes(code)) return new PassingError(message, true);
  return new StoreError('STORE_INCOMPATIBLE', `etcd does not do what it is asked (${message})`);
}

/** `{ code, message }`, in older versions also as `error`. */
function readProblem(text: string): { code: number; message: string | undefined } {
  try {
    const { code, message, error } = JSON.parse(text) as Record<string, unknown>;
    const said = message ?? error;
    return { code: Number(code ?? UNKNOWN), message: typeof said === 'string' ? said : undefined };
  } catch {
    return { code: UNKNOWN, message: undefined };
  }
}
