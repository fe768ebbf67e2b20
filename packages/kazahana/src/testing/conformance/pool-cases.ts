// Services, their pools, and the layouts of pools: rule R4.
import type { LeaseInfo } from '../../lease/types.js';
import { check, equal, refusal } from './checks.js';
import { type CaseDefinition, FOUR_SLOTS, LONG, perSlot, SHORT, type Trial } from './subject.js';
import { WindowLedger } from './window-ledger.js';

const EIGHT_SLOTS = { bitId: 4, bitSeq: 18 } as const;

const idsOf = (leases: readonly LeaseInfo[]) => leases.map(({ id }) => id).sort((a, b) => a - b);

/** All that is free. */
async function takeRest(trial: Trial): Promise<readonly LeaseInfo[]> {
  return (await trial.acquire({ throughputPerMs: 2 ** 31 })).leases;
}

export const poolCases: readonly CaseDefinition[] = [
  {
    name: 'services of one pool share its machine IDs',
    rule: 'R2',
    options: {
      services: {
        default: { ...FOUR_SLOTS, leaseDuration: LONG },
        orders: { leaseDuration: LONG / 2 },
      },
    },
    async run(trial) {
      const responses = [
        await trial.acquire({ serviceId: 'orders' }),
        await trial.acquire({ serviceId: 'mails' }),
        await trial.acquire({ throughputPerMs: perSlot(4) }),
      ];
      equal('the machine IDs', idsOf(responses.flatMap(({ leases }) => leases)), [0, 1, 2, 3]);
      equal('the number of pools', new Set(responses.map(({ pool }) => pool)).size, 1);
      await trial.exhausted({ serviceId: 'orders' });
    },
  },
  {
    name: 'services with pools of their own share nothing',
    rule: 'R2',
    options: {
      services: {
        default: { ...FOUR_SLOTS, leaseDuration: LONG },
        orders: { ...FOUR_SLOTS, leaseDuration: LONG, pool: 'orders' },
      },
    },
    async run(trial) {
      const first = await trial.acquire({ throughputPerMs: perSlot(4) });
      const orders = { serviceId: 'orders', throughputPerMs: perSlot(4) };
      const second = await trial.acquire(orders);
      equal('the machine IDs of the second pool', idsOf(second.leases), [0, 1, 2, 3]);
      check(first.pool !== second.pool, 'two pools must have two ids');
      const [lease] = second.leases;
      check(lease !== undefined, 'there must be a lease');
      await refusal('a release in another pool', ['INVALID_SIGNATURE', 'LEASE_NOT_FOUND'], () =>
        trial.release(lease, lease.created),
      );
      await trial.exhausted(orders);
      await trial.release(lease, lease.created, 'orders');
      await trial.advance(2);
      await trial.exhausted();
      equal('the machine ID that is free now', idsOf((await trial.acquire(orders)).leases), [lease.id]);
    },
  },
  {
    name: 'a pool keeps its layout: another provider on the same store finds it, or is refused',
    rule: 'R4',
    options: { services: { default: { ...FOUR_SLOTS, leaseDuration: LONG } } },
    async run(trial) {
      const first = await trial.acquire();
      const same = await trial.reopen({ services: { default: { leaseDuration: LONG } } });
      const next = await same.acquire({});
      equal('pool', next.pool, first.pool);
      equal('the machine ID', idsOf(next.leases), [1]);
      equal('bitSeq', next.leases[0]?.bitSeq, FOUR_SLOTS.bitSeq);
      const others = [
        { customEpoch: 0 },
        { bitReserve: 2, bitTs: 40 },
        { bitId: 14, bitSeq: 8 },
        { bitId: 3, bitSeq: 18, bitTs: 42 },
      ];
      for (const other of others) {
        await refusal(`a provider that states ${JSON.stringify(other)}`, ['POOL_MISMATCH'], async () => {
          const provider = await trial.reopen({
            services: { default: { ...FOUR_SLOTS, ...other, leaseDuration: LONG } },
          });
          await provider.acquire({});
        });
      }
      equal('the next machine ID', (await trial.lease()).id, 2);
    },
  },
  {
    name: 'after a change to more machine IDs, those that overlap a lease stay held',
    rule: 'R4',
    options: { services: { default: { ...FOUR_SLOTS, leaseDuration: SHORT, fallbackGrace: SHORT } } },
    async run(trial) {
      const changeLayout = trial.needs('changeLayout');
      const ledger = new WindowLedger();
      const { leases } = await trial.acquire({ throughputPerMs: perSlot(2) });
      for (const lease of leases) ledger.granted(lease);
      const { layout, slots } = await changeLayout(EIGHT_SLOTS);
      equal('the layout', { bitId: layout.bitId, bitSeq: layout.bitSeq }, EIGHT_SLOTS);
      equal('the number of slots', slots, 8);
      const rest = await takeRest(trial);
      for (const lease of rest) ledger.granted(lease);
      if (trial.canMoveTime) equal('the machine IDs beside 0 and 1 of four', idsOf(rest), [4, 5, 6, 7]);
      await trial.advance(2 * SHORT);
      const all = await takeRest(trial);
      for (const lease of all) ledger.granted(lease);
      equal('the machine IDs when all have ended', idsOf(all), [0, 1, 2, 3, 4, 5, 6, 7]);
      for (const { customEpoch, bitTs } of all) {
        equal('what never changes', [customEpoch, bitTs], [layout.customEpoch, layout.bitTs]);
      }
    },
  },
  {
    name: 'after a change to fewer machine IDs, those that overlap a lease stay held',
    rule: 'R4',
    options: { services: { default: { ...EIGHT_SLOTS, leaseDuration: SHORT, fallbackGrace: SHORT } } },
    async run(trial) {
      const changeLayout = trial.needs('changeLayout');
      const ledger = new WindowLedger();
      const { leases } = await trial.acquire({ throughputPerMs: 3 * 2 ** EIGHT_SLOTS.bitSeq });
      for (const lease of leases) ledger.granted(lease);
      await changeLayout(FOUR_SLOTS);
      const rest = await takeRest(trial);
      for (const lease of rest) ledger.granted(lease);
      if (trial.canMoveTime) equal('the machine IDs beside 0, 1 and 2 of eight', idsOf(rest), [2, 3]);
      await trial.advance(2 * SHORT);
      const all = await takeRest(trial);
      for (const lease of all) ledger.granted(lease);
      equal('the machine IDs when all have ended', idsOf(all), [0, 1, 2, 3]);
    },
  },
  {
    name: 'a lease of a former layout is released without freeing what others hold',
    rule: 'R4',
    options: { services: { default: { ...EIGHT_SLOTS, leaseDuration: SHORT, fallbackGrace: 0 } } },
    async run(trial) {
      const changeLayout = trial.needs('changeLayout');
      const ledger = new WindowLedger();
      const lease = await trial.lease();
      ledger.granted(lease);
      await changeLayout(FOUR_SLOTS);
      await trial.advance(SHORT);
      for (const other of await takeRest(trial)) ledger.granted(other);
      // Back again: the machine ID 0 of eight is now a part of another holder's 0 of four.
      await changeLayout(EIGHT_SLOTS);
      await refusal('a release of what has ended', ['LEASE_NOT_FOUND', 'INVALID_SIGNATURE'], () =>
        trial.release(lease, lease.expired - 1),
      );
      if (trial.canMoveTime) await trial.exhausted();
      await trial.advance(SHORT);
      for (const other of await takeRest(trial)) ledger.granted(other);
    },
  },
  {
    name: 'a live lease of a former layout can be released',
    rule: 'R4',
    options: { services: { default: { ...FOUR_SLOTS, leaseDuration: LONG } } },
    async run(trial) {
      const changeLayout = trial.needs('changeLayout');
      const ledger = new WindowLedger();
      const lease = await trial.lease();
      ledger.granted(lease);
      await changeLayout(EIGHT_SLOTS);
      const other = await trial.lease();
      ledger.granted(other);
      await trial.release(lease, lease.created);
      ledger.released(lease, lease.created);
      await refusal('a second release', ['LEASE_NOT_FOUND'], () => trial.release(lease, lease.created));
      await trial.advance(2);
      for (const next of await takeRest(trial)) ledger.granted(next);
    },
  },
  {
    name: 'a layout that does not fit the pool is refused, and nothing changes',
    rule: 'R4',
    options: { services: { default: { ...FOUR_SLOTS, leaseDuration: LONG } } },
    async run(trial) {
      const changeLayout = trial.needs('changeLayout');
      for (const layout of [
        { bitId: 3, bitSeq: 18 },
        { bitId: 22, bitSeq: 0 },
        { bitId: 0, bitSeq: 22 },
        { bitId: 1.5, bitSeq: 20.5 },
      ]) {
        await refusal(JSON.stringify(layout), [], () => changeLayout(layout));
      }
      equal('the machine IDs', idsOf(await takeRest(trial)), [0, 1, 2, 3]);
    },
  },
];
