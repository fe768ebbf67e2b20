import { describe, expect, it } from 'vitest';
import { Grouped } from './grouped.js';

/** Sends when told to; the result of each is the size of its group. */
function open(atOnce?: number) {
  const sent: { items: readonly string[]; answer: (error?: Error) => void }[] = [];
  const grouped = new Grouped<string, number>(
    (waiting) => new Set(waiting.filter((item) => item[0] === waiting[0]?.[0])),
    (items) =>
      new Promise((resolve, reject) => {
        const answer = (error?: Error) => (error ? reject(error) : resolve(items.map(() => items.length)));
        sent.push({ items, answer });
      }),
    atOnce,
  );
  return { grouped, sent };
}

const settle = () => new Promise(setImmediate);

describe('requests in groups', () => {
  it('go at once, with all that are asked in the same breath and fit', async () => {
    const { grouped, sent } = open();
    const asked = ['a1', 'b1', 'a2'].map((item) => grouped.ask(item));
    await settle();
    expect(sent.map(({ items }) => items)).toEqual([['a1', 'a2']]);
    sent[0]?.answer();
    await settle();
    expect(sent.map(({ items }) => items)).toEqual([['a1', 'a2'], ['b1']]);
    sent[1]?.answer();
    expect(await Promise.all(asked)).toEqual([2, 1, 2]);
  });

  it('wait while one is under way, or as many as may be', async () => {
    const { grouped, sent } = open(2);
    const asked: Promise<number>[] = [];
    for (const item of ['a1', 'a2', 'a3', 'a4']) {
      asked.push(grouped.ask(item));
      await settle();
    }
    expect(sent.map(({ items }) => items)).toEqual([['a1'], ['a2']]);
    sent[1]?.answer();
    await settle();
    expect(sent.map(({ items }) => items)).toEqual([['a1'], ['a2'], ['a3', 'a4']]);
    sent[0]?.answer();
    sent[2]?.answer();
    expect(await Promise.all(asked)).toEqual([1, 1, 2, 2]);
  });

  it('fail together, and the next group is not touched', async () => {
    const { grouped, sent } = open();
    const asked = ['a1', 'a2', 'b1'].map((item) => grouped.ask(item));
    const outcomes = Promise.allSettled(asked);
    await settle();
    sent[0]?.answer(new Error('broken'));
    await settle();
    sent[1]?.answer();
    expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled']);
  });

  it('lose who gives up, and nobody else', async () => {
    const { grouped, sent } = open();
    const first = grouped.ask('a1');
    await settle();
    const stop = new AbortController();
    const reason = new Error('no longer wanted');
    const given = expect(grouped.ask('a2', stop.signal)).rejects.toBe(reason);
    const third = grouped.ask('a3');
    stop.abort(reason);
    await given;
    await expect(grouped.ask('a4', stop.signal)).rejects.toBe(reason);
    sent[0]?.answer();
    await settle();
    sent[1]?.answer();
    expect(sent.map(({ items }) => items)).toEqual([['a1'], ['a3']]);
    expect(await Promise.all([first, third])).toEqual([1, 1]);
  });
});
