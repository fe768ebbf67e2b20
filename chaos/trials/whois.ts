// `whois`: a process makes an ID and ends, others come and go, a day passes; `kazahana whois` still names the process.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { root } from '../../scripts/run.ts';
import { programPath } from '../../tests/services/process.ts';
import { toId } from '../checker/id.ts';
import { type Fleet, SERVERS, until } from '../fleet.ts';
import { readMakers } from '../records.ts';
import { TOKEN } from '../servers.ts';
import { REAL_STORES } from '../stores.ts';
import { runTrial, type Summary, type Trial } from './summary.ts';

const CLI = join(root, 'packages', 'cli', 'bin', 'kazahana.cjs');
const SERVICE = { leaseDuration: 2000, fallbackGrace: 2000, bitId: 4, bitSeq: 18 };
/** The processes of those that come before the day passes, and after it. Together they are fewer than slots remember. */
const OTHERS = [0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3];
const LATER = [6, 7, 6, 7, 6, 7, 6, 7, 6, 7, 6, 7];
const LIBRARIES = '/usr/lib/x86_64-linux-gnu';
/** For processes that start from now on. Redis needs the malloc of libc: libfaketime does not get along with jemalloc. */
const A_DAY_LATER = {
  LD_PRELOAD: `${LIBRARIES}/faketime/libfaketime.so.1:${LIBRARIES}/libc.so.6`,
  ...{ FAKETIME: '+1d', FAKETIME_DONT_FAKE_MONOTONIC: '1' },
};

export async function whois(trial: Trial): Promise<Summary> {
  programPath({ commands: ['faketime'], debian: 'faketime' });
  const store = await REAL_STORES[trial.store]();
  const work = async (fleet: Fleet) => {
    const findings: string[] = [];
    /** Clients that come one after another, each in the next of these processes. */
    const visit = async (title: string, places: readonly number[]) => {
      for (const place of places) {
        const visitor = fleet.startMaker(place, title, {});
        await fleet.withoutLease([visitor], 20_000);
        await sleep(200);
        fleet.stopMaker(visitor);
        await until(() => fleet.eventsOf(visitor).some(({ kind }) => kind === 'release'), 5000);
      }
    };
    // One through a server, one directly.
    const pids = [await fleet.startProcess(4), await fleet.startProcess(5)];
    await visit('maker', [4, 5]);
    for (const at of [4, 5]) await fleet.endProcess(at);
    await visit('other', OTHERS);
    for (const at of SERVERS) await fleet.killServer(at);
    Object.assign(process.env, A_DAY_LATER);
    await store.passADay();
    for (const at of SERVERS) await fleet.startServer(at);
    for (const at of [6, 7]) await fleet.startProcess(at);
    await visit('later', LATER);

    const makers = readMakers(fleet.folder).filter(({ name }) => name.startsWith('maker'));
    for (const [at, { pieces }] of makers.entries()) {
      for (const source of [`--url=${fleet.serverUrl(0)}`, `--store=${store.url}`]) {
        const [low = 0, high = 0] = [...pieces()].flatMap((words) => [...words]).slice(-2);
        const id = String(toId(low, high));
        const found = await whoMade(id, source);
        const expected = `chaos-${4 + at}, process ${pids[at]}`;
        trial.say(`whois ${id} ${source}: ${found}`);
        if (found !== expected) findings.push(`whois ${id} ${source}: ${found}; it was ${expected}`);
      }
    }
    for (const variable of Object.keys(A_DAY_LATER)) delete process.env[variable];
    return { notes: [`${OTHERS.length} others came and went, a day later ${LATER.length}`], findings };
  };
  return runTrial(trial, store, SERVICE, work);
}

/** What the command line says of an ID. It exits with 1 when no slot remembers the ID. */
async function whoMade(id: string, source: string): Promise<string> {
  const env = { ...process.env, KAZAHANA_TOKEN: TOKEN };
  const run = promisify(execFile)(process.execPath, [CLI, 'whois', id, '--json', source], { env });
  const { stdout } = await run.catch((error: { stdout: string }) => error);
  const { host, process: pid } = JSON.parse(stdout || '{}').maker?.holder ?? {};
  return `${host}, process ${pid}`;
}
