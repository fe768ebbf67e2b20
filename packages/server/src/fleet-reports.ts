// What clients report of themselves, counted once. A retried acquire carries the report of its first attempt again, with
// what has come since added to it; so of a request that is known only the difference counts.
import type { AcquireOptions, ClientReport } from 'kazahana/lease';
import { type Metrics, NOTHING_REPORTED } from './metrics.js';

/** Retries come within minutes; so many requests back is far more than that. */
const REMEMBERED = 5000;

interface Counted {
  readonly serviceId: string;
  readonly report: ClientReport;
}

export class FleetReports {
  readonly #metrics: Metrics;
  /** By request. When there are enough new ones, the older ones are forgotten all at once. */
  #newer = new Map<string, Counted>();
  #older = new Map<string, Counted>();

  constructor(metrics: Metrics) {
    this.#metrics = metrics;
  }

  count(serviceId: string, { report, requestId }: Pick<AcquireOptions, 'report' | 'requestId'>): void {
    if (!report) return;
    if (requestId === undefined) {
      this.#metrics.reported(serviceId, report);
      return;
    }
    const known = this.#newer.get(requestId) ?? this.#older.get(requestId);
    const before = known?.serviceId === serviceId ? known.report : NOTHING_REPORTED;
    this.#metrics.reported(serviceId, {
      leasedIds: Math.max(0, report.leasedIds - before.leasedIds),
      fencedIds: Math.max(0, report.fencedIds - before.fencedIds),
      randomIds: Math.max(0, report.randomIds - before.randomIds),
      exhaustedMs: Math.max(0, report.exhaustedMs - before.exhaustedMs),
      acquireFailures: Math.max(0, report.acquireFailures - before.acquireFailures),
      clockSteps: Math.max(0, report.clockSteps - before.clockSteps),
    });
    this.#newer.set(requestId, { serviceId, report });
    if (this.#newer.size < REMEMBERED) return;
    this.#older = this.#newer;
    this.#newer = new Map();
  }
}
