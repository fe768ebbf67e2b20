// What operators see and do, for providers that can be inspected.
import { check, equal, refusal } from './checks.js';
import { type CaseDefinition, FOUR_SLOTS, LONG, perSlot, SHORT } from './subject.js';

export const operatorCases: readonly CaseDefinition[] = [
  {
    name: 'a list of leases (if there is one) shows all but the secrets',
    options: { services: { default: { ...FOUR_SLOTS, leaseDuration: LONG, fallbackGrace: 1000 } } },
    async run(trial) {
      if (!trial.provider.listLeases) return;
      equal('the leases of a fresh pool', await trial.provider.listLeases(), []);
      const first = await trial.acquire({ serviceId: 'orders', meta: { host: 'a', process: '7' } });
      const second = await trial.acquire({ throughputPerMs: perSlot(2) });
      const listed = await trial.provider.listLeases();
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
      const rest = (await trial.provider.listLeases()).map(({ id }) => id).sort();
      equal('the machine numbers after a release', rest, [1, 2]);
    },
  },
  {
    name: 'the totals of a pool (if there are any) are true, and show no secret',
    options: { services: { default: { ...FOUR_SLOTS, leaseDuration: SHORT, fallbackGrace: 0 } } },
    async run(trial) {
      if (!trial.provider.inspectPool) return;
      const answer = await trial.acquire({ throughputPerMs: perSlot(3) });
      const pool = await trial.provider.inspectPool();
      const { name, id, serial, slots, quarantinedUntil, layout } = pool;
      equal(
        'the totals',
        { name, id, serial, slots, quarantinedUntil },
        {
          name: 'default',
          id: answer.pool,
          serial: answer.serial,
          slots: 4,
          quarantinedUntil: 0,
        },
      );
      equal('the layout', { bitId: layout.bitId, bitSeq: layout.bitSeq }, FOUR_SLOTS);
      check(pool.now >= (answer.now ?? 0), `now must not be before ${answer.now}, it is ${pool.now}`);
      if (trial.canMoveTime) equal('held', pool.held, 3);
      for (const { secret } of answer.leases) {
        check(!JSON.stringify(pool).includes(secret), 'the totals of a pool must not show a secret');
      }
      await trial.advance(SHORT);
      equal('held when all have ended', (await trial.provider.inspectPool()).held, 0);
    },
  },
  {
    name: 'a pool that is not configured (if pools can be inspected) is refused',
    options: { services: { default: { leaseDuration: LONG } } },
    async run(trial) {
      const { provider } = trial;
      if (provider.inspectPool)
        await refusal('inspectPool', [], async () => provider.inspectPool?.('no such pool'));
      if (provider.listLeases)
        await refusal('listLeases', [], async () => provider.listLeases?.('no such pool'));
    },
  },
  {
    name: 'a revoked lease (if one can be revoked) cannot be released, and its machine number stays taken',
    options: { services: { default: { ...FOUR_SLOTS, leaseDuration: SHORT, fallbackGrace: SHORT } } },
    async run(trial) {
      if (!trial.provider.revoke) return;
      const request = { throughputPerMs: perSlot(4), requestId: 'request 1' };
      const { leases } = await trial.acquire(request);
      const lease = leases[1];
      check(lease !== undefined, 'there must be a second lease');
      await refusal('revoking what is not leased', ['LEASE_NOT_FOUND'], async () => {
        await trial.provider.revoke?.({ id: 7 });
      });
      await trial.provider.revoke({ id: lease.id });
      await refusal('a release of a revoked lease', ['LEASE_NOT_FOUND'], () =>
        trial.release(lease, lease.created),
      );
      if (trial.provider.listLeases) {
        const ids = (await trial.provider.listLeases()).map(({ id }) => id);
        check(!ids.includes(lease.id), 'a revoked lease must not be listed');
      }
      // The request is not answered with a lease that was revoked.
      await trial.waitWhileTaken(lease.fallbackUntil ?? lease.expired, request);
      equal('the number of leases when all have ended', (await trial.acquire(request)).leases.length, 4);
    },
  },
  {
    name: 'a quarantine (if there is one) stops every grant until all that could be out has ended',
    options: { services: { default: { ...FOUR_SLOTS, leaseDuration: SHORT, fallbackGrace: SHORT } } },
    async run(trial) {
      if (!trial.provider.quarantine) return;
      const lease = await trial.lease();
      const { quarantinedUntil, now } = await trial.provider.quarantine();
      check(
        quarantinedUntil >= (lease.fallbackUntil ?? 0) && quarantinedUntil >= now + 2 * SHORT,
        `a quarantine must last until all that could be out has ended, it lasts until ${quarantinedUntil}`,
      );
      const wait = await trial.exhausted();
      check(wait <= quarantinedUntil - now, `the wait must end with the quarantine, it is ${wait} ms`);
      // What was granted can still be given back.
      if (trial.canMoveTime) await trial.release(lease, lease.created);
      if (!trial.canMoveTime) return;
      await trial.advance(wait);
      await trial.lease();
    },
  },
];
