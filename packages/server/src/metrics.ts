// What Prometheus gets (seed 003 §10.3). Labels are bounded: a service is called by its name only when it is configured,
// a route by its pattern.
import { type ClientReport, makeReport } from 'kazahana/lease';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { Meters } from './meters.js';

/** From half a millisecond (SQLite, Redis nearby) to the deadline. */
const SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

const ACQUIRE_RESULTS = [
  'granted',
  'exhausted',
  'in quarantine',
  'over quota',
  'too many',
  'mismatch',
  'store failure',
  'refused',
] as const;
export type AcquireResult = (typeof ACQUIRE_RESULTS)[number];

const RELEASE_RESULTS = ['released', 'not found', 'stale', 'store failure', 'refused'] as const;
export type ReleaseResult = (typeof RELEASE_RESULTS)[number];

export interface BuildInfo {
  readonly version: string;
  /** The kind of store: `sqlite`, `redis`, … */
  readonly store: string;
}

/** The report of a client to which nothing has happened. */
const NOTHING_REPORTED = makeReport(() => 0);

/** Of the process, which has its own however many apps are in it: memory, processor time, garbage collection. */
let processRegistry: Registry | undefined;

function processMetrics(): Registry {
  if (!processRegistry) {
    processRegistry = new Registry();
    collectDefaultMetrics({ register: processRegistry });
  }
  return processRegistry;
}

export class Metrics {
  readonly #meters = new Meters('kazahana_');
  readonly #services: ReadonlySet<string>;

  readonly #acquires = this.#meters.counter('acquires_total', 'Acquires by result', ['service', 'result']);
  readonly #leases = this.#meters.counter('leases_granted_total', 'Leases granted', ['service']);
  readonly #releases = this.#meters.counter('releases_total', 'Releases by result', ['result']);
  readonly #acquireSeconds = this.#meters.histogram(
    'acquire_duration_seconds',
    'Time to answer an acquire',
    [],
    SECONDS,
  );
  readonly #storeSeconds = this.#meters.histogram(
    'store_duration_seconds',
    'Time the store takes',
    ['operation', 'result'],
    SECONDS,
  );
  readonly #http = this.#meters.counter('http_requests_total', 'Requests', ['route', 'method', 'status']);
  readonly #minted = this.#meters.counter('minted_ids_total', 'IDs made by POST /ids', ['service']);
  readonly #clientIds = this.#meters.counter('client_ids_total', 'IDs that clients report', [
    'service',
    'kind',
  ]);
  readonly #clientExhausted = this.#meters.counter(
    'client_exhausted_milliseconds_total',
    'Milliseconds in which a client had no sequence left, as reported',
    ['service'],
  );
  readonly #clientFailures = this.#meters.counter(
    'client_acquire_failures_total',
    'Acquires that failed for clients, as reported',
    ['service'],
  );
  readonly #clientSteps = this.#meters.counter(
    'client_clock_steps_total',
    'Clock steps of clients, as reported',
    ['service'],
  );
  readonly #active = this.#meters.gauge('leases_active', 'Leases whose windows have not ended', [
    'pool',
    'service',
  ]);
  readonly #slots = this.#meters.gauge('pool_slots', 'Machine numbers that can be leased', ['pool']);
  readonly #held = this.#meters.gauge('pool_held', 'Machine numbers that are taken', ['pool']);
  readonly #quarantine = this.#meters.gauge('pool_quarantined', '1 while a pool grants nothing', ['pool']);
  readonly #storeUp = this.#meters.gauge('store_up', '1 while the store answers', []);

  constructor(services: Iterable<string>, { version, store }: BuildInfo) {
    this.#services = new Set(services);
    processMetrics();
    this.#meters
      .gauge('build_info', 'Always 1', ['version', 'store', 'node'])
      .set(1, version, store, process.version);
    this.#storeUp.set(0);
    this.#beginAtZero();
  }

  /** What has not happened yet was counted, too: a rate cannot rise from nothing. */
  #beginAtZero(): void {
    for (const result of RELEASE_RESULTS) this.#releases.add(0, result);
    for (const service of [...this.#services, OTHER]) {
      for (const result of ACQUIRE_RESULTS) this.#acquires.add(0, service, result);
      this.#leases.add(0, service);
      this.#minted.add(0, service);
      this.reported(service, NOTHING_REPORTED);
    }
  }

  get contentType(): string {
    return processMetrics().contentType;
  }

  async text(): Promise<string> {
    return `${this.#meters.text()}\n${await processMetrics().metrics()}`;
  }

  acquired(serviceId: string, result: AcquireResult, leases: number, seconds: number): void {
    const service = this.#service(serviceId);
    this.#acquires.add(1, service, result);
    this.#leases.add(leases, service);
    this.#acquireSeconds.observe(seconds);
  }

  released(result: ReleaseResult): void {
    this.#releases.add(1, result);
  }

  storeCalled(operation: string, isFine: boolean, seconds: number): void {
    this.#storeSeconds.observe(seconds, operation, isFine ? 'ok' : 'failed');
  }

  answered(route: string, method: string, status: number): void {
    this.#http.add(1, route, method, String(status));
  }

  minted(serviceId: string, ids: number): void {
    this.#minted.add(ids, this.#service(serviceId));
  }

  reported(serviceId: string, report: ClientReport): void {
    const service = this.#service(serviceId);
    this.#clientIds.add(report.leasedIds, service, 'leased');
    this.#clientIds.add(report.fencedIds, service, 'fenced');
    this.#clientIds.add(report.randomIds, service, 'random');
    this.#clientExhausted.add(report.exhaustedMs, service);
    this.#clientFailures.add(report.acquireFailures, service);
    this.#clientSteps.add(report.clockSteps, service);
  }

  storeIs(isUp: boolean): void {
    this.#storeUp.set(isUp ? 1 : 0);
  }

  /** The state of a pool, as it was last seen. */
  poolIs(
    pool: string,
    state: { readonly slots: number; readonly held: number; readonly isQuarantined: boolean },
    services: Iterable<string>,
  ): void {
    this.#slots.set(state.slots, pool);
    this.#held.set(state.held, pool);
    this.#quarantine.set(state.isQuarantined ? 1 : 0, pool);
    const counts = new Map([...this.#services, OTHER].map((service) => [service, 0]));
    for (const serviceId of services) {
      const service = this.#service(serviceId);
      counts.set(service, (counts.get(service) ?? 0) + 1);
    }
    for (const [service, count] of counts) this.#active.set(count, pool, service);
  }

  #service(serviceId: string): string {
    return this.#services.has(serviceId) ? serviceId : OTHER;
  }
}

const OTHER = 'other';
