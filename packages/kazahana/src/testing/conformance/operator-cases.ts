// What operators see and do, for providers that can be inspected.
import { check, equal, refusal } from './checks.js';
import { type CaseDefinition, FOUR_SLOTS, LONG, perSlot, SHORT } from './subject.js';

export const operatorCases: readonly CaseDefinition[] = [
  {
    name: 'a list of leases shows all but the secrets',
    rule: 'inspection',
    options: { services: { default: { ...FOUR_SLOTS, leaseDuration: LONG, fallbackGrace: 1000 } } },
    async run(trial) {
      const listLeases = trial.needs('listLeases');
      equal('the leases of a fresh pool', await listLeases(), []);
      const first = await trial.acquire({ serviceId: 'orders', meta: { host: 'a', process: '7' } });
      const second = await trial.acquire({ throughputPerMs: perSlot(2) });
      const listed = await listLeases();
      const expected = [first, second].flatMap(({ leases }, index) =>
        leases.map(({ id, bitSeq, created, expired, fallbackUntil }) => ({
          id,
          bitSeq,
          serviceId: index === 0 ? 'orders' : 'default',
          holder: index === 0 ? { host: 'a', process: '7' } : {},
          created,
          expired,
          fallbackUntil,
        })),
      );
      equal(
        'the leases',
        [...listed].sort((a, b) => a.id - b.id),
        expected.sort((a, b) => a.id - b.id),
      );
      const [lease] = first.leases;
      check(lease !== undefined, 'there must be a lease');
      await trial.release(lease, lease.created);
      const rest = (await listLeases()).map(({ id }) => id).sort();
      equal('the machine IDs after a release', rest, [1, 2]);
    },
  },
  {
    name: 'the totals of a pool are true, and show no secret',
    rule: 'inspection',
    options: { services: { default: { ...FOUR_SLOTS, leaseDuration: SHORT, fallbackGrace: 0 } } },
    async run(trial) {
      const inspectPool = trial.needs('inspectPool');
      const response = await trial.acquire({ throughputPerMs: perSlot(3) });
      const pool = await inspectPool();
      const { name, id, serial, slots, quarantinedUntil, layout } = pool;
      equal(
        'the totals',
        { name, id, serial, slots, quarantinedUntil },
        {
          name: 'default',
          id: response.pool,
          serial: response.serial,
          slots: 4,
          quarantinedUntil: 0,
        },
      );
      equal('the layout', { bitId: layout.bitId, bitSeq: layout.bitSeq }, FOUR_SLOTS);
      check(pool.now >= (response.now ?? 0), `now must not be before ${response.now}, it is ${pool.now}`);
      if (trial.canMoveTime) equal('held', pool.held, 3);
      for (const { secret } of response.leases) {
        check(!JSON.stringify(pool).includes(secret), 'the totals of a pool must not show a secret');
      }
      await trial.advance(SHORT);
      equal('held when all have ended', (await inspectPool()).held, 0);
    },
  },
  {
    name: 'the totals of a pool that is not configured are refused',
    rule: 'inspection',
    options: { services: { default: { leaseDuration: LONG } } },
    async run(trial) {
      const inspectPool = trial.needs('inspectPool');
      await refusal('inspectPool', [], () => inspectPool('no such pool'));
    },
  },
  {
    name: 'a list of the leases of a pool that is not configured is refused',
    rule: 'inspection',
    options: { services: { default: { leaseDuration: LONG } } },
    async run(trial) {
      const listLeases = trial.needs('listLeases');
      await refusal('listLeases', [], () => listLeases('no such pool'));
    },
  },
  {
    name: 'a revoked lease cannot be released, and its machine ID stays held',
    rule: 'R2',
    options: { services: { default: { ...FOUR_SLOTS, leaseDuration: SHORT, fallbackGrace: SHORT } } },
    async run(trial) {
      const revoke = trial.needs('revoke');
      const request = { throughputPerMs: perSlot(4), requestId: 'request 1' };
      const { leases } = await trial.acquire(request);
      const lease = leases[1];
      check(lease !== undefined, 'there must be a second lease');
      await refusal('revoking what is not leased', ['LEASE_NOT_FOUND'], () => revoke({ id: 7 }));
      await revoke({ id: lease.id });
      await refusal('a release of a revoked lease', ['LEASE_NOT_FOUND'], () =>
        trial.release(lease, lease.created),
      );
      if (trial.provider.listLeases) {
        const ids = (await trial.provider.listLeases()).map(({ id }) => id);
        check(!ids.includes(lease.id), 'a revoked lease must not be listed');
      }
      // The request does not get a lease that was revoked.
      await trial.waitWhileTaken(lease.fallbackUntil ?? lease.expired, request);
      equal('the number of leases when all have ended', (await trial.acquire(request)).leases.length, 4);
    },
  },
  {
    name: 'a quarantine stops every grant until all that clients may still hold has ended',
    rule: 'R7',
    options: { services: { default: { ...FOUR_SLOTS, leaseDuration: SHORT, fallbackGrace: SHORT } } },
    async run(trial) {
      const quarantine = trial.needs('quarantine');
      const lease = await trial.lease();
      const { quarantinedUntil, now } = await quarantine();
      check(
        quarantinedUntil >= (lease.fallbackUntil ?? 0) && quarantinedUntil >= now + 2 * SHORT,
        `a quarantine must last until all that clients may still hold has ended, it lasts until ${quarantinedUntil}`,
      );
      const wait = await trial.exhausted();
      check(wait <= quarantinedUntil - now, `the wait must end with the quarantine, it is ${wait} ms`);
    },
  },
  {
    name: 'in a quarantine leases can be given back, and after it the pool grants again',
    rule: 'R7',
    options: { services: { default: { ...FOUR_SLOTS, leaseDuration: SHORT, fallbackGrace: SHORT } } },
    async run(trial) {
      const quarantine = trial.needs('quarantine');
      trial.needsMovableTime();
      const lease = await trial.lease();
      await quarantine();
      await trial.release(lease, lease.created);
      await trial.advance(await trial.exhausted());
      await trial.lease();
    },
  },
];
