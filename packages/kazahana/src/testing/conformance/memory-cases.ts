// What a store must remember: which request it has granted (rule R8), and how far clients know it to have come (R7).
import type { AcquireResponse, SeenPool } from '../../lease/types.js';
import { check, equal } from './checks.js';
import { type CaseDefinition, FOUR_SLOTS, LONG, perSlot, SHORT, type Trial } from './subject.js';

const TWO_LEASES = { throughputPerMs: perSlot(2), requestId: 'request 1' };

/** Quarantine: the pool grants nothing to any client, says for how long, and the end does not move. */
async function stops(trial: Trial, seen: SeenPool): Promise<number> {
  const wait = await trial.exhausted({ seen });
  check(wait >= 2 * SHORT, `leases of ${2 * SHORT} ms may be held, the pool grants again after ${wait} ms`);
  await trial.advance(5);
  const waits = [await trial.exhausted({ seen }), await trial.exhausted()];
  for (const again of waits) {
    check(again <= wait - 5, `5 ms later the wait must be ${wait - 5} ms, it is ${again}`);
  }
  return Math.max(...waits);
}

/** A quarantine that ends when the pool says so, not a millisecond earlier. */
async function stopsAndGoesOn(trial: Trial, seen: SeenPool): Promise<void> {
  trial.needsMovableTime();
  await trial.advance((await stops(trial, seen)) - 1);
  equal('the last millisecond of the wait', await trial.exhausted({ seen }), 1);
  await trial.advance(1);
  // The client still says what it saw then: it has seen nothing newer.
  await trial.lease({ seen });
  await trial.lease();
}

function seenIn({ pool = '', serial = 0 }: AcquireResponse): SeenPool {
  return { pool, serial };
}

const FORMER_POOL: SeenPool = { pool: '0'.repeat(32), serial: 1 };

const SHORT_LEASES = {
  services: { default: { ...FOUR_SLOTS, leaseDuration: SHORT, fallbackGrace: SHORT } },
};

