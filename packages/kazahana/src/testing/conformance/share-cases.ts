// Shares: a pool that has a part of the machine IDs, so that regions with a store each never make equal IDs.
import type { Share } from '../../lease/types.js';
import { equal, refusal } from './checks.js';
import { type CaseDefinition, FOUR_SLOTS, LONG, type Trial } from './subject.js';

const SHARE = { index: 1, of: 2 };
const EIGHT_SLOTS = { bitId: 4, bitSeq: 18 };
const services = { default: { leaseDuration: LONG } };
const poolWith = (share: Share) => ({ services, pools: { default: { ...FOUR_SLOTS, share } } });
const OPTIONS = poolWith(SHARE);

/** The machine IDs of all that is free. */
async function takeRest(trial: Trial): Promise<number[]> {
  const { leases } = await trial.acquire({ throughputPerMs: 2 ** 31 });
  return leases.map(({ id }) => id).sort((a, b) => a - b);
}

export const shareCases: readonly CaseDefinition[] = [
  {
    name: 'a pool with a share leases the machine IDs of its share, and no others',
    rule: 'R2',
    options: OPTIONS,
    async run(trial) {
      equal('the first machine ID', (await trial.lease()).id, 2);
      equal('the rest', await takeRest(trial), [3]);
      await trial.exhausted();
    },
  },
  {
    name: 'the totals of a pool count the slots of its share',
    rule: 'inspection',
    options: OPTIONS,
    async run(trial) {
      const inspectPool = trial.needs('inspectPool');
      await trial.acquire();
      const { share, slots, held } = await inspectPool();
      equal('the share', { share, slots, held }, { share: SHARE, slots: 2, held: 1 });
    },
  },
  {
    name: 'a pool keeps its share: another provider on the same store finds it, or is refused',
    rule: 'R4',
    options: OPTIONS,
    async run(trial) {
      await trial.acquire();
      const same = await trial.reopen({ services });
      equal('the machine ID', (await same.acquire({})).leases[0]?.id, 3);
      for (const share of [
        { index: 0, of: 2 },
        { index: 1, of: 4 },
        { index: 0, of: 1 },
      ]) {
        await refusal(`a provider with the share ${JSON.stringify(share)}`, ['POOL_MISMATCH'], async () => {
          await (await trial.reopen(poolWith(share))).acquire({});
        });
      }
    },
  },
  {
    name: 'after a change of layout a pool has the same share of the new machine IDs',
    rule: 'R4',
    options: OPTIONS,
    async run(trial) {
      const changeLayout = trial.needs('changeLayout');
      await trial.acquire();
      await changeLayout(EIGHT_SLOTS);
      equal('the machine IDs beside the lease', await takeRest(trial), [6, 7]);
    },
  },
  {
    name: 'a change of layout that leaves no slot for a share is refused, and nothing changes',
    rule: 'R4',
    options: OPTIONS,
    async run(trial) {
      const changeLayout = trial.needs('changeLayout');
      await refusal('one slot for two shares', ['POOL_MISMATCH'], () =>
        changeLayout({ bitId: 1, bitSeq: 21 }),
      );
      equal('the machine IDs', await takeRest(trial), [2, 3]);
    },
  },
];
