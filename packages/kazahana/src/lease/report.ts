// What clients count and report, each count once: types, checks, schemas and metrics are made of this list.

export interface ReportCount {
  /** The metric that shows it, with its unit; counts of one metric differ in their kind. */
  readonly metric: string;
  readonly unit: string;
  readonly kind?: string;
  readonly about: string;
}

const IDS = { metric: 'ids', unit: '{id}', about: 'IDs that clients made, by kind' };

export const REPORT_COUNTS = {
  leasedIds: { ...IDS, kind: 'leased' },
  fencedIds: { ...IDS, kind: 'fenced' },
  randomIds: { ...IDS, kind: 'random' },
  exhaustedMs: {
    metric: 'exhausted_milliseconds',
    unit: 'ms',
    about: 'Milliseconds without a sequence left',
  },
  acquireFailures: {
    metric: 'acquire_failures',
    unit: '{request}',
    about: 'Requests for leases that failed',
  },
  clockSteps: { metric: 'clock_steps', unit: '{step}', about: 'Steps of the clock that clients noticed' },
} as const satisfies Readonly<Record<string, ReportCount>>;

export type ReportField = keyof typeof REPORT_COUNTS;
export const REPORT_FIELDS = Object.keys(REPORT_COUNTS) as readonly ReportField[];

/** Counts since the last report that the store acknowledged, or since the beginning. */
export type ClientReport = Readonly<Record<ReportField, number>>;
/** Counts under way. */
export type ClientCounts = Record<ReportField, number>;

/** A report whose every count is made by `count`. */
export function makeReport(count: (field: ReportField) => number): ClientCounts {
  return Object.fromEntries(REPORT_FIELDS.map((field) => [field, count(field)])) as ClientCounts;
}
