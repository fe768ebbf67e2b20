// What is attacked, and what must stay true whatever comes: a pool with leases that only good requests may change.
import { createLeaseApp, hashToken, type LeaseApp } from '@kazahana/server';
import { MemoryDriver, type MemorySnapshot } from 'kazahana';
import {
  defaultEnvironment,
  type InspectedLease,
  LeaseEngine,
  type LeaseInfo,
  signRelease,
} from 'kazahana/lease';
import { collectingLog, type LogLine } from '../log.ts';
import { type HostileRequest, MARKER, type Target } from './generate.ts';

const TOKEN = 'the-token-of-the-attacker';
const DAY = 24 * 3600 * 1000;
const FIRST_LEASES = 40;
/** So many requests until the pool is compared with what it should be, and set back. */
const CHECK_EVERY = 500;

export interface Outcome {
  readonly status: number;
  readonly contentType: string;
  readonly text: string;
}

export class FuzzedWorld {
  readonly #began = Date.now();
  readonly services = { default: { leaseDuration: 30 * DAY, maxLeasesPerRequest: 16 } };
  /** Its time stands still: signatures do not go stale, however long it takes. */
  readonly #environment = { ...defaultEnvironment, now: () => this.#began };
  readonly #driver = new MemoryDriver({ environment: this.#environment });
  /** The world sets its store back; the pool must not take that for a loss. */
  readonly store = new LeaseEngine(
    this.#driver,
    { services: this.services, environment: this.#environment },
    { hasForgotten: () => false },
  );
  readonly tokens = [
    {
      name: 'attacker',
      sha256: hashToken(TOKEN),
      scopes: ['acquire', 'observe', 'mint', 'operate'] as const,
      services: '*' as const,
      maxLeases: Number.POSITIVE_INFINITY,
      requestsPerSecond: Number.POSITIVE_INFINITY,
    },
  ];
  readonly #collected = collectingLog();
  readonly log = this.#collected.log;
  readonly app: LeaseApp = createLeaseApp({
    store: this.store,
    services: this.services,
    tokens: this.tokens,
    log: this.log,
  });
  /** How many responses of each status and code there were. */
  readonly counts = new Map<string, number>();
  #start: MemorySnapshot = this.#driver.snapshot();
  #leases: Target['releases'] = [];
  /** What is in the pool, by machine ID and beginning. */
  readonly #expected = new Map<string, LeaseInfo | undefined>();
  #sinceCheck = 0;
  #isUpset = false;

  /** Leases for the attacker to know. */
  async begin(): Promise<void> {
    await this.app.check();
    const known: LeaseInfo[] = [];
    for (let i = 0; i < FIRST_LEASES; i++) known.push(...(await this.store.acquire({})).leases);
    this.#leases = known.map(({ id, secret, created }) => ({
      id,
      timestamp: created,
      signature: signRelease(secret, id, created),
    }));
    await this.settleMinter(async (request) => this.app.fetch(request));
  }

  /** Lets a server take the lease that it makes IDs with, so that this does not happen on the way. */
  async settleMinter(send: (request: Request) => Promise<Response>, url = 'http://localhost'): Promise<void> {
    const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' };
    const { status } = await send(
      new Request(`${url}/ids`, { method: 'POST', headers, body: '{"count":1}' }),
    );
    if (status !== 200) throw new Error(`no IDs: ${status}`);
    this.#start = this.#driver.snapshot();
    await this.#setBack();
  }

  get target(): Target {
    return { token: TOKEN, releases: this.#leases };
  }

  get logLines(): readonly LogLine[] {
    return this.#collected.lines;
  }

  /** Judges a response; throws with what is wrong. */
  async judge(request: HostileRequest, { status, contentType, text }: Outcome): Promise<void> {
    const fail = (what: string): never => {
      throw new Error(`${what}\n${describe(request)}\ngot ${status} ${contentType}\n${text.slice(0, 500)}`);
    };
    if (status >= 500 && !text.includes('"TOO_MANY_WATCHERS"')) fail('a failure of the server');
    let code = '';
    if (status >= 400 && request.method !== 'HEAD') {
      if (contentType !== 'application/problem+json') fail('a refusal that is no problem+json');
      const problem = JSON.parse(text) as Record<string, unknown>;
      code = String(problem.code);
      if (!/^[A-Z][A-Z0-9_]+$/.test(code) || problem.status !== status)
        fail('a problem without code or status');
      // The service of a request for too many leases is named, so that the client can say whose limit it was.
      if (text.includes(MARKER) && code !== 'TOO_MANY_LEASES') fail('a refusal that repeats what was sent');
    }
    const kind = `${status} ${code}`.trim();
    this.counts.set(kind, (this.counts.get(kind) ?? 0) + 1);
    this.#follow(request, status, text);
    if (this.#isUpset) await this.#setBack();
    if (++this.#sinceCheck >= CHECK_EVERY) await this.compare();
  }

  /** The pool must be what the good requests have made of it, and nothing else. */
  async compare(): Promise<void> {
    const there = (await this.store.listLeases()).map(keyOf).sort();
    const expected = [...this.#expected.keys()].sort();
    if (there.join() !== expected.join()) {
      throw new Error(`the pool has ${there.length} leases and should have ${expected.length}`);
    }
    await this.#setBack();
  }

  /** What a good request does to the pool. */
  #follow({ method, path }: HostileRequest, status: number, text: string): void {
    if (status >= 300 || method === 'GET' || method === 'HEAD') return;
    if (path === '/lease') {
      for (const lease of (JSON.parse(text) as { leases: LeaseInfo[] }).leases)
        this.#expected.set(keyOf(lease), lease);
    } else if (path.startsWith('/lease/')) {
      const id = Number(path.split('/')[2]);
      this.#forget(id);
    } else if (path.startsWith('/pool/')) {
      // What operators do changes everything: back to the start.
      this.#isUpset = true;
    }
  }

  #forget(id: number): void {
    for (const key of this.#expected.keys()) if (key.startsWith(`${id}/`)) this.#expected.delete(key);
  }

  async #setBack(): Promise<void> {
    this.#driver.restore(this.#start);
    this.#expected.clear();
    for (const lease of await this.store.listLeases()) this.#expected.set(keyOf(lease), undefined);
    this.#sinceCheck = 0;
    this.#isUpset = false;
  }
}

const keyOf = ({ id, created }: Pick<InspectedLease, 'id' | 'created'>) => `${id}/${created}`;

/** A request for people to read, and to send again. */
function describe({ method, path, headers, body, isChunked }: HostileRequest): string {
  const lines = headers.map(([name, value]) => `  ${name}: ${value.slice(0, 200)}`);
  const content =
    body === undefined ? 'no body' : JSON.stringify(Buffer.from(body).toString('latin1').slice(0, 2000));
  return [`${method} ${path.slice(0, 300)}${isChunked ? ' (in pieces)' : ''}`, ...lines, `  ${content}`].join(
    '\n',
  );
}
