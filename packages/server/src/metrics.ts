// What Prometheus gets; docs/metrics.md explains each metric. Labels are bounded: a service has its own only when it
// is configured, a route has its pattern.
import { type ClientReport, type InspectedPool, makeReport } from 'kazahana/lease';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

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

/**
 * The most that one report counts: what a client with 16 leases makes in 17 minutes. A counter near 2^53 would count no more, and
 * a caller could bring it there with one lie.
 */
const MAX_REPORTED = 2 ** 32;

/** The report of a client to which nothing has happened. */
const NOTHING_REPORTED = makeReport(() => 0);

/** Memory, processor time and garbage collection of the process, once for all apps in it. */
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
  readonly #services: readonly string[];

  readonly #acquires = this.#counter('acquires_total', 'Acquires by result', 'service', 'result');
  readonly #leases = this.#counter('leases_granted_total', 'Leases granted', 'service');
  readonly #releases = this.#counter('releases_total', 'Releases by result', 'result');
  readonly #acquireSeconds = this.#histogram('acquire_duration_seconds', 'Time that an acquire takes');
  readonly #storeCalls = this.#histogram(
    'store_duration_seconds',
    'Calls of the store',
    'operation',
    'result',
  );
  readonly #http = this.#counter('http_requests_total', 'Requests', 'route', 'method', 'status');
  readonly #minted = this.#counter('minted_ids_total', 'IDs made by POST /ids', 'service');
  readonly #clientIds = this.#counter('client_ids_total', 'IDs that clients report', 'service', 'kind');
  readonly #clientExhausted = this.#counter(
    'client_exhausted_milliseconds_total',
    'Milliseconds in which a client had no sequence left, as reported',
    'service',
  );
  readonly #failures = this.#counter(
    'client_acquire_failures_total',
    'Failed acquires, as reported',
    'service',
  );
  readonly #clockSteps = this.#counter('client_clock_steps_total', 'Clock steps, as reported', 'service');
  readonly #active = this.#gauge('leases_active', 'Leases whose windows have not ended', 'pool', 'service');
  readonly #slots = this.#gauge('pool_slots', 'Machine IDs that can be leased', 'pool');
  readonly #held = this.#gauge('pool_held', 'Machine IDs that are held', 'pool');
  readonly #quarantine = this.#gauge('pool_quarantined', '1 while a pool grants nothing', 'pool');
  readonly #storeUp = this.#gauge('store_up', '1 while the store responds');

  constructor(services: Iterable<string>, { version, store }: BuildInfo) {
    this.#services = [...new Set(services), OTHER];
    const build = this.#gauge('build_info', 'Always 1', 'version', 'store', 'node');
    build.set({ version, store, node: process.version }, 1);
    // A rate cannot rise from a series that does not exist yet.
    for (const result of RELEASE_RESULTS) this.#releases.inc({ result }, 0);
    for (const service of this.#services) {
      for (const result of ACQUIRE_RESULTS) this.#acquires.inc({ service, result }, 0);
      this.#leases.inc({ service }, 0);
      this.#minted.inc({ service }, 0);
      this.reported(service, NOTHING_REPORTED);
    }
    processMetrics();
  }

  #counter<Label extends string>(name: string, help: string, ...labelNames: Label[]): Counter<Label> {
    return new Counter({ name: PREFIX + name, help, labelNames, registers: [this.#registry] });
  }

  #gauge<Label extends string>(name: string, help: string, ...labelNames: Label[]): Gauge<Label> {
    return new Gauge({ name: PREFIX + name, help, labelNames, registers: [this.#registry] });
  }

  #histogram<Label extends string>(name: string, help: string, ...labelNames: Label[]): Histogram<Label> {
    const registers = [this.#registry];
    return new Histogram({ name: PREFIX + name, help, labelNames, registers, buckets: SECONDS });
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  text(): Promise<string> {
    return Registry.merge([this.#registry, processMetrics()]).metrics();
  }

  acquired(serviceId: string, result: AcquireResult, leases: number, seconds: number): void {
    const service = this.#service(serviceId);
    this.#acquires.inc({ service, result });
    this.#leases.inc({ service }, leases);
    this.#acquireSeconds.observe(seconds);
  }

  released(result: ReleaseResult): void {
    this.#releases.inc({ result });
  }

  storeCalled(operation: string, isFine: boolean, seconds: number): void {
    this.#storeCalls.observe({ operation, result: isFine ? 'ok' : 'failed' }, seconds);
  }

  responded(route: string, method: string, status: number): void {
    this.#http.inc({ route, method, status });
  }

  minted(serviceId: string, ids: number): void {
    this.#minted.inc({ service: this.#service(serviceId) }, ids);
  }

  reported(serviceId: string, given: ClientReport): void {
    const service = this.#service(serviceId);
    const report = makeReport((field) => Math.min(given[field], MAX_REPORTED));
    this.#clientIds.inc({ service, kind: 'leased' }, report.leasedIds);
    this.#clientIds.inc({ service, kind: 'fenced' }, report.fencedIds);
    this.#clientIds.inc({ service, kind: 'random' }, report.randomIds);
    this.#clientExhausted.inc({ service }, report.exhaustedMs);
    this.#failures.inc({ service }, report.acquireFailures);
    this.#clockSteps.inc({ service }, report.clockSteps);
  }

  storeIs(isUp: boolean): void {
    this.#storeUp.set(isUp ? 1 : 0);
  }

  /** The totals of a pool, as they were last seen. */
  poolIs({ name: pool, slots, held, heldBy = {}, quarantinedUntil }: InspectedPool): void {
    this.#slots.set({ pool }, slots);
    this.#held.set({ pool }, held);
    this.#quarantine.set({ pool }, quarantinedUntil > 0 ? 1 : 0);
    // The store counts each quota and all slots one after another, and a revoked lease is held without a service.
    const others = held - Object.values(heldBy).reduce((sum, count) => sum + count, 0);
    for (const [service, count] of Object.entries({ ...heldBy, [OTHER]: Math.max(0, others) }))
      this.#active.set({ pool, service }, count);
  }

  #service(serviceId: string): string {
    return this.#services.includes(serviceId) ? serviceId : OTHER;
  }
}

const PREFIX = 'kazahana_';
const OTHER = 'other';
