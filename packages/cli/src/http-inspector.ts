// Pools over HTTP: what the operator's routes of a lease server give, as the stores give it themselves.
import {
  type InspectedLease,
  type InspectedPool,
  type LayoutChange,
  LeaseError,
  LeaseNotFoundError,
  PoolExhaustedError,
  type WhoisResult,
} from 'kazahana/lease';
import type { PoolAccess, PoolView } from './pool-access.js';

/** As long as a client of leases waits. */
const DEADLINE_MS = 5000;

export class HttpInspector implements PoolAccess {
  readonly #url: string;
  readonly #headers: Readonly<Record<string, string>>;

  constructor(url: string, token: string | undefined) {
    this.#url = url.replace(/\/+$/, '');
    this.#headers = {
      'content-type': 'application/json',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    };
  }

  async look(pool: string | undefined): Promise<PoolView> {
    const query = pool === undefined ? '' : `?pool=${encodeURIComponent(pool)}`;
    const answer = await this.#send<{ pool: InspectedPool; leases: InspectedLease[] }>(
      'GET',
      `/pool${query}`,
    );
    return { pool: answer.pool, leases: answer.leases };
  }

  async whois(id: bigint, pool: string | undefined): Promise<WhoisResult> {
    const query = pool === undefined ? '' : `?pool=${encodeURIComponent(pool)}`;
    const { id: _, ...result } = await this.#send<WhoisResult & { id: string }>(
      'GET',
      `/whois/${id}${query}`,
    );
    return result;
  }

  create(options: { readonly pool?: string; readonly afterLoss?: boolean }): Promise<InspectedPool> {
    return this.#send('POST', '/pool/create', options);
  }

  quarantine(pool: string | undefined): Promise<InspectedPool> {
    return this.#send('POST', '/pool/quarantine', { ...(pool !== undefined && { pool }) });
  }

  async revoke(lease: { readonly id: number; readonly pool?: string }): Promise<void> {
    try {
      await this.#send('POST', '/pool/revoke', lease);
    } catch (error) {
      const isUnknown = error instanceof LeaseError && error.code === 'LEASE_NOT_FOUND';
      throw isUnknown ? new LeaseNotFoundError(lease.id) : error;
    }
  }

  changeLayout(layout: LayoutChange): Promise<InspectedPool> {
    return this.#send('POST', '/pool/layout', layout);
  }

  async close(): Promise<void> {}

  async #send<Answer>(method: string, path: string, body?: object): Promise<Answer> {
    let response: Response;
    let text: string;
    try {
      response = await fetch(this.#url + path, {
        method,
        headers: { ...this.#headers },
        redirect: 'manual',
        signal: AbortSignal.timeout(DEADLINE_MS),
        ...(body && { body: JSON.stringify(body) }),
      });
      text = await response.text();
    } catch (error) {
      throw noServerAt(this.#url, error);
    }
    if (response.status === 204) return undefined as Answer;
    const answer = parse(text);
    if (response.ok && answer !== undefined) return answer as Answer;
    throw refusalOf(response.status, answer);
  }
}

export const noServerAt = (url: string, cause: unknown) =>
  new LeaseError('UNREACHABLE', `no lease server answers at ${url}`, { cause });

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function refusalOf(status: number, answer: unknown): Error {
  const { code, detail, pool, retryAfterMs } = (answer ?? {}) as Record<string, unknown>;
  if (code === 'POOL_EXHAUSTED') return new PoolExhaustedError(String(pool), Number(retryAfterMs));
  if (typeof code === 'string')
    return new LeaseError(code, `${String(detail)} (HTTP status ${status}, ${code})`);
  return new LeaseError('BAD_RESPONSE', `what answers is no lease server: HTTP status ${status}`);
}
