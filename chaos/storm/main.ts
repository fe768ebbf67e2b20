// The storms that the command line asks for, one after another, and the negative controls; and where their reports go.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CONTROLS } from '../controls/controls.ts';
import { drawStorm } from './picture.ts';
import { describeStorm, type StormReport } from './report.ts';
import { SET_UP_NAMES, type SetUpName } from './set-ups.ts';
import { type StormOptions, storm } from './storm.ts';
import { reportTables } from './tables.ts';

interface Output {
  readonly json: boolean;
  /** A folder for reports: JSON, text and picture of each storm. */
  readonly out?: string;
  say(line: string): void;
}

function publish(report: StormReport, { json, out }: Output): void {
  // The time line is for the picture.
  const { timeline: _, ...rest } = report;
  console.log(json ? JSON.stringify(rest) : `${describeStorm(report)}\n`);
  if (out === undefined) return;
  mkdirSync(out, { recursive: true });
  const path = join(out, `${report.control ?? report.setUp}-${report.seed}`);
  writeFileSync(`${path}.json`, `${JSON.stringify(rest, null, 2)}\n`);
  writeFileSync(`${path}.txt`, `${describeStorm(report)}\n`);
  writeFileSync(`${path}.svg`, drawStorm(report));
}

/** Runs storms on one set-up, or on all of them in turn; tells whether none has found anything. */
export async function runStorms(
  store: string,
  options: Omit<StormOptions, 'setUp' | 'say'>,
  output: Output,
): Promise<boolean> {
  const names = SET_UP_NAMES.filter((name) => store === 'all' || store === name);
  if (names.length === 0)
    throw new RangeError(`--store must be all or one of ${SET_UP_NAMES.join(', ')}, got ${store}`);
  let isFine = true;
  for (const setUp of names) {
    const report = await storm({ ...options, setUp, say: (line) => output.say(`${setUp}: ${line}`) });
    publish(report, output);
    isFine &&= report.isFine;
  }
  return isFine;
}

/** A slow machine shows less in the same time: then a control gets another seed and more time. */
const MOST_TRIES = 3;

/** Runs one negative control, or all; tells whether every one was found out. */
export async function runControls(name: string | undefined, seed: number, output: Output): Promise<boolean> {
  const chosen = CONTROLS.filter((control) => name === undefined || control.name === name);
  if (chosen.length === 0) {
    const names = CONTROLS.map((control) => control.name).join(', ');
    throw new RangeError(`--control must be one of ${names}, got ${name}`);
  }
  let areAllFound = true;
  for (const control of chosen) {
    let counts = '';
    for (let tries = 1; counts === '' && tries <= MOST_TRIES; tries++) {
      const { setUp, faults, service, seconds } = control;
      const options = { setUp, faults, service, seed: seed + tries - 1, lengthMs: tries * seconds * 1000 };
      const report = await storm({ ...options, control, say: () => {} });
      const found = control.finds.filter((rule) => report.broken[rule] > 0);
      counts = found.map((rule) => `${report.broken[rule]} × ${rule}`).join(', ');
      if (output.out !== undefined) publish(report, { ...output, json: false });
    }
    areAllFound &&= counts !== '';
    const verdict = counts === '' ? 'NOT FOUND OUT' : `found out: ${counts}`;
    console.log(`control ${control.name.padEnd(13)} ${control.what.padEnd(66)} ${verdict}`);
    for (const variable of Object.keys(control.environment ?? {})) delete process.env[variable];
  }
  return areAllFound;
}

/** Prints all reports of a folder as tables, in the order of the set-ups. */
export function printTables(folder: string): void {
  const files = readdirSync(folder).filter((file) => file.endsWith('.json'));
  const reports = files.map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as StormReport);
  const place = ({ setUp }: StormReport) => SET_UP_NAMES.indexOf(setUp as SetUpName);
  const storms = reports.filter(({ control }) => control === undefined);
  console.log(reportTables(storms.sort((a, b) => place(a) - place(b))));
}
