// Bearer tokens and their scopes. The server keeps only their hashes, and compares a token with all of them in constant
// time. A text that is too short to be a token is none, even where its hash is configured.
import { createHash, timingSafeEqual } from 'node:crypto';
import { Refusal } from './problem.js';

export const SCOPES = ['acquire', 'observe', 'mint', 'operate'] as const;
export type Scope = (typeof SCOPES)[number];

/** A token as the server keeps it. */
export interface Token {
  readonly name: string;
  /** Of the token's text, 32 bytes. */
  readonly sha256: Uint8Array;
  readonly scopes: readonly Scope[];
  /** The services that it may act for; `*` is all. */
  readonly services: readonly string[] | '*';
  /** Leases that it may hold of one pool at a time. */
  readonly maxLeases: number;
  readonly requestsPerSecond: number;
  /** Event streams that it may have open at a time; as many as the server allows in all when left out. */
  readonly maxWatchers?: number;
}

/** The client of a request, as far as the server knows it. */
export interface Caller {
  readonly name: string;
  readonly token: Token | undefined;
}

/** Without tokens every caller may do everything: the server then listens on loopback only. */
export const UNKNOWN_CALLER: Caller = { name: 'anybody', token: undefined };

/** Shorter ones can be guessed; anything but visible ASCII does not survive a header. */
const TOKEN = /^[\x21-\x7e]{16,200}$/;

/** Whether a text can be a token. A placeholder of an example is none. */
export function isToken(text: string): boolean {
  return TOKEN.test(text) && !isPlaceholder(text);
}

/** Examples in documents hold these in the place of secrets: a server must not run with a secret that everybody can read. */
export function isPlaceholder(text: string): boolean {
  return /^<.*>$/.test(text) || EXAMPLES.includes(text);
}

const EXAMPLES = ['read-it-from-a-secret'];

export function hashToken(text: string): Uint8Array {
  return createHash('sha256').update(text).digest();
}

export class Tokens {
  #tokens: readonly Token[];

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  /** Takes others in place of these. Tokens cannot come to a server without, nor go: that decides where it may listen. */
  replace(tokens: readonly Token[]): void {
    if ((tokens.length === 0) !== (this.#tokens.length === 0))
      throw new RangeError('a server cannot change between having tokens and having none while it runs');
    this.#tokens = tokens;
  }

  /** The caller that the token in the header belongs to. */
  authenticate(authorization: string | undefined): Caller {
    if (this.#tokens.length === 0) return UNKNOWN_CALLER;
    const text = /^Bearer +(?<token>[\x21-\x7e]+) *$/i.exec(authorization ?? '')?.groups?.token ?? '';
    const given = hashToken(text);
    let found: Token | undefined;
    // No early end: the time must not tell how much of a guess was right.
    for (const token of this.#tokens) if (timingSafeEqual(token.sha256, given)) found = token;
    if (isToken(text) && found) return { name: found.name, token: found };
    const headers = { 'www-authenticate': 'Bearer' };
    throw new Refusal(401, 'UNAUTHORIZED', 'a valid bearer token is needed', {}, headers);
  }
}

/** Refuses a caller without a scope, or for a service that is not its own. */
export function authorize({ token }: Caller, scope: Scope, serviceId?: string): void {
  if (!token) return;
  if (!token.scopes.includes(scope))
    throw new Refusal(403, 'FORBIDDEN', `this token has not the scope ${scope}`, { scope });
  if (serviceId !== undefined && token.services !== '*' && !token.services.includes(serviceId))
    throw new Refusal(403, 'FORBIDDEN', 'this token is for other services', { scope });
}
