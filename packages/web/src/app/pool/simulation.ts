// A pool without a server: the real pool rules and real clients, on a time of their own that passes faster than ours.
import { KazahanaClient, MemoryLeaseProvider } from 'kazahana';
import {
  type AcquireOptions,
  type CallOptions,
  type LeaseProvider,
  type ReleaseOptions,
  virtualEnvironment,
} from 'kazahana/lease';
import type { PoolState } from './pool-state.js';

export interface SimulationSettings {
  readonly clients: number;
  readonly crashesPerMinute: number;
  readonly leaseSeconds: number;
}

export const DEFAULTS: SimulationSettings = { clients: 40, crashesPerMinute: 4, leaseSeconds: 60 };
/** 128 numbers to lease: few enough to see each, and to run out of. */
const LAYOUT = { bitId: 8, bitSeq: 14 };
const SERVICES = ['orders', 'users', 'search'];

/** How a client reaches the pool; a crashed one reaches nothing any more, so its lease stays where it is. */
class Line implements LeaseProvider {
  readonly #provider: LeaseProvider;
  readonly #host: string;
  isCut = false;

  constructor(provider: LeaseProvider, host: string) {
    this.#provider = provider;
    this.#host = host;
  }

  acquire(options: AcquireOptions, call?: CallOptions) {
    if (this.isCut) return Promise.reject(new Error('crashed'));
    // The client would name this browser; here it plays a host of its own.
    return this.#provider.acquire({ ...options, meta: { host: this.#host } }, call);
  }

  release(options: ReleaseOptions, call?: CallOptions) {
    return this.isCut ? Promise.reject(new Error('crashed')) : this.#provider.release(options, call);
  }
}

interface Running {
  readonly client: KazahanaClient;
  readonly line: Line;
}

export class Simulation {
  readonly #environment = virtualEnvironment({ seed: 7 });
  readonly #provider: MemoryLeaseProvider;
  readonly #running: Running[] = [];
  readonly #startedAt: number;
  #started = 0;
  #made = 0;
  /** Crashes that are due, in parts. */
  #crashes = 0;

  constructor({ leaseSeconds }: SimulationSettings) {
    const service = { leaseDuration: leaseSeconds * 1000, ...LAYOUT };
    const services = Object.fromEntries(['default', ...SERVICES].map((name) => [name, service]));
    this.#provider = new MemoryLeaseProvider({ services, environment: this.#environment });
    this.#startedAt = this.#environment.now();
  }

  get idsMade(): number {
    return this.#made;
  }

  get elapsedMs(): number {
    return this.#environment.now() - this.#startedAt;
  }

  get now(): number {
    return this.#environment.now();
  }

  /** Lets time pass: clients come and go as the settings say, and each makes an ID. */
  async step(ms: number, { clients, crashesPerMinute }: SimulationSettings): Promise<void> {
    while (this.#running.length < clients) this.#start();
    while (this.#running.length > clients) this.#running.pop()?.client.shutdown().catch(ignore);
    this.#crashes += (crashesPerMinute * ms) / 60_000;
    for (; this.#crashes >= 1; this.#crashes--) this.#crash();
    for (const { client } of this.#running) {
      client.nextId().then(() => {
        this.#made++;
      }, ignore);
    }
    await this.#environment.advance(ms);
  }

  async look(): Promise<PoolState> {
    const pool = await this.#provider.inspectPool();
    const leases = await this.#provider.listLeases();
    return { pool, leases };
  }

  async close(): Promise<void> {
    for (const { client } of this.#running.splice(0)) client.shutdown().catch(ignore);
    await this.#environment.settle();
  }

  #start(): void {
    const serviceId = SERVICES[this.#started++ % SERVICES.length] ?? 'default';
    const line = new Line(this.#provider, `${serviceId}-${this.#started}`);
    const client = new KazahanaClient({
      provider: line,
      serviceId,
      maxThroughputPerMs: 1,
      environment: this.#environment,
      onWarning: ignore,
    });
    this.#running.push({ client, line });
  }

  /** One of them dies without a word; another takes its place at once, under a new lease. */
  #crash(): void {
    const [byte = 0] = this.#environment.random(new Uint8Array(1));
    const [victim] = this.#running.splice(byte % Math.max(1, this.#running.length), 1);
    if (!victim) return;
    victim.line.isCut = true;
    victim.client.shutdown().catch(ignore);
    this.#start();
  }
}

function ignore(): void {}
