// A lease server over HTTP: the wire protocol of docs/protocol.md, and the routes for operators. The provider holds no
// state. When a response is lost, the client sends the same request again, and the pool repeats its response (rule R8).
import { within } from '../deadline.js';
import { checkEnvironment, type Environment } from '../environment.js';
import { checkInteger, InvalidArgumentError } from '../errors.js';
import { checkId } from '../id/bytes.js';
import type { KazahanaId } from '../id/layout.js';
import { LeaseError } from '../lease/errors.js';
import { checkAcquire, checkPage, checkRelease } from '../lease/requests.js';
import type {
  AcquireOptions,
  AcquireResponse,
  CallOptions,
  InspectedLease,
  InspectedPool,
  LayoutChange,
  LeaseInspector,
  LeasePage,
  LeaseProvider,
  ReleaseOptions,
  WhoisResult,
} from '../lease/types.js';
import { checkOptions } from '../options.js';
import { problemToError, type Refusal } from './http-problem.js';
import {
  BadResponseError,
  readAcquire,
  readIds,
  readNothing,
  readPool,
  readPoolState,
  readReleased,
  readText,
  readWhois,
} from './http-response.js';

export interface HttpLeaseProviderOptions {
  /** Sent as `Authorization: Bearer …`. */
  readonly token?: string;
  /** Milliseconds until a call ends without a response; 5 seconds when left out. */
  readonly timeout?: number;
  /** How leases are released: `DELETE` when left out; `POST` where a proxy drops the body of a `DELETE`. */
  readonly releaseMethod?: 'DELETE' | 'POST';
  /** The platform's `fetch` when left out. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
  readonly environment?: Environment;
}

const OPTION_NAMES = {
  token: true,
  timeout: true,
  releaseMethod: true,
  fetch: true,
  environment: true,
} satisfies Record<keyof HttpLeaseProviderOptions, true>;

const DEFAULT_TIMEOUT = 5000;
const MAX_TIMEOUT = 2 ** 31 - 1;
/** A change of layout reads and writes all slots of a pool. */
const LAYOUT_TIMEOUT = 120_000;

export class HttpLeaseProvider implements LeaseProvider, LeaseInspector {
  readonly #url: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #timeout: number;
  readonly #releaseMethod: 'DELETE' | 'POST';
  readonly #fetch: (url: string, init: RequestInit) => Promise<Response>;
  readonly #environment: Environment;

  constructor(url: string | URL, options: HttpLeaseProviderOptions = {}) {
    checkOptions('HttpLeaseProvider', options, OPTION_NAMES);
    const { token, timeout = DEFAULT_TIMEOUT, releaseMethod = 'DELETE' } = options;
    if (releaseMethod !== 'DELETE' && releaseMethod !== 'POST') {
      throw new InvalidArgumentError('releaseMethod', 'DELETE or POST', releaseMethod);
    }
    this.#releaseMethod = releaseMethod;
    this.#url = checkUrl(url);
    this.#headers = {
      accept: 'application/json, application/problem+json',
      ...(token !== undefined && { authorization: `Bearer ${checkToken(token)}` }),
    };
    this.#timeout = checkInteger('timeout', timeout, 1, MAX_TIMEOUT);
    if (options.fetch !== undefined && typeof options.fetch !== 'function') {
      throw new InvalidArgumentError('fetch', 'a function', options.fetch);
    }
    // Read the global at each call: a program may replace it later.
    this.#fetch = options.fetch ?? ((input, init) => fetch(input, init));
    this.#environment = checkEnvironment(options.environment);
  }

