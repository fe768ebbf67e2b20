// `kill`: clients come and go, while servers, processes and the store are killed and started again. No slot may have two
// holders at a time, and when all windows have ended the whole pool must be free again.
import { setTimeout as sleep } from 'node:timers/promises';
import { slotCount } from 'kazahana/lease';
import { openStore } from '../../packages/cli/dist/serve/open-store.js';
import { Random } from '../../simulation/world.ts';
import { type Fleet, PROCESSES, SERVERS, until } from '../fleet.ts';
import { REAL_STORES, type RealStore } from '../stores.ts';
import { runTrial, type Summary, type Trial } from './summary.ts';

const SERVICE = { leaseDuration: 2000, fallbackGrace: 2000, bitId: 7, bitSeq: 15 };
const SLOTS = slotCount(SERVICE);
const MAKERS_PER_PROCESS = 10;
const CLIENT = { disableFallback: true, acquireRetryInterval: 50, acquireRetryMaxInterval: 500 };
/** For all windows, and for a quarantine should there be one. */
const END_MS = 60_000;

type Victim = readonly [name: string, kill: () => Promise<unknown>, restart: () => Promise<unknown>];

export async function kill(trial: Trial): Promise<Summary> {
  const { rounds = 40, seed, say } = trial;
  const random = new Random(seed);
  const store = await REAL_STORES[trial.store]();
  const work = async ({ startMaker, startProcess, endProcess, startServer, killServer, end }: Fleet) => {
    const startMakers = (at: number) => {
      for (let i = 0; i < MAKERS_PER_PROCESS; i++) startMaker(at, `process${at}`, CLIENT, { staysMs: 150 });
    };
    PROCESSES.forEach(startMakers);
    const restart = (at: number) => startProcess(at).then(() => startMakers(at));
    const victims: Victim[] = [
      ...SERVERS.map((at): Victim => [`server ${at}`, () => killServer(at), () => startServer(at)]),
      ...PROCESSES.map((at): Victim => [`process ${at}`, () => endProcess(at, 'kill'), () => restart(at)]),
    ];
    const { server } = store;
    const storeItself: Victim | false = !!server && ['the store', () => server.kill(), () => server.start()];
    for (let round = 1; round <= rounds; round++) {
      await sleep(random.integer(500, 2000));
      const [name, killIt, restartIt] = (round % 2 === 0 && storeItself) || random.pick(victims);
      await killIt();
      await sleep(random.integer(0, 1500));
      await restartIt();
      say(`round ${round}: ${name} was killed and started again`);
    }
    await sleep(SERVICE.leaseDuration);
    await end();
    return takeAll(store);
  };
  return runTrial(trial, store, SERVICE, work);
}

/** Takes the whole pool at once, when all windows have ended. */
async function takeAll({ url }: RealStore) {
  const began = Date.now();
  await sleep(SERVICE.leaseDuration + SERVICE.fallbackGrace);
  const { store, close } = await openStore(url, { services: { default: SERVICE } }, () => {});
  let most = 0;
  const take = async () => {
    const { leases } = await store.acquire({ throughputPerMs: SLOTS * 2 ** SERVICE.bitSeq });
    most = Math.max(most, leases.length);
    return true;
  };
  await until(() => take().catch(() => false), END_MS);
  await close();
  const notes = [`${most} of ${SLOTS} slots were free ${Date.now() - began} ms after the end`];
  return { notes, findings: most === SLOTS ? [] : notes };
}
