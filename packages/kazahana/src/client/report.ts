// The counts that travel in a report: what is new since those that were told before.
import { type ClientReport, makeReport } from '../lease/report.js';

export const NOTHING_YET: ClientReport = makeReport(() => 0);

export function difference(now: ClientReport, before: ClientReport): ClientReport {
  return makeReport((field) => now[field] - before[field]);
}
