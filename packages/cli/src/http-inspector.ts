// Pools over HTTP: what the operator's routes of a lease server give, as the stores give it themselves.
import {
  type InspectedLease,
  type InspectedPool,
  LeaseError,
  type LeaseInspector,
  LeaseNotFoundError,
  PoolExhaustedError,
} from 'kazahana/lease';

interface PoolAnswer {
  readonly pool: InspectedPool;
  readonly leases: readonly InspectedLease[];
}

export class HttpInspector implements LeaseInspector {
  readonly #url: string;
  readonly #headers: Readonly<Record<string, string>>;

  constructor(url: string, token: string | undefined) {
    this.#url = url.replace(/\/+$/, '');
    this.#headers = {
      'content-type': 'application/json',
      ...(token !== undefined && token !== '' && { authorization: `Bearer ${token}` }),
    };
  }

  async inspectPool(pool?: string): Promise<InspectedPool> {
    return (await this.#read(pool)).pool;
  }

  async listLeases(pool?: string): Promise<readonly InspectedLease[]> {
    return (await this.#read(pool)).leases;
  }

  quarantine(pool?: string): Promise<InspectedPool> {
    return this.#send('POST', '/pool/quarantine', { ...(pool !== undefined && { pool }) });
  }

  async revoke(lease: { readonly id: number; readonly pool?: string }): Promise<void> {
    await this.#send('POST', '/pool/revoke', lease);
  }

  changeLayout(layout: {
    readonly bitId: number;
    readonly bitSeq: number;
    readonly pool?: string;
  }): Promise<InspectedPool> {
    return this.#send('POST', '/pool/layout', layout);
  }

  #read(pool: string | undefined): Promise<PoolAnswer> {
    const query = pool === undefined ? '' : `?pool=${encodeURIComponent(pool)}`;
    return this.#send('GET', `/pool${query}`);
  }

  async #send<Answer>(method: string, path: string, body?: object): Promise<Answer> {
    let response: Response;
    try {
      response = await fetch(this.#url + path, {
        method,
        headers: { ...this.#headers },
        redirect: 'manual',
        ...(body && { body: JSON.stringify(body) }),
      });
    } catch (error) {
      throw new LeaseError('UNREACHABLE', `no lease server answers at ${this.#url}`, { cause: error });
    }
    if (response.status === 204) return undefined as Answer;
    const answer: unknown = await response.json().catch(() => undefined);
    if (response.ok && answer !== undefined) return answer as Answer;
    throw refusalOf(response.status, answer);
  }
}

function refusalOf(status: number, answer: unknown): Error {
  const { code, detail, pool, retryAfterMs } = (answer ?? {}) as Record<string, unknown>;
  if (code === 'LEASE_NOT_FOUND') return new LeaseNotFoundError(-1);
  if (code === 'POOL_EXHAUSTED') return new PoolExhaustedError(String(pool), Number(retryAfterMs));
  if (typeof code === 'string')
    return new LeaseError(code, `${String(detail)} (HTTP status ${status}, ${code})`);
  return new LeaseError('BAD_RESPONSE', `what answers is no lease server: HTTP status ${status}`);
}
