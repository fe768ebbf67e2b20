// `full-pool`: as many clients as a pool has slots, half of them through servers. No client may make a fallback ID.
import { setTimeout as sleep } from 'node:timers/promises';
import { type Fleet, PROCESSES } from '../fleet.ts';
import { REAL_STORES } from '../stores.ts';
import { runTrial, type Summary, type Trial } from './summary.ts';

const CLIENTS = 16;
const SERVICE = { leaseDuration: 3000, fallbackGrace: 3000, bitId: 5, bitSeq: 17 };
const ROUND_MS = 30_000;

export async function fullPool(trial: Trial): Promise<Summary> {
  const { minutes = 10, began, say } = trial;
  const work = async (fleet: Fleet) => {
    const start = (_: unknown, at: number) => fleet.startMaker(at % PROCESSES.length, 'client', {});
    const clients = Array.from({ length: CLIENTS }, start);
    const without = await fleet.withoutLease(clients, 20_000);
    const findings = without.length > 0 ? [`no lease for ${without.join(', ')}`] : [];
    for (const end = Date.now() + minutes * 60_000; Date.now() < end; ) {
      await sleep(Math.min(ROUND_MS, end - Date.now()));
      const events = clients.flatMap((client) => fleet.eventsOf(client));
      const of = (kind: string) => events.filter((event) => event.kind === kind).length;
      const passed = Math.round((Date.now() - began) / 1000);
      say(
        `${passed} s: ${of('lease')} leases, ${of('failed')} failed requests, ${of('fallback')} times fallback`,
      );
    }
    return {
      notes: [`${CLIENTS} clients on ${CLIENTS} slots, leases of ${SERVICE.leaseDuration} ms`],
      findings,
    };
  };
  return runTrial(trial, await REAL_STORES[trial.store](), SERVICE, work);
}
