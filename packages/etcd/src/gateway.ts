// The way into etcd: its JSON gateway, with several members to ask, a token where one is needed, and a time limit. A
// request whose answer was lost is sent again, word for word: whoever sends a write sees to it that it can happen
// only once (see `commit.ts`).
import { type Environment, StoreError } from 'kazahana/lease';
import { CompactedError, PassingError, TokenError, toError } from './errors.js';
import { HttpMember, neverConnected } from './http.js';
import type { Credentials, EtcdSettings } from './options.js';

export interface Answer<T> {
  readonly body: T;
  /** The request was sent more than once, and an earlier sending may have been followed, too. */
  readonly isRepeated: boolean;
}

/** A member that is silent for this part of the time limit is given up for the next, where there is a next. */
const PATIENCE = 1 / 3;
/** After every member has failed: an election takes longer than a few refused connections. */
const PAUSE_MS = 50;
/** Without it, a member that has no leader keeps the request until its own time limit. */
const REQUIRE_LEADER = { 'grpc-metadata-hasleader': 'true' };

export class Gateway {
  readonly #members: readonly HttpMember[];
  readonly #credentials: Credentials | undefined;
  readonly #requestTimeout: number;
  readonly #environment: Environment;
  /** The member that answered last. */
  #current = 0;
  #token: Promise<string | undefined> | undefined;
  #isClosed = false;
  /** Requests that were taken to another member, or sent again. */
  failovers = 0;

  constructor(settings: EtcdSettings, environment: Environment) {
    this.#members = settings.endpoints.map((url) => new HttpMember(url, settings.tls));
    this.#credentials = settings.credentials;
    this.#requestTimeout = settings.requestTimeout;
    this.#environment = environment;
  }

  async send<T>(path: string, request: object, signal?: AbortSignal): Promise<Answer<T>> {
    signal?.throwIfAborted();
    this.#checkOpen();
    const body = JSON.stringify(request);
    let isRepeated = false;
    const limit = new Alarm(this.#environment, this.#requestTimeout, signal);
    try {
      for (let failures = 0; ; ) {
        const index = this.#current;
        try {
          return { body: (await this.#authorized(path, body, index, limit.signal)) as T, isRepeated };
        } catch (error) {
          signal?.throwIfAborted();
          this.#checkOpen();
          if (!(error instanceof PassingError)) throw error;
          isRepeated ||= error.mayHaveHappened;
          if (limit.signal.aborted) throw this.#gaveUp(error);
          this.#moveOn(index);
          failures++;
          if (failures % this.#members.length === 0) {
            await this.#environment.sleep(PAUSE_MS, { signal: limit.signal });
            signal?.throwIfAborted();
            if (limit.signal.aborted) throw this.#gaveUp(error);
          }
        }
      }
    } finally {
      limit.end();
    }
  }

  close(): void {
    this.#isClosed = true;
    for (const member of this.#members) member.close();
  }

  #checkOpen(): void {
    if (this.#isClosed) throw new StoreError('STORE_CLOSED', 'this provider has been closed');
  }

  #moveOn(from: number): void {
    this.failovers++;
    // Unless another request has moved on already.
    if (this.#current === from) this.#current = (from + 1) % this.#members.length;
  }

  #gaveUp(cause: PassingError): StoreError {
    const names = this.#members.map(({ url }) => url.origin).join(', ');
    const what = `no answer from etcd within ${this.#requestTimeout} ms; tried ${names}`;
    return new StoreError('STORE_UNAVAILABLE', `${what}; the last said: ${cause.message}`, { cause });
  }

  async #authorized(path: string, body: string, index: number, signal: AbortSignal): Promise<unknown> {
    const token = await this.#getToken(index, signal);
    try {
      return await this.#exchange(path, body, index, token, signal);
    } catch (error) {
      if (!(error instanceof TokenError) || !this.#credentials) throw refusal(error);
    }
    // Tokens end, and members that were restarted know none.
    this.#token = undefined;
    try {
      const renewed = await this.#getToken(index, signal);
      return await this.#exchange(path, body, index, renewed, signal);
    } catch (error) {
      throw refusal(error);
    }
  }

  #getToken(index: number, signal: AbortSignal): Promise<string | undefined> | undefined {
    const { name, password } = this.#credentials ?? {};
    if (name === undefined) return undefined;
    this.#token ??= this.#authenticate(JSON.stringify({ name, password }), index, signal).catch((error) => {
      this.#token = undefined;
      throw error;
    });
    return this.#token;
  }

  async #authenticate(body: string, index: number, signal: AbortSignal): Promise<string | undefined> {
    try {
      const answer = await this.#exchange('/v3/auth/authenticate', body, index, undefined, signal);
      return (answer as { token?: string }).token;
    } catch (error) {
      // Nothing that was asked for has been sent yet.
      if (error instanceof PassingError) throw new PassingError(error.message, false, { cause: error });
      if (error instanceof Error && /authentication is not enabled/.test(error.message)) return undefined;
      throw error;
    }
  }

  async #exchange(
    path: string,
    body: string,
    index: number,
    token: string | undefined,
    signal: AbortSignal,
  ): Promise<unknown> {
    const member = this.#members[index] as HttpMember;
    const part = this.#members.length > 1 ? PATIENCE : 1;
    const patience = new Alarm(this.#environment, this.#requestTimeout * part, signal);
    const headers = { ...REQUIRE_LEADER, ...(token !== undefined && { authorization: token }) };
    try {
      const answer = await member.post(path, body, headers, patience.signal);
      const parsed = answer.status === 200 ? parse(answer.text) : undefined;
      if (parsed === undefined) throw toError(answer, member.url.origin);
      return parsed;
    } catch (error) {
      if (isUnderstood(error)) throw error;
      const { message } = error as Error;
      const said = patience.signal.aborted ? 'it is silent' : message;
      throw new PassingError(`${member.url.origin}: ${said}`, !neverConnected(error), { cause: error });
    } finally {
      patience.end();
    }
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isUnderstood(error: unknown): boolean {
  return [PassingError, TokenError, CompactedError, StoreError].some((known) => error instanceof known);
}

function refusal(error: unknown): unknown {
  if (!(error instanceof TokenError)) return error;
  return new StoreError('STORE_REFUSED', `etcd does not know our token (${error.message})`);
}

/** A signal that is given after a time, or with another one; whichever comes first. */
class Alarm {
  readonly #given = new AbortController();
  readonly #off = new AbortController();
  readonly #parent: AbortSignal | undefined;
  readonly #follow = () => this.#given.abort(this.#parent?.reason);

  constructor(environment: Environment, ms: number, parent: AbortSignal | undefined) {
    this.#parent = parent;
    if (parent?.aborted) this.#follow();
    parent?.addEventListener('abort', this.#follow);
    void environment.sleep(ms, { signal: this.#off.signal, background: true }).then(() => {
      if (!this.#off.signal.aborted) this.#given.abort('the time is up');
    });
  }

  get signal(): AbortSignal {
    return this.#given.signal;
  }

  end(): void {
    this.#off.abort('ended');
    this.#parent?.removeEventListener('abort', this.#follow);
  }
}
