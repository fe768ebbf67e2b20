// `storm`: a whole fleet on one store, which is hurt on a schedule from a seed while it makes IDs. Afterwards the checker sees every
// ID and every window.
import { rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { whyNoClocks } from '../clocks.ts';
import { until } from '../fleet.ts';
import { makerNames, readEvents } from '../records.ts';
import { evaluate, unnoticed } from './evaluate.ts';
import { act, lanesOf, type Scene, type StormService } from './faults.ts';
import { type StormFleet, startStormFleet } from './fleet.ts';
import { type DoneFault, type StormReport, versions } from './report.ts';
import { type Member, rosterOf } from './roster.ts';
import { type Lane, type ScheduledFault, schedule } from './schedule.ts';
import { type RunningSetUp, SET_UPS, type SetUp, type SetUpName } from './set-ups.ts';

export interface StormOptions {
  readonly setUp: SetUpName;
  /** How long the fleet is hurt. */
  readonly lengthMs: number;
  /** The names of faults; all of the set-up when left out. */
  readonly faults?: readonly string[];
  readonly seed: number;
  /** Other widths and times than the set-up needs. */
  readonly service?: Partial<StormService>;
  say(line: string): void;
  /** For negative controls. */
  readonly control?: StormControl;
}

/** What a negative control changes. */
export interface StormControl {
  readonly name: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** Clients use a provider by the rules of the source document. */
  readonly hasSourceRules?: boolean;
  readonly roster?: readonly Member[];
  /** Something besides the faults, from the start to the end. */
  readonly beside?: (setUp: RunningSetUp, fleet: StormFleet, ended: AbortSignal) => Promise<void>;
}

/**
 * Where a store may lose what it acknowledged, clients renew in quarantine until 10 s before the end of their grace
 * (`STORE_CLOCK_MARGIN_MS`): so the grace is longer than that.
 */
const WITH_LOSSES = { leaseDuration: 8000, fallbackGrace: 12_000, bitId: 7, bitSeq: 15 };
const WITHOUT_LOSSES = { leaseDuration: 5000, fallbackGrace: 5000, bitId: 7, bitSeq: 15 };
const MARGIN_MS = 10_000;
/** Renewed early, so that a lease outlasts a fail-over that begins just then. */
const CLIENT = {
  ...{ acquireThreshold: 0.5, acquireTimeout: 2000 },
  ...{ acquireRetryInterval: 200, acquireRetryMaxInterval: 2000 },
};
const START_MS = 60_000;
const LOSS_KEY = 'chaos-loss-key-0123456789';

/** The lanes with these faults only. */
export function chosenLanes(lanes: readonly Lane[], names: readonly string[] | undefined): Lane[] {
  const all = new Set(lanes.flatMap(({ faults }) => faults.map(({ name }) => name)));
  for (const name of names ?? [])
    if (!all.has(name))
      throw new RangeError(`there is no fault ${name} here; there are ${[...all].join(', ')}`);
  const isChosen = ({ name }: { readonly name: string }) => names === undefined || names.includes(name);
  return lanes.map((lane) => ({ ...lane, faults: lane.faults.filter(isChosen) }));
}

/** The names of the faults that lose what the store acknowledged. */
const losing = ({ faults }: SetUp) => faults.filter(({ loses }) => loses).map(({ name }) => name);

function serviceOf(setUp: SetUp, names: readonly string[] | undefined): StormService {
  const loses = losing(setUp).some((name) => names === undefined || names.includes(name));
  return loses ? WITH_LOSSES : WITHOUT_LOSSES;
}

export async function storm(options: StormOptions): Promise<StormReport> {
  const { seed, lengthMs, say, control } = options;
  const setUp: SetUp = SET_UPS[options.setUp];
  const service = { ...serviceOf(setUp, options.faults), ...options.service };
  const noClocks = whyNoClocks();
  const lanes = chosenLanes(lanesOf(setUp, service, noClocks === undefined), options.faults);
  Object.assign(process.env, control?.environment);
  const running = await setUp.start();
  const began = Date.now();
  const services = { default: service, mint: service };
  const engine = { services, lossKey: LOSS_KEY, createPools: 'never' as const };
  const roster = control?.roster ?? rosterOf(setUp.clock === 'store');
  const fleet = await startStormFleet({
    ...{ storeUrl: running.url, engine, roster, client: CLIENT, seed, hasClocks: noClocks === undefined },
    ...(control?.hasSourceRules && { sourceRules: { redis: running.url, ...service } }),
  });
  const findings: string[] = [];
  const isReady = () => withoutNews(fleet, began).length === 0;
  if (!(await until(isReady, START_MS, 500)))
    findings.push(`no lease at the start: ${withoutNews(fleet, began).join(', ')}`);
  say(`${roster.length} clients have started; seed ${seed}`);

  const hurtFrom = Date.now();
  const ended = new AbortController();
  const beside = control?.beside?.(running, fleet, ended.signal);
  const scheduled = schedule(seed, lengthMs, lanes).filter(({ name }) => !running.skipped?.[name]);
  const scene: Scene = { fleet, setUp: running, service, engine };
  const faults = await hurt(scene, scheduled, hurtFrom, lengthMs, say, findings);
  if (lengthMs > Date.now() - hurtFrom) await sleep(lengthMs - (Date.now() - hurtFrom));
  ended.abort();
  await beside;

  const calmFrom = Date.now();
  const patienceMs = service.leaseDuration + service.fallbackGrace + MARGIN_MS + 20_000;
  const areBack = () => withoutNews(fleet, calmFrom).length === 0;
  if (!control && !(await until(areBack, patienceMs, 500)))
    findings.push(
      `no lease ${patienceMs} ms after the last fault: ${withoutNews(fleet, calmFrom).join(', ')}`,
    );
  const calmMs = Date.now() - calmFrom;
  await fleet.end();
  await running.stop();
  findings.push(...fleet.crashes());
  const losses = lossTimes(fleet);
  const lossy = faults.filter(({ name }) => losing(setUp).includes(name));
  if (!control) findings.push(...unnoticed(lossy, losses));

  const skipped = { ...running.skipped, ...(noClocks !== undefined && { 'step-clock': noClocks }) };
  const evaluated = evaluate(fleet.folder, { roster, faults, began: hurtFrom, until: Date.now() });
  const isFine = findings.length + evaluated.findings.length === 0;
  const report: StormReport = {
    ...{ trial: 'storm', setUp: options.setUp, ...(control && { control: control.name }), seed },
    began: new Date(hurtFrom).toISOString(),
    ...{ minutes: lengthMs / 60_000, seconds: Math.round((Date.now() - began) / 1000), calmMs },
    versions: versions(running.version),
    settings: { service, client: CLIENT, clients: roster.length, servers: control?.hasSourceRules ? 0 : 3 },
    ...{ skipped, ...evaluated, losses: losses.length, findings: [...findings, ...evaluated.findings] },
    ...{ isFine, ...(!isFine && { folder: fleet.folder }) },
  };
  // For a diagnosis all that was written down stays.
  if (isFine || control) await rm(fleet.folder, { recursive: true, force: true });
  return report;
}

/** Clients that have got no lease since a time; of those that get IDs from servers, no ID. */
function withoutNews({ folder, clients }: StormFleet, since: number): string[] {
  const known = makerNames(folder);
  const hasNews = (name: string, { from }: Member) =>
    known.includes(name) &&
    readEvents(folder, name).some(
      ({ kind, at }) => at >= since && kind === (from === 'ids' ? 'made' : 'lease'),
    );
  return clients.flatMap(({ name, member }) => (hasNews(name, member) ? [] : [name]));
}

/** When servers and clients noticed that the store had lost something. */
function lossTimes({ servers, folder }: StormFleet): number[] {
  const byClients = makerNames(folder).flatMap((name) => readEvents(folder, name));
  return [...servers.losses(), ...byClients.filter(({ kind }) => kind === 'loss')].map(({ at }) => at);
}

/** Runs the schedule: the lanes side by side, the faults of each one after another. */
async function hurt(
  scene: Scene,
  scheduled: readonly ScheduledFault[],
  from: number,
  lengthMs: number,
  say: (line: string) => void,
  findings: string[],
): Promise<DoneFault[]> {
  const done: DoneFault[] = [];
  const runLane = async (faults: readonly ScheduledFault[]) => {
    for (const fault of faults) {
      const wait = from + fault.at - Date.now();
      if (wait > 0) await sleep(wait);
      // Faults took longer than planned before.
      if (Date.now() - from > lengthMs) return;
      const began = Date.now();
      try {
        const outcome = await act(scene, fault);
        if (!outcome) continue;
        const { who, times = 1 } = outcome;
        done.push({ name: fault.name, lane: fault.lane, who, times, began, ended: Date.now() });
        if (fault.name !== 'kill-in-acquire')
          say(`${Math.round((began - from) / 1000)} s: ${fault.name}: ${who}, ${Date.now() - began} ms`);
      } catch (error) {
        const finding = `${fault.name} could not be done or mended: ${(error as Error).message}`;
        say(finding);
        findings.push(finding);
      }
    }
  };
  const lanes = Map.groupBy(scheduled, ({ lane }) => lane);
  await Promise.all([...lanes.values()].map(runLane));
  return done.sort((a, b) => a.began - b.began);
}
