// Quotas: how many leases one request may get, and one service or one account may hold.
import type { AcquireOptions, CallOptions } from '../../lease/types.js';
import { check, equal, refusal } from './checks.js';
import { type CaseDefinition, FOUR_SLOTS, LONG, perSlot, SHORT, type Trial } from './subject.js';

/** Is refused for its quota, and told when the first of its leases ends. */
async function usedUp(trial: Trial, options: AcquireOptions, call?: CallOptions): Promise<void> {
  const error = await refusal('more than the quota', ['POOL_EXHAUSTED'], () => trial.acquire(options, call));
  const { reason, retryAfterMs } = error as { reason?: unknown; retryAfterMs?: unknown };
  equal('the reason', reason, 'the quota is used up');
  check(
    typeof retryAfterMs === 'number' && retryAfterMs > 0 && retryAfterMs <= 2 * LONG,
    `a used up quota must say when its first lease ends, it says ${String(retryAfterMs)}`,
  );
}

export const quotaCases: readonly CaseDefinition[] = [
  {
    name: 'a request for more leases than its service may ask for at once is refused, and nothing is taken',
    rule: 'quotas',
    options: { services: { default: { ...FOUR_SLOTS, leaseDuration: LONG, maxLeasesPerRequest: 2 } } },
    async run(trial) {
      const error = await refusal('a request for three leases', ['TOO_MANY_LEASES'], () =>
        trial.acquire({ throughputPerMs: perSlot(2) + 1 }),
      );
      const { allowed, requested } = error as { allowed?: unknown; requested?: unknown };
      equal('what is allowed, and was requested', [allowed, requested], [2, 3]);
      const { leases } = await trial.acquire({ throughputPerMs: perSlot(2) });
      equal(
        'the machine IDs',
        leases.map(({ id }) => id),
        [0, 1],
      );
    },
  },
  {
    name: 'a service gets what its quota leaves, then nothing, until it gives a lease back; others are not touched',
    rule: 'quotas',
    options: {
      services: {
        default: { ...FOUR_SLOTS, leaseDuration: LONG },
        orders: { leaseDuration: LONG, maxLeases: 2 },
      },
    },
    async run(trial) {
      const orders = { serviceId: 'orders' };
      const first = await trial.lease(orders);
      const { leases } = await trial.acquire({ ...orders, throughputPerMs: perSlot(3) });
      equal('the number of leases that the quota leaves', leases.length, 1);
      await usedUp(trial, orders);
      await trial.lease();
      await trial.release(first, first.created, 'orders');
      await trial.lease(orders);
      await usedUp(trial, orders);
    },
  },
  {
    name: 'leases whose windows have ended do not count for a quota; those in their fallback window do',
    rule: 'quotas',
    options: {
      services: {
        default: { ...FOUR_SLOTS, leaseDuration: SHORT, fallbackGrace: SHORT, maxLeases: 1 },
        long: { leaseDuration: SHORT, fallbackGrace: LONG, maxLeases: 1 },
      },
    },
    async run(trial) {
      await trial.lease();
      await trial.lease({ serviceId: 'long' });
      await trial.advance(2 * SHORT);
      await trial.lease();
      await usedUp(trial, { serviceId: 'long' });
    },
  },
  {
    name: 'an account has its quota whatever the services, and others theirs',
    rule: 'quotas',
    options: { services: { default: { ...FOUR_SLOTS, leaseDuration: LONG } } },
    async run(trial) {
      trial.needsAccounts();
      const call = { account: { name: 'a', maxLeases: 2 } };
      const first = await trial.acquire({ serviceId: 'orders' }, call);
      const more = await trial.acquire({ serviceId: 'mails', throughputPerMs: perSlot(3) }, call);
      equal('the number of leases that the quota leaves', more.leases.length, 1);
      await usedUp(trial, {}, call);
      equal(
        'the number of leases of another account',
        (await trial.acquire({}, { account: { name: 'b', maxLeases: 1 } })).leases.length,
        1,
      );
      const [lease] = first.leases;
      check(lease !== undefined, 'there must be a lease');
      await trial.release(lease, lease.created, 'orders');
      equal('the number of leases after a release', (await trial.acquire({}, call)).leases.length, 1);
    },
  },
];
