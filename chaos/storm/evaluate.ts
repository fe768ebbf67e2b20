// What a storm has shown, from what makers and servers wrote down: the checker's verdict, rates by kind, availability, times to
// recover, warnings. The measures are pure.
import { DEFAULT_ID_LAYOUT } from 'kazahana';
import { check, type Span } from '../checker/check.ts';
import { type Counts, KINDS, noCounts } from '../checker/kinds.ts';
import { grantedInServers, type NotedEvent, readEvents, readMakers } from '../records.ts';
import type { DoneFault } from './report.ts';
import type { Member } from './roster.ts';

interface Evaluated {
  readonly roster: readonly Member[];
  readonly faults: readonly DoneFault[];
  readonly began: number;
  readonly until: number;
}

export type Evaluation = ReturnType<typeof evaluate>;

export function evaluate(folder: string, { roster, faults, began, until }: Evaluated) {
  const makers = readMakers(folder);
  const verdict = check(makers, DEFAULT_ID_LAYOUT.customEpoch, grantedInServers(folder));
  const eventsOf = new Map(makers.map(({ name }) => [name, readEvents(folder, name)] as const));
  const all = [...eventsOf.values()].flat();
  const made = KINDS.reduce((sum, kind) => sum + verdict.ids[kind], 0);
  const refused = all.reduce((sum, event) => sum + (event.kind === 'refused' ? event.ids : 0), 0);
  const memberOf = (maker: string) => roster.find(({ name }) => maker.startsWith(`${name}@`));
  const clients = makers.flatMap(({ name }) => {
    const events = eventsOf.get(name) ?? [];
    const of = memberOf(name);
    const pauses = faults.filter((fault) => fault.name === 'pause-client' && fault.who === name);
    return of ? [{ name, events, spans: verdict.spans.get(name) ?? [], pauses }] : [];
  });
  const findings = [
    ...verdict.violations.map(({ rule, text }) => `${rule}: ${text}`),
    ...makers.flatMap(({ name }) => {
      const counts = sumOf(verdict.spans.get(name) ?? []);
      const wrong = (memberOf(name)?.forbidden ?? []).filter((kind) => counts[kind] > 0);
      const hasWarned = (eventsOf.get(name) ?? []).some(
        (event) => event.kind === 'warning' && event.why === 'random',
      );
      return [
        ...wrong.map((kind) => `${name} made ${counts[kind]} ${kind} IDs, which its settings forbid`),
        ...(counts.random > 0 && !hasWarned
          ? [`${name} made ${counts.random} random IDs without a warning`]
          : []),
      ];
    }),
  ];
  const { leased, fenced, random, stray } = verdict.ids;
  return {
    faults: countBy(
      faults,
      ({ name }) => name,
      ({ times }) => times,
    ),
    ids: {
      ...{ attempted: made + refused, made, checked: leased + fenced + random + stray, ...verdict.ids },
      fallbackShare: made === 0 ? 0 : (fenced + random) / made,
      randomMeetings: verdict.randomMeetings,
    },
    broken: verdict.broken,
    leases: all.filter(({ kind }) => kind === 'lease').length,
    availability: availability(clients),
    // Processes that are killed while they acquire are none of the fleet.
    recovery: recoveries(
      faults.filter(({ name }) => name !== 'kill-in-acquire'),
      clients,
    ),
    warnings: countWhys(all, 'warning'),
    failures: countWhys(all, 'failed'),
    refusals: countWhys(all, 'refused'),
    timeline: {
      began,
      seconds: rates([...verdict.spans.values()].flat(), began, until),
      faults: faults.map(({ name, lane, began: at, ended }) => ({ name, lane, from: at, to: ended })),
      warnings: all.flatMap((event) => (event.kind === 'warning' ? [{ at: event.at, kind: event.why }] : [])),
    },
    findings,
  };
}

function countBy<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => string,
  weightOf: (item: Item) => number = () => 1,
): Record<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(keyOf(item), (counts.get(keyOf(item)) ?? 0) + weightOf(item));
  return Object.fromEntries([...counts].sort(([, a], [, b]) => b - a));
}