  async acquire(options: AcquireOptions, call?: CallOptions): Promise<AcquireResponse> {
    const request = checkAcquire(options);
    return readAcquire(await this.#send('POST', '/lease', { body: request, ...call }));
  }

  async release(options: ReleaseOptions, call?: CallOptions): Promise<void> {
    const { id, ...body } = checkRelease(options);
    const path = this.#releaseMethod === 'DELETE' ? `/lease/${id}` : `/lease/${id}/release`;
    readReleased(await this.#send(this.#releaseMethod, path, { body, lease: options, ...call }));
  }

  async createPool(options: { pool?: string; afterLoss?: boolean } = {}): Promise<InspectedPool> {
    return readPool(await this.#send('POST', '/pool/create', { body: options }));
  }

  async inspectPool(pool?: string): Promise<InspectedPool> {
    return readPoolState(await this.#send('GET', `/pool${queryOf({ pool, limit: 0 })}`)).pool;
  }

  async listLeases(pool?: string, page: LeasePage = {}): Promise<readonly InspectedLease[]> {
    const { after = -1, limit = MAX_LISTED } = checkPage(page);
    const leases: InspectedLease[] = [];
    for (let last = after; leases.length < limit; ) {
      const size = Math.min(limit - leases.length, MAX_PAGE);
      const query = queryOf({ pool, limit: size, ...(last >= 0 && { after: last }) });
      const state = readPoolState(await this.#send('GET', `/pool${query}`));
      leases.push(...leasesAbove(last, state.leases));
      if (state.next === null || state.next === undefined) return leases;
      // A server that goes back, or goes on without leases, would keep its caller for ever.
      if (state.leases.length === 0) throw new BadResponseError('a page that is not the last has no leases');
      if (state.next <= last) throw new BadResponseError('its pages do not rise');
      last = state.next;
    }
    return leases;
  }

  async quarantine(pool?: string): Promise<InspectedPool> {
    return readPool(await this.#send('POST', '/pool/quarantine', { body: { pool } }));
  }

  async revoke(lease: { readonly id: number; readonly pool?: string }): Promise<void> {
    readNothing(await this.#send('POST', '/pool/revoke', { body: lease, lease }));
  }

  async changeLayout(layout: LayoutChange): Promise<InspectedPool> {
    return readPool(await this.#send('POST', '/pool/layout', { body: layout, timeout: LAYOUT_TIMEOUT }));
  }

  async whois(id: bigint, pool?: string): Promise<WhoisResult> {
    return readWhois(await this.#send('GET', `/whois/${checkId(id)}${queryOf({ pool })}`));
  }

  /** So many IDs that the server makes (`POST /ids`), in rising order. */
  async mintIds(count: number, { serviceId, signal }: MintCall = {}): Promise<KazahanaId[]> {
    const body = { count, ...(serviceId !== undefined && { serviceId }) };
    return readIds(await this.#send('POST', '/ids', { body, ...(signal && { signal }) }), count);
  }

  /** The text of a good response; every other outcome is an error. */
  async #send(method: string, path: string, sent: Sent = {}): Promise<string> {
    const { body, lease = {}, signal, timeout = 0 } = sent;
    const init: RequestInit = {
      method,
      headers: { ...this.#headers, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
      // A redirect would carry the request to where its sender never meant it to go.
      redirect: 'manual',
    };
    const exchange = async (deadline: AbortSignal) => {
      const response = await this.#fetch(this.#url + path, { ...init, signal: deadline });
      return { response, text: await readText(response, deadline) };
    };
    const { response, text } = await this.#within(Math.max(this.#timeout, timeout), signal, exchange);
    if (response.ok) return text;
    const { status, headers } = response;
    const retryAfter = headers.get('retry-after');
    throw problemToError({ status, text, retryAfter, request: lease, now: this.#environment.now() });
  }

  /** The result of an exchange; what fails in it means that there is no server. */
  async #within<Result>(
    ms: number,
    signal: AbortSignal | undefined,
    exchange: (signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    const late = () => new LeaseError('TIMEOUT', `the lease server did not respond within ${ms} ms`);
    const failed = (error: unknown) => {
      if (error instanceof BadResponseError) throw error;
      throw new LeaseError('UNREACHABLE', `no lease server responds at ${this.#url}`, { cause: error });
    };
    return within({ environment: this.#environment, ms, late, signal }, (stop) =>
      exchange(stop).catch(failed),
    );
  }
}

interface MintCall {
  readonly serviceId?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** What a request has besides its method and path. */
interface Sent {
  readonly body?: object;
  /** The lease that the request is about. */
  readonly lease?: Refusal['request'];
  readonly signal?: AbortSignal;
  /** Milliseconds that the call may take at least. */
  readonly timeout?: number;
}

/** A page of a list has so many leases at most, but for those of the last machine ID. */
const MAX_PAGE = 1000;
/** A list without a limit ends here: more would fill the memory of the caller. */
const MAX_LISTED = 2 ** 20;

function queryOf(parameters: Readonly<Record<string, string | number | undefined>>): string {
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined);
  return given.length === 0
    ? ''
    : `?${new URLSearchParams(given.map(([name, value]) => [name, `${value}`]))}`;
}

/** The leases of a page, if they come by machine ID. */
function leasesAbove(after: number, leases: readonly InspectedLease[]): readonly InspectedLease[] {
  const isRising = leases.every(({ id }, i) => id > after && id >= (leases[i - 1]?.id ?? 0));
  if (isRising) return leases;
  throw new BadResponseError('its leases are not in the order of their machine IDs');
}

const ALLOWED_URL = 'an http: or https: URL without user, query and fragment';

/** The URL without a slash at its end. The error does not show a URL that may hold a password. */
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
  // Other characters cannot be in a header, and a line break would begin a second one.
  if (typeof token === 'string' && /^[\x21-\x7e]+$/.test(token)) return token;
  throw new InvalidArgumentError('token', 'a text of visible ASCII characters', 'another');
}
