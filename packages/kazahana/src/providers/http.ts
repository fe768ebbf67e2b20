// Leases from a server over HTTP: the wire protocol of docs/protocol.md. It holds no state; what may have changed at
// the server when an answer is lost is the pool's and the client's affair (rule R8).
import { defaultEnvironment, type Environment } from '../environment.js';
import { checkInteger, InvalidArgumentError } from '../errors.js';
import { LeaseError } from '../lease/errors.js';
import { checkAcquire, checkRelease } from '../lease/requests.js';
import type {
  AcquireOptions,
  AcquireResponse,
  CallOptions,
  LeaseProvider,
  ReleaseOptions,
} from '../lease/types.js';
import { readAnswer } from './http-answer.js';
import { problemToError } from './http-problem.js';

export interface HttpLeaseProviderOptions {
  /** Sent as `Authorization: Bearer …`. */
  readonly token?: string;
  /** Milliseconds until a call is given up; 5 seconds when left out. */
  readonly timeout?: number;
  /** How leases are given back: `DELETE` when left out; `POST` where a proxy drops the body of a `DELETE`. */
  readonly releaseMethod?: 'DELETE' | 'POST';
  /** The platform's `fetch` when left out. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
  readonly environment?: Environment;
}

const DEFAULT_TIMEOUT = 5000;
const MAX_TIMEOUT = 2 ** 31 - 1;

export class HttpLeaseProvider implements LeaseProvider {
  readonly #url: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #timeout: number;
  readonly #releaseMethod: 'DELETE' | 'POST';
  readonly #fetch: (url: string, init: RequestInit) => Promise<Response>;
  readonly #environment: Environment;

  constructor(url: string | URL, options: HttpLeaseProviderOptions = {}) {
    const { token, timeout = DEFAULT_TIMEOUT, environment = defaultEnvironment } = options;
    const { releaseMethod = 'DELETE' } = options;
    if (releaseMethod !== 'DELETE' && releaseMethod !== 'POST') {
      throw new InvalidArgumentError('releaseMethod', 'DELETE or POST', releaseMethod);
    }
    this.#releaseMethod = releaseMethod;
    this.#url = checkUrl(url);
    this.#headers = {
      accept: 'application/json, application/problem+json',
      'content-type': 'application/json',
      ...(token !== undefined && { authorization: `Bearer ${checkToken(token)}` }),
    };
    this.#timeout = checkInteger('timeout', timeout, 1, MAX_TIMEOUT);
    // Looked up at each call, so that one that is replaced or polyfilled later counts.
    this.#fetch = options.fetch ?? ((input, init) => fetch(input, init));
    this.#environment = environment;
  }

  async acquire(options: AcquireOptions, call?: CallOptions): Promise<AcquireResponse> {
    const request = checkAcquire(options);
    return readAnswer(await this.#send('POST', '/lease', request, request, call));
  }

  async release(options: ReleaseOptions, call?: CallOptions): Promise<void> {
    const { id, ...body } = checkRelease(options);
    const path = this.#releaseMethod === 'DELETE' ? `/lease/${id}` : `/lease/${id}/release`;
    await this.#send(this.#releaseMethod, path, body, options, call);
  }

  /** The text of a good answer; every other outcome is an error. */
  async #send(
    method: string,
    path: string,
    body: object,
    request: AcquireOptions | ReleaseOptions,
    { signal }: CallOptions = {},
  ): Promise<string> {
    const exchange = async (deadline: AbortSignal) => {
      const response = await this.#fetch(this.#url + path, {
        method,
        headers: { ...this.#headers },
        body: JSON.stringify(body),
        signal: deadline,
        // A redirect would carry the request to where its sender never meant it to go.
        redirect: 'manual',
      });
      return { response, text: await response.text() };
    };
    const { response, text } = await this.#withinDeadline(exchange, signal);
    if (response.ok) return text;
    const { status, headers } = response;
    const retryAfter = headers.get('retry-after');
    throw problemToError({ status, text, retryAfter, request, now: this.#environment.now() });
  }

  /** Ends when the work does, when the time is up, or when the caller gives up; whichever comes first. */
  async #withinDeadline<T>(
    work: (signal: AbortSignal) => Promise<T>,
    signal: AbortSignal | undefined,
  ): Promise<T> {
    signal?.throwIfAborted();
    const stop = new AbortController();
    const alarm = new AbortController();
    const follow = () => stop.abort(signal?.reason);
    signal?.addEventListener('abort', follow);
    void this.#environment.sleep(this.#timeout, { signal: alarm.signal, background: true }).then(() => {
      if (alarm.signal.aborted) return;
      stop.abort(new LeaseError('TIMEOUT', `the lease server has not answered within ${this.#timeout} ms`));
    });
    // A `fetch` that does not look at its signal must not keep the caller waiting.
    const stopped = new Promise<never>((_resolve, reject) => {
      stop.signal.addEventListener('abort', () => reject(stop.signal.reason));
    });
    try {
      return await Promise.race([work(stop.signal), stopped]);
    } catch (error) {
      if (stop.signal.aborted) throw stop.signal.reason;
      throw new LeaseError('UNREACHABLE', 'the lease server cannot be reached', { cause: error });
    } finally {
      alarm.abort();
      signal?.removeEventListener('abort', follow);
    }
  }
}

const ALLOWED_URL = 'an http: or https: URL without user, query and fragment';

/** The URL without a slash at its end. What is refused is not shown when it may hold a password. */
function checkUrl(url: string | URL): string {
  const text = String(url);
  if (!URL.canParse(text)) throw new InvalidArgumentError('url', ALLOWED_URL, 'what is no URL');
  const { protocol, username, password, search, hash, origin, pathname } = new URL(text);
  if (protocol !== 'http:' && protocol !== 'https:') {
    throw new InvalidArgumentError('url', ALLOWED_URL, protocol);
  }
  if (username + password + search + hash !== '') {
    throw new InvalidArgumentError('url', ALLOWED_URL, `one of ${origin} with more`);
  }
  return origin + pathname.replace(/\/+$/, '');
}

function checkToken(token: unknown): string {
  // Anything else would not survive as a header, and some of it would be a second header.
  if (typeof token === 'string' && /^[\x21-\x7e]+$/.test(token)) return token;
  throw new InvalidArgumentError('token', 'a text of visible ASCII characters', 'another');
}