const countWhys = (events: readonly NotedEvent[], kind: 'warning' | 'failed' | 'refused') =>
  countBy(
    events.flatMap((event) => (event.kind === kind ? [event.why] : [])),
    (why) => why,
  );

function sumOf(spans: readonly Span[]): Counts {
  const sum = noCounts();
  for (const span of spans) for (const kind of KINDS) sum[kind] += span[kind];
  return sum;
}

/** IDs of each second, by kind. */
export function rates(spans: readonly Span[], began: number, until: number): Counts[] {
  const seconds = Array.from({ length: Math.max(0, Math.ceil((until - began) / 1000)) }, noCounts);
  for (const span of spans) {
    const second = seconds[Math.floor((span.at - began) / 1000)];
    if (second) for (const kind of KINDS) second[kind] += span[kind];
  }
  return seconds;
}

interface ClientTrace {
  readonly name: string;
  readonly events: readonly { readonly at: number }[];
  readonly spans: readonly Span[];
  /** While it is paused, it can do nothing. */
  readonly pauses: readonly { readonly began: number; readonly ended: number }[];
}

const SECOND = 1000;

/** The part of the seconds of running clients in which they made an ID. */
export function availability(clients: readonly ClientTrace[]): number {
  let [up, all] = [0, 0];
  for (const { events, spans, pauses } of clients) {
    const [first, last] = [events[0]?.at, events.at(-1)?.at];
    if (first === undefined || last === undefined) continue;
    const made = new Set(
      spans.flatMap((span) =>
        span.leased + span.fenced + span.random > 0 ? [Math.floor(span.at / SECOND)] : [],
      ),
    );
    for (let second = Math.ceil(first / SECOND); second < Math.floor(last / SECOND); second++) {
      const [from, to] = [second * SECOND, (second + 1) * SECOND];
      if (pauses.some(({ began, ended }) => began < to && from < ended + SECOND)) continue;
      all++;
      if (made.has(second)) up++;
    }
  }
  return all === 0 ? 0 : up / all;
}

/** The faults that lost something and were not noticed before the next one lost something. */
export function unnoticed(lossy: readonly DoneFault[], losses: readonly number[]): string[] {
  return lossy.flatMap(({ name, began, ended }, i) => {
    const until = lossy[i + 1]?.ended ?? Number.POSITIVE_INFINITY;
    const isNoticed = losses.some((at) => at >= began && at < until);
    return isNoticed ? [] : [`no process noticed the loss of ${name} at ${new Date(ended).toISOString()}`];
  });
}

export interface Recovery {
  /** How often a client was looked at after such a fault. */
  readonly clients: number;
  readonly medianMs: number;
  readonly p95Ms: number;
  readonly worstMs: number;
}

/** For each fault: how long after its end clients made leased IDs again; those that a pause hits meanwhile do not count. */
export function recoveries(
  faults: readonly DoneFault[],
  clients: readonly ClientTrace[],
): Record<string, Recovery> {
  const byFault = Map.groupBy(faults, ({ name }) => name);
  const entries = [...byFault].flatMap(([name, all]) => {
    const times = all
      .flatMap(({ who, ended }) => {
        const hit = clients.filter((client) => client.name === who);
        return (hit.length > 0 ? hit : clients).flatMap((client) => recoveryMs(client, ended));
      })
      .sort((a, b) => a - b);
    const at = (part: number) => times[Math.min(times.length - 1, Math.floor(part * times.length))] ?? 0;
    if (times.length === 0) return [];
    return [[name, { clients: times.length, medianMs: at(0.5), p95Ms: at(0.95), worstMs: at(1) }] as const];
  });
  return Object.fromEntries(entries);
}

function recoveryMs({ events, spans, pauses }: ClientTrace, ended: number): number[] {
  const [first, last] = [events[0]?.at ?? 0, events.at(-1)?.at ?? 0];
  // It was not there, or ends before it could recover.
  if (first > ended || last < ended) return [];
  const back = spans.find(({ at, leased }) => at >= ended && leased > 0);
  const isPaused = pauses.some((pause) => pause.began < (back?.at ?? last) && ended < pause.ended);
  if (!back || isPaused) return [];
  return [back.at - ended];
}