export const memoryCases: readonly CaseDefinition[] = [
  {
    name: 'a request that comes again gets the same response, with a fresh now',
    rule: 'R8',
    options: { services: { default: { ...FOUR_SLOTS, leaseDuration: LONG } } },
    async run(trial) {
      const first = await trial.acquire(TWO_LEASES);
      await trial.advance(5);
      const again = await trial.acquire(TWO_LEASES);
      equal('the number of leases', first.leases.length, 2);
      equal('the repeated leases', again.leases, first.leases);
      equal('requestId', again.requestId, TWO_LEASES.requestId);
      check((again.now ?? 0) >= (first.now ?? 0) + 5, `now must be fresh, it is ${again.now}`);
      const other = await trial.acquire({ ...TWO_LEASES, requestId: 'request 2' });
      equal('the number of leases of another request', other.leases.length, 2);
      await trial.exhausted({ requestId: 'request 3' });
      equal('the repeated leases of a full pool', (await trial.acquire(TWO_LEASES)).leases, first.leases);
    },
  },
  {
    name: 'a request that comes ten times at once is granted once',
    rule: 'R8',
    options: { services: { default: { ...FOUR_SLOTS, leaseDuration: LONG } } },
    async run(trial) {
      const responses = await Promise.all(Array.from({ length: 10 }, () => trial.acquire(TWO_LEASES)));
      for (const { leases } of responses) equal('the leases of each response', leases, responses[0]?.leases);
    },
  },
  {
    name: 'requests without an id, and those of other pools, are never taken for each other',
    rule: 'R8',
    options: { services: { default: { leaseDuration: LONG }, own: { leaseDuration: LONG, pool: 'own' } } },
    async run(trial) {
      const leases = [
        await trial.lease(),
        await trial.lease(),
        await trial.lease({ requestId: 'request 1' }),
        await trial.lease({ requestId: 'request 1', serviceId: 'own' }),
      ];
      equal('the number of different secrets', new Set(leases.map(({ secret }) => secret)).size, 4);
    },
  },
  {
    name: 'a request that comes again after one of its leases was released is granted anew',
    rule: 'R8',
    options: { services: { default: { ...FOUR_SLOTS, leaseDuration: LONG } } },
    async run(trial) {
      const first = await trial.acquire(TWO_LEASES);
      const [released] = first.leases;
      if (released) await trial.release(released, released.created);
      const again = await trial.acquire(TWO_LEASES);
      const secrets = [...first.leases, ...again.leases].map(({ secret }) => secret);
      equal('the number of different secrets', new Set(secrets).size, 4);
      equal('the repeated leases', (await trial.acquire(TWO_LEASES)).leases, again.leases);
    },
  },
  {
    name: 'a request that comes again after its leases have expired is granted anew',
    rule: 'R8',
    options: { services: { default: { ...FOUR_SLOTS, leaseDuration: SHORT, fallbackGrace: LONG } } },
    async run(trial) {
      const first = await trial.acquire(TWO_LEASES);
      await trial.advance(SHORT);
      const again = await trial.acquire(TWO_LEASES);
      const ids = [...first.leases, ...again.leases].map(({ id }) => id);
      equal('the number of different machine IDs', new Set(ids).size, 4);
    },
  },
  {
    name: 'a client that knows less than the store, or as much, is served',
    rule: 'R7',
    options: SHORT_LEASES,
    async run(trial) {
      const first = await trial.acquire();
      const next = await trial.acquire({ seen: seenIn(first) });
      await trial.acquire({ seen: seenIn(first) });
      await trial.acquire({ seen: seenIn(next) });
    },
  },
  {
    name: 'a client that has seen a higher serial stops the pool, once',
    rule: 'R7',
    options: SHORT_LEASES,
    async run(trial) {
      const { pool, serial } = seenIn(await trial.acquire());
      await stops(trial, { pool, serial: serial + 3 });
    },
  },
  {
    name: 'a pool that a higher serial has stopped goes on when every window has ended, above that serial',
    rule: 'R7',
    options: SHORT_LEASES,
    async run(trial) {
      const { pool, serial } = seenIn(await trial.acquire());
      await stopsAndGoesOn(trial, { pool, serial: serial + 3 });
      await trial.advance(4 * SHORT);
      const after = await trial.acquire();
      check((after.serial ?? 0) > serial + 3, `serial must go on above ${serial + 3}, it is ${after.serial}`);
    },
  },
  {
    name: 'a client that claims the highest serial there can be does not stop the pool',
    rule: 'R7',
    options: SHORT_LEASES,
    async run(trial) {
      const { pool } = seenIn(await trial.acquire());
      await trial.acquire({ seen: { pool, serial: Number.MAX_SAFE_INTEGER } });
    },
  },
  {
    name: 'the highest serial that is believed leaves the pool room to count on',
    rule: 'R7',
    options: SHORT_LEASES,
    async run(trial) {
      const { pool } = seenIn(await trial.acquire());
      await stopsAndGoesOn(trial, { pool, serial: 2 ** 52 });
      await trial.advance(4 * SHORT);
      const after = seenIn(await trial.acquire());
      check(after.serial > 2 ** 52, `serial must go on above 2^52, it is ${after.serial}`);
      const next = seenIn(await trial.acquire({ seen: after }));
      check(next.serial > after.serial, `serial must rise from ${after.serial}, it is ${next.serial}`);
    },
  },
  {
    name: 'a client that has seen another pool here stops this one, once',
    rule: 'R7',
    options: SHORT_LEASES,
    async run(trial) {
      await trial.acquire();
      await stops(trial, FORMER_POOL);
    },
  },
  {
    name: 'a pool that another one has stopped goes on when every window has ended',
    rule: 'R7',
    options: SHORT_LEASES,
    async run(trial) {
      await trial.acquire();
      await stopsAndGoesOn(trial, FORMER_POOL);
    },
  },
  {
    name: 'a pool that is missing but was seen starts with a stop; one that was never seen does not',
    rule: 'R7',
    options: {
      services: { ...SHORT_LEASES.services, own: { leaseDuration: SHORT, pool: 'own' } },
    },
    async run(trial) {
      await stops(trial, FORMER_POOL);
      equal('the machine ID in a pool that was never seen', (await trial.lease({ serviceId: 'own' })).id, 0);
    },
  },
  {
    name: 'a pool that started with a stop goes on when every window has ended',
    rule: 'R7',
    options: SHORT_LEASES,
    run: (trial) => stopsAndGoesOn(trial, FORMER_POOL),
  },
];
