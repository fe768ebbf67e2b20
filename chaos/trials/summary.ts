// What a trial is told, what all trials have in common, and what one has found, as data and as text.
import { rm } from 'node:fs/promises';
import { DEFAULT_ID_LAYOUT } from 'kazahana';
import type { ServiceConfig } from 'kazahana/lease';
import type { StoreName } from '../../tests/stores/store-under-test.ts';
import { check, RULES, type Verdict } from '../checker/check.ts';
import { type Fleet, startFleet } from '../fleet.ts';
import type { MakerOptions } from '../maker-process.ts';
import { makerNames, readMakers } from '../records.ts';

export interface Trial {
  readonly trial: string;
  readonly store: StoreName;
  readonly rounds?: number;
  readonly minutes?: number;
  /** How long a phase lasts. */
  readonly seconds?: number;
  readonly seed: number;
  /** Run the store with `afterFailOver: 'trust'`: the trial must find something then. */
  readonly trusts: boolean;
  /** When it began. */
  readonly began: number;
  /** Prints a line of progress. */
  say(line: string): void;
}

/** What a trial has seen by itself, and what of that must not be. */
interface Found {
  readonly notes: readonly string[];
  readonly findings: readonly string[];
}

export type Summary = Awaited<ReturnType<typeof summarise>>;

/** Runs a trial with a fleet on a store, and checks all that the makers have written down. */
export async function runTrial(
  trial: Trial,
  store: { readonly url: string; stop(): Promise<void> },
  service: Partial<ServiceConfig>,
  work: (fleet: Fleet) => Promise<Found>,
  options: MakerOptions['engine'] = {},
): Promise<Summary> {
  const fleet = await startFleet(store.url, { services: { default: service }, ...options }, trial.seed);
  const found = await work(fleet);
  await fleet.end();
  await store.stop();
  return summarise(trial, fleet, found);
}

/** So many times of fallback are shown. */
const MOST_SHOWN = 10;

function countBy(events: readonly { readonly why: string }[]): Record<string, number> {
  const counts = [...Map.groupBy(events, ({ why }) => why)].map(([why, all]) => [why, all.length] as const);
  return Object.fromEntries(counts.sort(([, a], [, b]) => b - a));
}

/** How often each rule is broken, and the first of these. */
export const byRule = ({ broken, violations }: Pick<Verdict, 'broken' | 'violations'>): string[] =>
  RULES.filter((rule) => broken[rule] > 0).flatMap((rule) => [
    `${rule}: ${broken[rule]}`,
    ...violations.flatMap((one) => (one.rule === rule ? [one.text] : [])),
  ]);

/** No trial that ends here allows for fallback IDs. */
async function summarise(
  { trial, store, seed, began }: Trial,
  { folder, eventsOf, losses }: Fleet,
  found: Found,
) {
  const makers = readMakers(folder);
  const verdict = check(makers, DEFAULT_ID_LAYOUT.customEpoch);
  const { ids: checked, randomMeetings } = verdict;
  const events = makerNames(folder).flatMap(eventsOf);
  const fallbacks = events
    .filter(({ kind }) => kind === 'fallback')
    .map(({ at, by }) => `${by} at ${new Date(at).toISOString()}`);
  const ofFallback = [`times fallback: ${fallbacks.length}`, ...fallbacks.slice(0, MOST_SHOWN)];
  const findings = [...found.findings, ...byRule(verdict), ...(fallbacks.length > 0 ? ofFallback : [])];
  const made = Object.values(checked).reduce((sum, count) => sum + count, 0);
  const isFine = findings.length === 0;
  const summary = {
    ...{ trial, store, seed, seconds: Math.round((Date.now() - began) / 1000) },
    /** IDs that were requested. */
    attempted: events.reduce((sum, event) => sum + (event.kind === 'refused' ? event.ids : 0), made),
    made,
    /** By kind, as the checker sees them. */
    ...{ checked, fallback: checked.fenced + checked.random, randomMeetings, makers: makers.length },
    leases: makers.flatMap(({ clients }) => clients.flatMap(({ windows }) => windows)).length,
    losses: countBy(losses()),
    failures: countBy(events.flatMap((event) => (event.kind === 'failed' ? [event] : []))),
    // For a diagnosis all that was written down stays.
    notes: [...found.notes, ...(isFine ? [] : [`all events and IDs are in ${folder}`])],
    ...{ isFine, findings },
  };
  if (isFine) await rm(folder, { recursive: true, force: true });
  return summary;
}

/** A line for each word of the summary. */
export function describe(summary: object): string {
  const show = (value: unknown): string => {
    if (Array.isArray(value)) return value.join('\n'.padEnd(17)) || 'none';
    if (typeof value === 'number') return value.toLocaleString('en');
    if (typeof value !== 'object' || value === null) return String(value);
    const counts = Object.entries(value).map(([what, count]) => `${show(count)} ${what}`);
    return counts.join(', ') || 'none';
  };
  return Object.entries(summary)
    .map(([word, value]) => `${word.padEnd(15)} ${show(value)}`)
    .join('\n');
}
