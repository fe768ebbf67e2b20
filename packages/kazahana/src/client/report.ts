// The counts that travel in an acquire: what is new since those that were told before.
import type { ClientReport } from '../lease/types.js';

export const NOTHING_YET: ClientReport = {
  leasedIds: 0,
  fencedIds: 0,
  randomIds: 0,
  exhaustedMs: 0,
  acquireFailures: 0,
  clockSteps: 0,
};

export function difference(now: ClientReport, before: ClientReport): ClientReport {
  const names = Object.keys(now) as (keyof ClientReport)[];
  return Object.fromEntries(names.map((name) => [name, now[name] - before[name]])) as unknown as ClientReport;
}
