// What Prometheus gets; docs/metrics.md explains each metric. Labels are bounded: a service has its own only when it
// is configured, a route has its pattern.
import {
  type ClientReport,
  type InspectedPool,
  makeReport,
  type PoolExhaustedError,
  REPORT_COUNTS,
  REPORT_FIELDS,
  type ReportCount,
} from 'kazahana/lease';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { isStoreFailure } from './problem.js';

/** From half a millisecond (SQLite, Redis nearby) to the deadline. */
const SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/** The results of acquires that fail, by the reason that the error gives or by its code. */
const ACQUIRE_FAILURES = {
  'every slot is held': 'exhausted',
  'the layout is changing': 'exhausted',
  'in quarantine': 'in quarantine',
  'the quota is used up': 'over quota',
  TOO_MANY_LEASES: 'too many',
  POOL_MISMATCH: 'mismatch',
} satisfies Record<PoolExhaustedError['reason'], string> & Record<string, string>;

const RELEASE_FAILURES = {
  LEASE_NOT_FOUND: 'not found',
  INVALID_SIGNATURE: 'not found',
  STALE_SIGNATURE: 'stale',
};

function resultOf(error: unknown, failures: Readonly<Record<string, string>>): string {
  if (isStoreFailure(error)) return 'store failure';
  const { reason, code } = Object(error) as { readonly reason?: string; readonly code?: string };
  return failures[reason ?? code ?? ''] ?? 'refused';
}

export const acquireResult = (error: unknown) => resultOf(error, ACQUIRE_FAILURES);
export const releaseResult = (error: unknown) => resultOf(error, RELEASE_FAILURES);

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

/** The metrics themselves are public: a new one is a line here, and the line that counts. */
export class Metrics {
  readonly #registry = new Registry();
  readonly #services: readonly string[];

  readonly acquires = this.#counter('acquires_total', 'Acquires by result', 'service', 'result');
  readonly leases = this.#counter('leases_granted_total', 'Leases granted', 'service');
  readonly releases = this.#counter('releases_total', 'Releases by result', 'result');
  readonly acquireSeconds = this.#histogram('acquire_duration_seconds', 'Time that an acquire takes');
  readonly storeSeconds = this.#histogram(
    'store_duration_seconds',
    'Calls of the store',
    'operation',
    'result',
  );
  readonly requests = this.#counter('http_requests_total', 'Requests', 'route', 'method', 'status');
  readonly minted = this.#counter('minted_ids_total', 'IDs made by POST /ids', 'service');
  readonly active = this.#gauge('leases_active', 'Leases whose windows have not ended', 'pool', 'service');
  readonly slots = this.#gauge('pool_slots', 'Machine IDs that can be leased', 'pool');
  readonly held = this.#gauge('pool_held', 'Machine IDs that are held', 'pool');
  readonly quarantined = this.#gauge('pool_quarantined', '1 while a pool grants nothing', 'pool');
  readonly storeUp = this.#gauge('store_up', '1 while the store responds');
  /** What clients report, by the name of the metric. */
  readonly #reported = new Map<string, Counter<'service' | 'kind'>>();

  constructor(services: Iterable<string>, { version, store }: BuildInfo) {
    this.#services = [...new Set(services), OTHER];
    const build = this.#gauge('build_info', 'Always 1', 'version', 'store', 'node');
    build.set({ version, store, node: process.version }, 1);
    for (const { metric, about, kind } of Object.values<ReportCount>(REPORT_COUNTS)) {
      const labels = ['service', ...(kind === undefined ? [] : ['kind'])] as ('service' | 'kind')[];
      if (!this.#reported.has(metric))
        this.#reported.set(
          metric,
          this.#counter(`client_${metric}_total`, `${about}, as reported`, ...labels),
        );
    }
    // A rate cannot rise from a series that does not exist yet.
    const always = ['store failure', 'refused'];
    for (const result of ['released', ...Object.values(RELEASE_FAILURES), ...always])
      this.releases.inc({ result }, 0);
    for (const service of this.#services) {
      for (const result of ['granted', ...Object.values(ACQUIRE_FAILURES), ...always])
        this.acquires.inc({ service, result }, 0);
      this.leases.inc({ service }, 0);
      this.minted.inc({ service }, 0);
      this.reported(service, NOTHING_REPORTED);
    }
    processMetrics();
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  text(): Promise<string> {
    return Registry.merge([this.#registry, processMetrics()]).metrics();
  }

  /** The label of a service. */
  service(serviceId: string): string {
    return this.#services.includes(serviceId) ? serviceId : OTHER;
  }

  acquired(serviceId: string, result: string, leases = 0): void {
    const service = this.service(serviceId);
    this.acquires.inc({ service, result });
    this.leases.inc({ service }, leases);
  }

  reported(serviceId: string, report: ClientReport): void {
    const service = this.service(serviceId);
    for (const field of REPORT_FIELDS) {
      const { metric, kind }: ReportCount = REPORT_COUNTS[field];
      const labels = { service, ...(kind !== undefined && { kind }) };
      this.#reported.get(metric)?.inc(labels, Math.min(report[field], MAX_REPORTED));
    }
  }

  /** The totals of a pool, as they were last seen. */
  poolIs({ name: pool, slots, held, heldBy = {}, quarantinedUntil }: InspectedPool): void {
    this.slots.set({ pool }, slots);
    this.held.set({ pool }, held);
    this.quarantined.set({ pool }, quarantinedUntil > 0 ? 1 : 0);
    // The store counts each quota and all slots one after another, and a revoked lease is held without a service.
    const others = held - Object.values(heldBy).reduce((sum, count) => sum + count, 0);
    for (const [service, count] of Object.entries({ ...heldBy, [OTHER]: Math.max(0, others) }))
      this.active.set({ pool, service }, count);
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
}

const PREFIX = 'kazahana_';
const OTHER = 'other';
