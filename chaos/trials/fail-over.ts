// `fail-over`: a store loses what it acknowledged in the last seconds, again and again, under a fleet that makes IDs all
// the time. In every second round new clients get leases that will be lost; the rounds between come while the pool is in
// quarantine. Right after each loss further clients come: none may get a slot that a lost lease holds. No client that has
// a lease may make a fallback ID, and each loss must be logged.
import { setTimeout as sleep } from 'node:timers/promises';
import { FAILING_STORES, type FailingStore } from '../failing-stores.ts';
import { type Fleet, SERVERS, until } from '../fleet.ts';
import { runTrial, type Summary, type Trial } from './summary.ts';

/**
 * A client may renew in quarantine until 10 s before the end of its grace (`STORE_CLOCK_MARGIN_MS`), so the grace is longer
 * than that. Newcomers wait for duration, grace and margin together: that is what a round takes.
 */
const SERVICE = { leaseDuration: 15_000, fallbackGrace: 11_000, bitId: 7, bitSeq: 15 };
const PATIENCE_MS = SERVICE.leaseDuration + SERVICE.fallbackGrace + 10_000 + 15_000;
/** Renewed early, so that a lease outlasts a fail-over that begins just then: Sentinels may need several seconds. */
const CLIENT = { acquireThreshold: 0.4, acquireRetryInterval: 200, acquireRetryMaxInterval: 1000 };
/** Quick, to be the first after a fail-over; and without random IDs while the pool is in quarantine. */
const QUICK = { acquireRetryInterval: 50, acquireRetryMaxInterval: 200, disableRandomFallback: true };
const STEADY = 24;
/** Newcomers of earlier rounds that stay. */
const MAX_NEWCOMERS = 12;
/** How long what is acknowledged is lost. */
const LAG_MS = 3000;
const NOTICE_MS = 15_000;

export async function failOver(trial: Trial): Promise<Summary> {
  const { store: name, rounds = 20, trusts } = trial;
  if (name === 'etcd') throw new RangeError('etcd does not lose what a majority has acknowledged');
  const store = await FAILING_STORES[name]();
  const afterFailOver = trusts ? ('trust' as const) : ('quarantine' as const);
  const options = { afterFailOver, lossKey: 'chaos-loss-key-0123456789', createPools: 'never' as const };
  const work = async (fleet: Fleet) => {
    const notes = [`${rounds} rounds, ${STEADY} steady clients, after a fail-over: ${afterFailOver}`];
    return { notes, findings: await failAgainAndAgain({ ...trial, rounds }, store, fleet) };
  };
  return runTrial(trial, store, SERVICE, work, options);
}

/** Returns what it finds by the way. */
async function failAgainAndAgain(
  { rounds, trusts, say }: Trial & { readonly rounds: number },
  store: FailingStore,
  fleet: Fleet,
): Promise<string[]> {
  const findings: string[] = [];
  const expectLeases = async (makers: readonly string[], limitMs: number, when: string) => {
    const without = await fleet.withoutLease(makers, limitMs);
    if (without.length > 0) findings.push(`${when}: no lease for ${without.join(', ')}`);
  };
  // What servers remember protects even a pool that trusts, so that the trial does without them then.
  if (trusts) for (const at of SERVERS) await fleet.killServer(at);
  const start = (at: number, title: string, client = {}) =>
    fleet.startMaker(trusts ? (at % 2) * 2 + 1 : at, title, { ...CLIENT, ...client });

  const steady = Array.from({ length: STEADY }, (_, at) => start(at % 4, 'steady'));
  await expectLeases(steady, 20_000, 'at the start');
  let newcomers: string[] = [];
  for (let round = 1; round <= rounds; round++) {
    const isFresh = round % 2 === 1;
    if (isFresh) await expectLeases(newcomers, PATIENCE_MS, `before round ${round}`);
    for (const leaving of newcomers.slice(0, -MAX_NEWCOMERS)) fleet.stopMaker(leaving);
    await store.beginLoss();
    const early = [0, 1].map((at) => start(at, `early${round}`, QUICK));
    await sleep(LAG_MS);
    if (isFresh && !trusts) await expectLeases(early, 2000, `round ${round}, before the loss`);
    const failedAt = Date.now();
    const { how, isVisible } = await store.failOver();
    const tookMs = Date.now() - failedAt;
    const late = (isVisible ? [0, 1, 3] : [0, 2]).map((at) => start(at, `late${round}`, QUICK));
    newcomers = [...newcomers.slice(-MAX_NEWCOMERS), ...early, ...late];
    const noticed = () => fleet.losses().filter(({ at }) => at >= failedAt);
    const isNoticed = await until(() => noticed().length > 0, NOTICE_MS);
    if (!isNoticed && !trusts) findings.push(`round ${round}: no loss was logged within ${NOTICE_MS} ms`);
    await store.repair();
    const by = noticed().map((loss) => `${loss.by} (${loss.why}, ${loss.at - failedAt} ms)`);
    say(`round ${round}: ${how} within ${tookMs} ms; noticed by ${by.slice(0, 3).join(', ') || 'none'}`);
  }
  await expectLeases(newcomers, PATIENCE_MS, 'at the end');
  await sleep(LAG_MS);
  return findings;
}
