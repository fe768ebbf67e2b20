// What clients report of themselves, counted once: a retried acquire carries the same report again.
import type { AcquireOptions } from 'kazahana/lease';
import type { Metrics } from './metrics.js';

/** Retries come within seconds; so many requests back is far more than that. */
const REMEMBERED = 10_000;

export class FleetReports {
  readonly #metrics: Metrics;
  readonly #counted = new Set<string>();

  constructor(metrics: Metrics) {
    this.#metrics = metrics;
  }

  count(serviceId: string, { report, requestId }: Pick<AcquireOptions, 'report' | 'requestId'>): void {
    if (!report) return;
    if (requestId !== undefined) {
      const key = `${serviceId}\n${requestId}`;
      if (this.#counted.has(key)) return;
      this.#counted.add(key);
      if (this.#counted.size > REMEMBERED) {
        for (const oldest of this.#counted) {
          this.#counted.delete(oldest);
          break;
        }
      }
    }
    this.#metrics.reported(serviceId, report);
  }
}
