import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { virtualEnvironment } from './virtual-environment.js';

const AT = 1_800_000_000_000;

describe('the time of a virtual environment', () => {
  it('stands still until it is moved', async () => {
    const environment = virtualEnvironment({ at: AT });
    let woke = false;
    void environment.sleep(1).then(() => {
      woke = true;
    });
    await environment.settle();
    expect([environment.now(), woke, environment.pending]).toEqual([AT, false, 1]);
    await environment.advance(1);
    expect([environment.now(), woke, environment.pending]).toEqual([AT + 1, true, 0]);
  });

  it('wakes sleepers in order of time, then of going to sleep, each at its own moment', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 20 }), { maxLength: 30 }), async (durations) => {
        const environment = virtualEnvironment({ at: 0 });
        const woken: [number, number, number][] = [];
        durations.forEach((ms, index) => {
          void environment.sleep(ms).then(() => woken.push([ms, index, environment.now()]));
        });
        await environment.advance(20);
        const inOrder = durations.map((ms, index): [number, number, number] => [ms, index, ms]);
        expect(woken).toEqual(inOrder.sort((a, b) => a[0] - b[0] || a[1] - b[1]));
      }),
      { numRuns: 50 },
    );
  });

  it('runs what sleepers start, as far as it falls due', async () => {
    const environment = virtualEnvironment({ at: 0 });
    const moments: number[] = [];
    void (async () => {
      for (;;) {
        await environment.sleep(3);
        // A longer chain of promises than any fixed number of awaits would wait for.
        for (let i = 0; i < 1000; i++) await null;
        moments.push(environment.now());
      }
    })();
    await environment.advance(10);
    expect([moments, environment.now()]).toEqual([[3, 6, 9], 10]);
    await environment.advance(2);
    expect(moments).toEqual([3, 6, 9, 12]);
  });

  it('passes for sleeps of nothing, too, so that a loop of them ends', async () => {
    const environment = virtualEnvironment({ at: 0 });
    let rounds = 0;
    void (async () => {
      for (;;) {
        await environment.sleep(0);
        rounds++;
      }
    })();
    await environment.advance(5);
    expect(rounds).toBe(5);
  });

  it('does not wake or delay anybody when the clock steps', async () => {
    const environment = virtualEnvironment({ at: AT });
    const woken: number[] = [];
    void environment.sleep(100).then(() => woken.push(environment.now()));
    await environment.advance(40);
    environment.set(AT + 1_000_000);
    await environment.advance(59);
    expect(woken).toEqual([]);
    environment.set(AT - 1_000_000);
    await environment.advance(1);
    expect(woken).toEqual([AT - 1_000_000 + 1]);
  });

  it('ends a sleep by its signal, before it starts or later', async () => {
    const environment = virtualEnvironment({ at: AT });
    await environment.sleep(1000, { signal: AbortSignal.abort() });
    const controller = new AbortController();
    const sleep = environment.sleep(1000, { signal: controller.signal });
    expect(environment.pending).toBe(1);
    controller.abort();
    await sleep;
    expect([environment.now(), environment.pending]).toEqual([AT, 0]);
  });

  it('counts background sleepers apart, and runs until the others are done', async () => {
    const environment = virtualEnvironment({ at: 0 });
    void environment.sleep(1_000_000, { background: true });
    void environment.sleep(Number.POSITIVE_INFINITY);
    void environment.sleep(5).then(() => environment.sleep(70));
    expect(environment.pending).toBe(2);
    await environment.runUntilIdle();
    expect([environment.now(), environment.pending]).toEqual([75, 1]);
  });

  it('is moved by one at a time', async () => {
    const environment = virtualEnvironment();
    const first = environment.advance(1);
    await expect(environment.advance(1)).rejects.toThrow('being moved already');
    await first;
    await environment.advance(1);
  });

  it('is refused when it is no time', () => {
    const environment = virtualEnvironment();
    for (const ms of [-1, 0.5, Number.NaN, '5', undefined]) {
      expect(() => environment.advance(ms as number)).toThrow('ms must be an integer');
      expect(() => environment.set(ms as number)).toThrow('unixMs must be an integer');
    }
    expect(() => virtualEnvironment({ at: 0.5 })).toThrow('at must be an integer');
    expect(() => virtualEnvironment({ seed: -1 })).toThrow('seed must be an integer');
  });
});

describe('the chance of a virtual environment', () => {
  const draw = (seed: number) => Array.from(virtualEnvironment({ seed }).random(new Uint8Array(64))).join();

  it('is the same for the same seed, and different for another', () => {
    fc.assert(
      fc.property(fc.nat(2 ** 32 - 1), fc.nat(2 ** 32 - 1), (a, b) => {
        expect(draw(a)).toBe(draw(a));
        expect(draw(a) === draw(b)).toBe(a === b);
      }),
    );
  });

  it('spreads over all bytes', () => {
    const counts = new Array<number>(256).fill(0);
    for (const byte of virtualEnvironment().random(new Uint8Array(256 * 400)))
      counts[byte] = (counts[byte] ?? 0) + 1;
    // 400 on average with a deviation of 20: five of them either way.
    expect(Math.min(...counts)).toBeGreaterThan(300);
    expect(Math.max(...counts)).toBeLessThan(500);
  });
});
