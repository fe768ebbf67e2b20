// The way into etcd: its JSON gateway, with several members, a token where one is needed, and a time limit. A
// request whose response was lost is sent again if it can be repeated, as a read can. Another may have happened, and only
// its caller can find out.
import { type Environment, StoreError } from 'kazahana/lease';
import { PassingError, readResponse, TokenError } from './errors.js';
import { HttpMember, neverConnected } from './http.js';
import type { EtcdSettings } from './options.js';

/** A member that is silent for this part of the time limit is left for the next, where there is a next. */
const PATIENCE = 1 / 3;
/** After every member has failed: an election takes longer than a few refused connections. */
const PAUSE_MS = 50;
/** Without it, a member that has no leader keeps the request until its own time limit. */
const REQUIRE_LEADER = { 'grpc-metadata-hasleader': 'true' };

const IN_DOUBT = 'the response to a write was lost, so it may or may not have happened';

export class Gateway {
  readonly #settings: EtcdSettings;
  readonly #environment: Environment;
  readonly #members: readonly HttpMember[];
  /** The member that responded last. */
  #current = 0;
  #token: Promise<string | undefined> | undefined;
  #isClosed = false;

  constructor(settings: EtcdSettings, environment: Environment) {
    this.#settings = settings;
    this.#environment = environment;
    this.#members = settings.endpoints.map((url) => new HttpMember(url, settings.tls));
  }

  /** Throws when a request that must happen once may have happened. */
  async send<T>(path: string, request: object, kind: 'once' | 'repeatable'): Promise<T> {
    const { requestTimeout } = this.#settings;
    const body = JSON.stringify(request);
    return this.#within(requestTimeout, undefined, async (limit) => {
      for (let failures = 1; ; failures++) {
        if (this.#isClosed) throw new StoreError('STORE_CLOSED', 'this provider has been closed');
        const index = this.#current;
        try {
          return (await this.#post(path, body, index, limit, await this.#getToken(index, limit))) as T;
        } catch (error) {
          if (!(error instanceof PassingError)) throw error;
          // Tokens end, and members that were restarted know none.
          if (error instanceof TokenError) this.#token = undefined;
          // Unless another request has moved on already.
          if (this.#current === index) this.#current = (index + 1) % this.#members.length;
          if (kind === 'once' && error.mayHaveHappened) throw failure(IN_DOUBT, error);
          if (failures % this.#members.length === 0)
            await this.#environment.sleep(PAUSE_MS, { signal: limit });
          const names = this.#members.map(({ url }) => url.origin).join(', ');
          const what = `no response from etcd within ${requestTimeout} ms; tried ${names}`;
          if (limit.aborted) throw failure(what, error);
        }
      }
    });
  }

  close(): void {
    this.#isClosed = true;
    for (const member of this.#members) member.close();
  }

  #getToken(index: number, limit: AbortSignal): Promise<string | undefined> | undefined {
    const { credentials } = this.#settings;
    if (!credentials) return undefined;
    const authenticate = () => this.#post('/v3/auth/authenticate', JSON.stringify(credentials), index, limit);
    this.#token ??= authenticate().then(
      (body) => (body as { token?: string }).token,
      (error: Error) => {
        this.#token = undefined;
        if (/authentication is not enabled/.test(error.message)) return undefined;
        // The request itself has not been sent yet.
        throw error instanceof PassingError ? new PassingError(error.message, false) : error;
      },
    );
    return this.#token;
  }

  #post(path: string, body: string, index: number, limit: AbortSignal, token?: string): Promise<unknown> {
    const member = this.#members[index] as HttpMember;
    const { origin } = member.url;
    const headers = { ...REQUIRE_LEADER, ...(token !== undefined && { authorization: token }) };
    const ms = this.#settings.requestTimeout * (this.#members.length > 1 ? PATIENCE : 1);
    return this.#within(ms, limit, async (patience) => {
      const response = await member.post(path, body, headers, patience).catch((error: Error) => {
        const said = patience.aborted ? 'it is silent' : error.message;
        throw new PassingError(`${origin}: ${said}`, !neverConnected(error), { cause: error });
      });
      return readResponse(response, origin);
    });
  }

  /** Runs `work` with a signal that is given after so many milliseconds, or with `parent`. */
  async #within<T>(ms: number, parent: AbortSignal | undefined, work: (signal: AbortSignal) => Promise<T>) {
    const [alarm, over] = [new AbortController(), new AbortController()];
    void this.#environment.sleep(ms, { signal: over.signal, background: true }).then(() => {
      if (!over.signal.aborted) alarm.abort('the time is up');
    });
    try {
      return await work(parent ? AbortSignal.any([alarm.signal, parent]) : alarm.signal);
    } finally {
      over.abort('ended');
    }
  }
}

function failure(what: string, cause: PassingError): StoreError {
  return new StoreError('STORE_UNAVAILABLE', `${what}; the last said: ${cause.message}`, { cause });
}
