// A store that forgot (R7), beyond a single alarm: together with repeated requests (R8), one loss after another, and
// leases that only their holders remember.
import type { AcquireOptions, AcquireResponse, RenewalClaim } from '../../lease/types.js';
import { check, equal } from './checks.js';
import { claimsOf, only } from './renewal-cases.js';
import { type CaseDefinition, FOUR_SLOTS, LONG, SHORT, type Trial } from './subject.js';

const LONG_LEASES = { services: { default: { ...FOUR_SLOTS, leaseDuration: LONG } } };
const SHORT_LEASES = {
  services: { default: { ...FOUR_SLOTS, leaseDuration: SHORT, fallbackGrace: SHORT } },
};

/** A claim of a lease that the pool has granted and the store has lost, as its holder describes it. */
async function lostLease(trial: Trial, like: AcquireResponse, id: number): Promise<RenewalClaim> {
  const [claim] = await claimsOf(trial, { ...like, leases: like.leases.map((lease) => ({ ...lease, id })) });
  check(claim !== undefined, 'there must be a claim');
  return claim;
}

/** The pool stops; then it waits until the pool grants again. */
async function stopsOnce(trial: Trial, options: AcquireOptions): Promise<void> {
  await trial.advance(await trial.exhausted(options));
  await trial.lease(options);
  await trial.advance(2 * SHORT);
}

export const lossCases: readonly CaseDefinition[] = [
  {
    name: 'a request with an id is as good an alarm as one without: the pool stops',
    rule: 'R7',
    options: LONG_LEASES,
    async run(trial) {
      const { pool = '', serial = 0 } = await trial.acquire({ requestId: 'request 1' });
      await trial.exhausted({ requestId: 'request 2', seen: { pool, serial: serial + 3 } });
      await trial.exhausted();
    },
  },
  {
    name: 'a request that is repeated is as good an alarm as a new one: the pool stops',
    rule: 'R7',
    options: LONG_LEASES,
    async run(trial) {
      const first = await trial.acquire({ requestId: 'request 1' });
      const { pool = '', serial = 0 } = first;
      const again = await trial.acquire({ requestId: 'request 1', seen: { pool, serial: serial + 3 } });
      equal('the repeated leases', again.leases, first.leases);
      await trial.exhausted();
    },
  },
  {
    name: 'two losses one after the other stop the pool twice, and neither does so again',
    rule: 'R7',
    options: SHORT_LEASES,
    async run(trial) {
      trial.needsMovableTime();
      const { pool = '', serial = 0 } = await trial.acquire();
      const losses = [
        { pool: '1'.repeat(32), serial: 9 },
        { pool: '2'.repeat(32), serial: 5 },
        { pool, serial: serial + 50 },
      ];
      for (const seen of losses) await stopsOnce(trial, { seen });
      for (const seen of losses) {
        await trial.lease({ seen });
        await trial.advance(2 * SHORT);
      }
    },
  },
  {
    name: 'a request that was granted anew after its leases had expired repeats its second response',
    rule: 'R8',
    options: { services: { default: { ...FOUR_SLOTS, leaseDuration: SHORT, fallbackGrace: LONG } } },
    async run(trial) {
      const request = { requestId: 'request 1' };
      const ids = [await trial.lease(request)];
      await trial.advance(SHORT);
      const second = await trial.lease(request);
      const third = await trial.lease(request);
      if (third.created < second.expired) equal('the repeated lease', third, second);
      equal(
        'the machine IDs',
        [...ids, second].map(({ id }) => id),
        [0, 1],
      );
    },
  },
  {
    name: 'a lease that the store has lost goes on with its machine ID, and the pool stops for newcomers',
    rule: 'R7',
    options: LONG_LEASES,
    async run(trial) {
      const known = await trial.acquire();
      const claim = await lostLease(trial, known, 2);
      const renewed = await trial.acquire({ renew: [claim] });
      equal('the machine ID', only(renewed).id, 2);
      check(
        only(renewed).created >= claim.created,
        `created must not be before ${claim.created}, it is ${only(renewed).created}`,
      );
      await trial.exhausted();
      // It is a lease like any other now.
      const again = await trial.acquire({ renew: await claimsOf(trial, renewed) });
      equal('the machine ID of its renewal', only(again).id, 2);
      await trial.release(only(again), only(again).created);
    },
  },
  {
    name: 'a lease that the store has lost does not go on when its slot was granted since; the pool stops',
    rule: 'R7',
    options: LONG_LEASES,
    async run(trial) {
      const known = await trial.acquire();
      await trial.advance(5);
      const other = await trial.acquire();
      equal('the machine ID of the other lease', only(other).id, 1);
      await trial.exhausted({ renew: [await lostLease(trial, known, 1)] });
      await trial.exhausted();
    },
  },
  {
    name: 'a claim of a lease that the store knows to be released or renewed stops nothing',
    rule: 'R7',
    options: { services: { default: { leaseDuration: LONG } } },
    async run(trial) {
      const [released, renewed] = [await trial.acquire(), await trial.acquire()];
      const claims = [...(await claimsOf(trial, released)), ...(await claimsOf(trial, renewed))];
      await trial.release(only(released), only(released).created + 3);
      await trial.acquire({ renew: await claimsOf(trial, renewed), meta: { host: 'a' } });
      await trial.advance(5);
      for (const claim of claims) {
        const { leases } = await trial.acquire({ renew: [claim] });
        equal('the number of leases', leases.length, 1);
      }
      await trial.acquire();
    },
  },
];
