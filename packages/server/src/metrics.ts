// What Prometheus gets (seed 003 §10.3). Labels are bounded: a service is called by its name only when it is configured,
// a route by its pattern.
import type { ClientReport } from 'kazahana/lease';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** From half a millisecond (SQLite, Redis nearby) to the deadline. */
const SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

export type AcquireResult =
  | 'granted'
  | 'exhausted'
  | 'in quarantine'
  | 'over quota'
  | 'too many'
  | 'mismatch'
  | 'store failure'
  | 'refused';

export type ReleaseResult = 'released' | 'not found' | 'stale' | 'store failure' | 'refused';

export interface BuildInfo {
  readonly version: string;
  /** The kind of store: `sqlite`, `redis`, … */
  readonly store: string;
}

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
  readonly #registry = new Registry();
  readonly #services: ReadonlySet<string>;

  readonly #acquires = this.#counter('acquires_total', 'Acquires by result', ['service', 'result']);
  readonly #leases = this.#counter('leases_granted_total', 'Leases granted', ['service']);
  readonly #releases = this.#counter('releases_total', 'Releases by result', ['result']);
  readonly #acquireSeconds = this.#histogram('acquire_duration_seconds', 'Time to answer an acquire', []);
  readonly #storeSeconds = this.#histogram('store_duration_seconds', 'Time the store takes', [
    'operation',
    'result',
  ]);
  readonly #http = this.#counter('http_requests_total', 'Requests', ['route', 'method', 'status']);
  readonly #minted = this.#counter('minted_ids_total', 'IDs made by POST /ids', ['service']);
  readonly #clientIds = this.#counter('client_ids_total', 'IDs that clients report', ['service', 'kind']);
  readonly #clientExhausted = this.#counter(
    'client_exhausted_milliseconds_total',
    'Milliseconds in which a client had no sequence left, as reported',
    ['service'],
  );
  readonly #clientFailures = this.#counter(
    'client_acquire_failures_total',
    'Acquires that failed for clients, as reported',
    ['service'],
  );
  readonly #clientSteps = this.#counter('client_clock_steps_total', 'Clock steps of clients, as reported', [
    'service',
  ]);
  readonly #active = this.#gauge('leases_active', 'Leases whose windows have not ended', ['pool', 'service']);
  readonly #slots = this.#gauge('pool_slots', 'Machine numbers that can be leased', ['pool']);
  readonly #held = this.#gauge('pool_held', 'Machine numbers that are taken', ['pool']);
  readonly #quarantine = this.#gauge('pool_quarantined', '1 while a pool grants nothing', ['pool']);
  readonly #storeUp = this.#gauge('store_up', '1 while the store answers', []);

  constructor(services: Iterable<string>, { version, store }: BuildInfo) {
    this.#services = new Set(services);
    processMetrics();
    const info = this.#gauge('build_info', 'Always 1', ['version', 'store', 'node']);
    info.set({ version, store, node: process.version }, 1);
    this.#storeUp.set(0);
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  async text(): Promise<string> {
    const texts = await Promise.all([this.#registry, processMetrics()].map((registry) => registry.metrics()));
    return texts.join('\n');
  }

  acquired(serviceId: string, result: AcquireResult, leases: number, seconds: number): void {
    const service = this.#service(serviceId);
    this.#acquires.inc({ service, result });
    if (leases > 0) this.#leases.inc({ service }, leases);
    this.#acquireSeconds.observe(seconds);
  }

  released(result: ReleaseResult): void {
    this.#releases.inc({ result });
  }

  storeCalled(operation: string, isFine: boolean, seconds: number): void {
    this.#storeSeconds.observe({ operation, result: isFine ? 'ok' : 'failed' }, seconds);
  }

  answered(route: string, method: string, status: number): void {
    this.#http.inc({ route, method, status: String(status) });
  }

  minted(serviceId: string, ids: number): void {
    this.#minted.inc({ service: this.#service(serviceId) }, ids);
  }

  reported(serviceId: string, report: ClientReport): void {
    const service = this.#service(serviceId);
    const add = (counter: Counter, labels: Record<string, string>, count: number) => {
      // Most of what is reported is that nothing happened.
      if (count > 0) counter.inc(labels, count);
    };
    add(this.#clientIds, { service, kind: 'leased' }, report.leasedIds);
    add(this.#clientIds, { service, kind: 'fenced' }, report.fencedIds);
    add(this.#clientIds, { service, kind: 'random' }, report.randomIds);
    add(this.#clientExhausted, { service }, report.exhaustedMs);
    add(this.#clientFailures, { service }, report.acquireFailures);
    add(this.#clientSteps, { service }, report.clockSteps);
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
    this.#slots.set({ pool }, state.slots);
    this.#held.set({ pool }, state.held);
    this.#quarantine.set({ pool }, state.isQuarantined ? 1 : 0);
    const counts = new Map([...this.#services, OTHER].map((service) => [service, 0]));
    for (const serviceId of services) {
      const service = this.#service(serviceId);
      counts.set(service, (counts.get(service) ?? 0) + 1);
    }
    for (const [service, count] of counts) this.#active.set({ pool, service }, count);
  }

  #service(serviceId: string): string {
    return this.#services.has(serviceId) ? serviceId : OTHER;
  }

  #counter(name: string, help: string, labelNames: string[]): Counter {
    return new Counter({ name: `kazahana_${name}`, help, labelNames, registers: [this.#registry] });
  }

  #gauge(name: string, help: string, labelNames: string[]): Gauge {
    return new Gauge({ name: `kazahana_${name}`, help, labelNames, registers: [this.#registry] });
  }

  #histogram(name: string, help: string, labelNames: string[]): Histogram {
    const registers = [this.#registry];
    return new Histogram({ name: `kazahana_${name}`, help, labelNames, buckets: SECONDS, registers });
  }
}

const OTHER = 'other';
