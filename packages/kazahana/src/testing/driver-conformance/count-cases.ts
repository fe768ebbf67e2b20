// What a driver counts: the slots of a generation, and of quotas, whose `freeFrom` lies ahead.
import { equal } from '../conformance/checks.js';
import { type DriverCase, firstWrite, free, GENERATION, LONG } from './subject.js';

const NONE = { count: 0, firstEnd: Number.POSITIVE_INFINITY };

export const countCases: readonly DriverCase[] = [
  {
    name: 'a quota counts the slots that name it and end after now, and tells the first of these ends',
    rule: 'quotas',
    async run(trial) {
      const { now } = await trial.look();
      const end = now + LONG;
      await trial.create(
        firstWrite(0, { freeFrom: end + 2, quotas: ['a'] }),
        firstWrite(1, { freeFrom: end + 1, quotas: ['a', 'b'] }),
        firstWrite(2, { freeFrom: end, quotas: ['b', 'c', 'd'] }),
        firstWrite(3, { freeFrom: now, quotas: ['a', 'e'] }),
        firstWrite(4, { freeFrom: 1, quotas: ['b'] }),
        firstWrite(5, { freeFrom: end }),
      );
      equal('the counts', await trial.counts('a', 'b', 'c', 'e', 'no such quota'), [
        { quota: 'a', count: 2, firstEnd: end + 1 },
        { quota: 'b', count: 2, firstEnd: end },
        { quota: 'c', count: 1, firstEnd: end },
        { quota: 'e', ...NONE },
        { quota: 'no such quota', ...NONE },
      ]);
      equal('counts that are not requested', (await trial.look()).quotas, []);
    },
  },
  {
    name: 'a quota follows its slots when their time or their quotas change',
    rule: 'quotas',
    async run(trial) {
      const { now } = await trial.look();
      const end = now + LONG;
      await trial.create(firstWrite(0, { freeFrom: end, quotas: ['a'] }));
      const counts = async () =>
        (await trial.counts('a', 'b')).map(({ count, firstEnd }) => [count, firstEnd]);
      const none = [0, Number.POSITIVE_INFINITY];
      equal('the counts', await counts(), [[1, end], none]);
      await trial.put([{ slot: 0, freeFrom: end + 5 }]);
      equal('the counts after a renewal', await counts(), [[1, end + 5], none]);
      await trial.put([{ slot: 0, quotas: ['b'] }]);
      equal('the counts for another holder', await counts(), [none, [1, end + 5]]);
      await trial.put([{ slot: 0, quotas: ['b', 'a'], data: 'both' }]);
      equal('the counts for both', await counts(), [
        [1, end + 5],
        [1, end + 5],
      ]);
      await trial.put([{ slot: 0, freeFrom: now - 1 }]);
      equal('the counts after a release', await counts(), [none, none]);
      await trial.put([{ slot: 0, freeFrom: end }]);
      equal('the counts after the next grant', await counts(), [
        [1, end],
        [1, end],
      ]);
      await trial.put([{ slot: 0, quotas: [] }]);
      equal('the counts for a holder without quotas', await counts(), [none, none]);
    },
  },
  {
    name: 'a write is kept when its quotas count as many as it allows, or fewer',
    rule: 'quotas',
    async run(trial) {
      const { now } = await trial.look();
      const after = { freeFrom: now + LONG, quotas: ['a'] };
      await trial.create();
      // The slots that a write takes are not among those that it rests on.
      await trial.change({ slots: [firstWrite(0, after)], quotas: [{ quota: 'a', count: 0 }] }, wanting('a'));
      await trial.change({ slots: [firstWrite(1, after)], quotas: [{ quota: 'a', count: 1 }] }, wanting('a'));
      await trial.change({ slots: [firstWrite(2, after)], quotas: [{ quota: 'a', count: 9 }] }, wanting('a'));
      equal('the count', await trial.count('a'), 3);
    },
  },
  {
    name: 'held counts the slots of a generation that end after now',
    rule: 'inspection',
    async run(trial) {
      const { now } = await trial.look();
      const end = now + LONG;
      await trial.create(
        firstWrite(0, { freeFrom: end }),
        firstWrite(1, { freeFrom: 2 * end }),
        firstWrite(2, { freeFrom: now }),
        firstWrite(3, { freeFrom: end, quotas: ['a'] }),
        firstWrite(4, { freeFrom: 0 }),
      );
      const wanted = { held: GENERATION };
      equal('how many are held', (await trial.look(wanted)).held, 3);
      equal('how many are held when it is not requested', (await trial.look(free())).held, 0);
      equal('how many are held of no generation', (await trial.look({ held: 'no such generation' })).held, 0);
      await trial.put([{ slot: 0, freeFrom: now }]);
      equal('how many are held after a release', (await trial.look(wanted)).held, 2);
    },
  },
  {
    name: 'a slot counts to the last millisecond before its freeFrom',
    rule: 'quotas',
    async run(trial) {
      const { advance } = trial;
      const { now } = await trial.look();
      const end = now + LONG;
      await trial.create(
        firstWrite(0, { freeFrom: end, quotas: ['a'] }),
        firstWrite(1, { freeFrom: end + 10, quotas: ['a'] }),
      );
      const counts = async () => {
        const { held, quotas } = await trial.look({ held: GENERATION, quotas: ['a'] });
        return [held, quotas[0]?.count, quotas[0]?.firstEnd];
      };
      await advance(LONG - 1 - ((await trial.look()).now - now));
      equal('the counts one millisecond before', await counts(), [2, 2, end]);
      await advance(1);
      equal('the counts at the end of one', await counts(), [1, 1, end + 10]);
      await advance(10);
      equal('the counts at the end of both', await counts(), [0, 0, Number.POSITIVE_INFINITY]);
    },
  },
];

function wanting(quota: string) {
  return { wanted: { quotas: [quota] } };
}
