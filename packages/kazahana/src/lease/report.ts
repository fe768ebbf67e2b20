// What clients count and tell: once in this list, and the type, the checks, the metrics and the schema follow from it.

/** Counts since the last report that the store acknowledged. */
export const REPORT_FIELDS = [
  'leasedIds',
  'fencedIds',
  'randomIds',
  'exhaustedMs',
  'acquireFailures',
  'clockSteps',
] as const;

export type ClientReport = Readonly<Record<(typeof REPORT_FIELDS)[number], number>>;

/** A report whose every count is made by `count`. */
export function makeReport(count: (field: keyof ClientReport) => number): ClientReport {
  return Object.fromEntries(REPORT_FIELDS.map((field) => [field, count(field)])) as ClientReport;
}
