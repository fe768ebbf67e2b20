// kazahana/opentelemetry: what a client counts, as metrics of OpenTelemetry. They are read when the SDK collects them; making
// an ID costs nothing more.
import { type BatchObservableResult, type Meter, metrics, type Observable } from '@opentelemetry/api';
import type { ClientStats, KazahanaClient } from '../client/index.js';
import { REPORT_COUNTS, REPORT_FIELDS, type ReportCount } from '../lease/report.js';

const GAUGES = {
  'kazahana.client.leases': { description: 'Leases that the client holds', unit: '{lease}', field: 'leases' },
  'kazahana.client.throughput': {
    description: 'IDs a millisecond that valid leases allow',
    unit: '{id}/ms',
    field: 'throughputPerMs',
  },
  'kazahana.client.waiting': {
    description: 'Callers that wait for an ID',
    unit: '{caller}',
    field: 'waiting',
  },
  'kazahana.client.repeat_odds': {
    description: 'Odds that a random ID equals one of another client',
    unit: '1',
    field: 'repeatOdds',
  },
  'kazahana.client.clock_offset': {
    description: 'By how much the clock is corrected',
    unit: 'ms',
    field: 'clockOffsetMs',
  },
} as const satisfies Record<string, { description: string; unit: string; field: keyof ClientStats }>;

export interface ObserveOptions {
  /** The meter `kazahana` of the global provider when left out. */
  readonly meter?: Meter;
  /** Added to every measurement. */
  readonly attributes?: Readonly<Record<string, string>>;
}

/** Measures a client until the function that it returns is called. */
export function observeClient(
  client: Pick<KazahanaClient, 'stats'>,
  options: ObserveOptions = {},
): () => void {
  const meter = options.meter ?? metrics.getMeter('kazahana');
  const observe: ((result: BatchObservableResult, stats: ClientStats, common: object) => void)[] = [];
  const counters = new Map<string, Observable>();
  for (const field of REPORT_FIELDS) {
    // Kinds of ID are one metric with an attribute, so that they can be added up.
    const { metric, unit, about: description, kind }: ReportCount = REPORT_COUNTS[field];
    const name = `kazahana.client.${metric}`;
    const counter = counters.get(name) ?? meter.createObservableCounter(name, { unit, description });
    counters.set(name, counter);
    observe.push((result, stats, common) =>
      result.observe(counter, stats[field], { ...common, ...(kind !== undefined && { kind }) }),
    );
  }
  const gauges: Observable[] = [];
  for (const [name, { field, ...about }] of Object.entries(GAUGES)) {
    const gauge = meter.createObservableGauge(name, about);
    gauges.push(gauge);
    observe.push((result, stats, common) => result.observe(gauge, Number(stats[field]), { ...common }));
  }
  const callback = (result: BatchObservableResult) => {
    const stats = client.stats();
    const common = { service: stats.serviceId ?? 'default', ...options.attributes };
    for (const each of observe) each(result, stats, common);
  };
  const instruments = [...counters.values(), ...gauges];
  meter.addBatchObservableCallback(callback, instruments);
  return () => meter.removeBatchObservableCallback(callback, instruments);
}
