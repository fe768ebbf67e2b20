// The report of a storm: data, and text for people.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cpus, release, totalmem } from 'node:os';
import { join } from 'node:path';
import { root } from '../../scripts/run.ts';
import type { Evaluation } from './evaluate.ts';

/** A fault that has been done and mended. */
export interface DoneFault {
  readonly name: string;
  readonly lane: string;
  readonly who: string;
  readonly times: number;
  readonly began: number;
  readonly ended: number;
}

export interface StormReport extends Evaluation {
  readonly trial: 'storm';
  readonly setUp: string;
  /** The negative control that it was run as. */
  readonly control?: string;
  readonly seed: number;
  readonly began: string;
  /** How long the fleet was hurt. */
  readonly minutes: number;
  /** All in all. */
  readonly seconds: number;
  /** How long after the last fault every client had a new lease. */
  readonly calmMs: number;
  readonly versions: Readonly<Record<string, string>>;
  readonly settings: object;
  readonly skipped: Readonly<Record<string, string>>;
  /** Losses of the store that servers and clients have noticed. */
  readonly losses: number;
  readonly isFine: boolean;
  /** Where all that was written down is. */
  readonly folder?: string;
}

export function versions(store: string): Record<string, string> {
  const { version } = JSON.parse(readFileSync(join(root, 'packages/kazahana/package.json'), 'utf8'));
  const commit = () =>
    execFileSync('git', ['rev-parse', '--short', 'HEAD'], {
      cwd: root,
      encoding: 'utf8',
      stdio: 'pipe',
    }).trim();
  const memory = `${Math.round(totalmem() / 2 ** 30)} GiB`;
  const system = `${process.platform} ${release()}, ${cpus().length} cores, ${memory}`;
  return { kazahana: `${version} (${attempt(commit) ?? 'no commit'})`, node: process.version, store, system };
}

function attempt(get: () => string): string | undefined {
  try {
    return get();
  } catch {
    return undefined;
  }
}

const whole = (value: number) => value.toLocaleString('en');
const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
const percent = (part: number) => `${(100 * part).toFixed(2)} %`;
const counts = (all: Readonly<Record<string, number>>, most = 20) =>
  Object.entries(all)
    .slice(0, most)
    .map(([what, count]) => `${whole(count)} ${what}`)
    .join(', ') || 'none';

/** A line for each thing that a reader wants to know. */
export function describeStorm(report: StormReport): string {
  const { ids, broken, recovery, settings } = report;
  const rows: readonly (readonly [string, string])[] = [
    ['trial', `storm on ${report.setUp}${report.control ? `, control ${report.control}` : ''}`],
    ['seed', `${report.seed}, hurt for ${report.minutes.toFixed(1)} minutes from ${report.began}`],
    ...Object.entries(report.versions).map(([name, version]) => [name, version] as const),
    ['settings', JSON.stringify(settings)],
    ['faults', counts(report.faults, 50)],
    ...Object.entries(report.skipped).map(([name, why]) => ['SKIPPED', `${name}: ${why}`] as const),
    ['IDs', `${whole(ids.attempted)} attempted, ${whole(ids.made)} made, ${whole(ids.checked)} checked`],
    ['by kind', counts({ leased: ids.leased, fenced: ids.fenced, random: ids.random, stray: ids.stray })],
    ['fallback', `${percent(ids.fallbackShare)} of all IDs`],
    ['leases', whole(report.leases)],
    ['violations', counts(broken)],
    ['random meetings', whole(ids.randomMeetings)],
    ['availability', `${percent(report.availability)} of the seconds of running clients have an ID`],
    ['calm', `every client had a new lease ${seconds(report.calmMs)} after the last fault`],
    ['losses noticed', whole(report.losses)],
    ['warnings', counts(report.warnings)],
    ['failed requests', counts(report.failures, 8)],
    ['rejected calls', counts(report.refusals, 8)],
    ['found', report.findings.slice(0, 40).join(`\n${' '.repeat(17)}`) || 'nothing'],
    ...(report.folder ? [['records', report.folder] as const] : []),
  ];
  const recoveries = Object.entries(recovery).map(
    ([fault, { clients, medianMs, p95Ms, worstMs }]) =>
      `  ${fault.padEnd(26)} ${seconds(medianMs).padStart(8)} ${seconds(p95Ms).padStart(8)} ${seconds(worstMs).padStart(8)}   ${whole(clients)}`,
  );
  return [
    ...rows.map(([name, text]) => `${name.padEnd(16)} ${text}`),
    'leased IDs again after the end of      median      95 %     last   clients',
    ...recoveries,
  ].join('\n');
}
