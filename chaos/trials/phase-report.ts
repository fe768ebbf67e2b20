// What each client did while a fault lasted and after it, by its IDs and its events, and what of that must not be
// (docs/ids.md, "When there is no lease"). It is pure.
import type { Kind } from '../checker/kinds.ts';
import type { NotedEvent } from '../records.ts';

/** A fault, and the healthy time after it. */
export interface Phase {
  readonly name: string;
  /** Only an outage allows for random IDs. */
  readonly kind: 'refusal' | 'outage';
  /** Part of a rejection or warning that shows that clients met the fault. */
  readonly sign: string;
  readonly began: number;
  /** From here on, no earlier lease lasts, not even in its grace; the server responds, if this is a refusal … */
  readonly outlasted: number;
  /** … to before here. */
  readonly mending: number;
  /** The server is well again. */
  readonly mended: number;
  readonly ended: number;
}

export interface ClientRecord {
  readonly name: string;
  /** Kinds of IDs that its settings forbid. */
  readonly forbidden: readonly Kind[];
  /** The name of the phase that it runs in; in all when left out. */
  readonly only?: string | undefined;
  readonly made: readonly { readonly at: number; readonly kind: Kind }[];
  readonly events: readonly NotedEvent[];
}

export const MAX_RECOVERY_MS = 10_000;
/** IDs and events are noted to the millisecond, and an event a moment after the ID that it tells of. */
const SLACK_MS = 100;

type Timed = { readonly at: number };
const within = <Item extends Timed>(items: readonly Item[], from: number, to: number) =>
  items.filter(({ at }) => from <= at && at < to);

function countsOf(events: readonly NotedEvent[], kind: 'refused' | 'warning'): string {
  const whys = events.flatMap((event) => (event.kind === kind && 'why' in event ? [event.why] : []));
  const counts = [...Map.groupBy(whys, (why) => why)].map(([why, all]) => `${all.length} ${why}`);
  return counts.join(', ') || '-';
}

const clientsIn = ({ name }: Phase, clients: readonly ClientRecord[]) =>
  clients.filter(({ only = name }) => only === name);

function recoveryMs({ made }: ClientRecord, { mended, ended }: Phase): number | undefined {
  const first = made.find(({ at, kind }) => kind === 'leased' && mended <= at && at < ended);
  return first && first.at - mended;
}

/** A letter for each second, the worst that happened in it; a bar where the server is well again. */
function bySecond({ made, events }: ClientRecord, { began, mended, ended }: Phase): string {
  const letter = (from: number, to: number) => {
    const kinds = new Set(within(made, from, to).map(({ kind }) => kind));
    if (kinds.has('random')) return 'R';
    if (within(events, from, to).some(({ kind }) => kind === 'refused')) return 'x';
    if (kinds.has('fenced')) return 'F';
    return kinds.has('leased') ? 'L' : '-';
  };
  const letters = (from: number, to: number) => {
    const seconds = Math.round((to - from) / 1000);
    const start = (at: number) => from + (at * (to - from)) / seconds;
    return Array.from({ length: seconds }, (_, at) => letter(start(at), start(at + 1))).join('');
  };
  return `${letters(began, mended)}|${letters(mended, ended)}`;
}

const HEAD = ['client', 'leased', 'fenced', 'random', 'back after', 'by second', 'warnings', 'rejections'];
export const LEGEND =
  'a second: L leased, F fenced, R random, x rejected, - waiting; | the server is well again';

/** The lines of a table with a row for each client. IDs are counted until the server is well again. */
export function tableOf(phase: Phase, clients: readonly ClientRecord[]): string[] {
  const rows = clientsIn(phase, clients).map((client) => {
    const made = within(client.made, phase.began, phase.mended);
    const events = within(client.events, phase.began, phase.ended);
    const count = (kind: Kind) => String(made.filter((one) => one.kind === kind).length);
    const ms = recoveryMs(client, phase);
    return [
      ...[client.name, count('leased'), count('fenced'), count('random')],
      ...[ms === undefined ? 'never' : `${(ms / 1000).toFixed(1)} s`, bySecond(client, phase)],
      ...[countsOf(events, 'warning'), countsOf(events, 'refused')],
    ];
  });
  const widths = HEAD.map((head, column) =>
    Math.max(head.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd();
  return [`${phase.name} (${phase.kind})`, line(HEAD), ...rows.map(line)];
}

/** Whether the client has warned of random IDs in the episode that this one belongs to. */
function isWarned(at: number, events: readonly NotedEvent[]): boolean {
  const times = (why: string) =>
    events.flatMap((event) => (event.kind === 'warning' && event.why === why ? [event.at] : []));
  const recoveries = times('recovered').filter((time) => time < at - SLACK_MS);
  const lastRecovery = Math.max(...recoveries, Number.NEGATIVE_INFINITY);
  return times('random').some((time) => lastRecovery <= time && time <= at + SLACK_MS);
}

export function findingsOf(phases: readonly Phase[], clients: readonly ClientRecord[]): string[] {
  const ofClients = clients.flatMap(({ name, forbidden, made, events }) => {
    const warnings = events.filter(({ kind }) => kind === 'warning');
    const silent = made.filter(({ at, kind }) => kind === 'random' && !isWarned(at, warnings));
    const wrong = made.filter(({ kind }) => forbidden.includes(kind));
    return [
      ...(silent.length > 0 ? [`${name} made ${silent.length} random IDs without a warning`] : []),
      ...(wrong.length > 0 ? [`${name} made ${wrong.length} IDs of a kind that its settings forbid`] : []),
    ];
  });
  const ofPhases = phases.flatMap((phase) => {
    const { name, kind, sign, began, outlasted, mending, ended } = phase;
    const signs = clients.flatMap(({ events }) => within(events, began, ended));
    const isMet = signs.some(
      (event) => (event.kind === 'refused' || event.kind === 'warning') && event.why.includes(sign),
    );
    const found = clientsIn(phase, clients).flatMap((client) => {
      const random = within(client.made, outlasted, mending).filter((one) => one.kind === 'random');
      const ms = recoveryMs(client, phase) ?? Number.POSITIVE_INFINITY;
      return [
        ...(kind === 'refusal' && random.length > 0
          ? [`${client.name} made ${random.length} random IDs in spite of a refusal: ${name}`]
          : []),
        ...(ms > MAX_RECOVERY_MS ? [`${client.name} has no lease ${MAX_RECOVERY_MS} ms after: ${name}`] : []),
      ];
    });
    return [...(isMet ? [] : [`no client met ${sign}: ${name}`]), ...found];
  });
  return [...ofClients, ...ofPhases];
}
