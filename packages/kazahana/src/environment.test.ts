import { describe, expect, it } from 'vitest';
import { defaultEnvironment, type Environment, randomHex, TimersFakedError } from './environment.js';

/** How long some work takes, by the clock of the environment. */
async function timeOf(work: Promise<void>): Promise<number> {
  const start = defaultEnvironment.now();
  await work;
  return defaultEnvironment.now() - start;
}

/** Longer than anybody wants to wait for this test. */
const HOUR = 3_600_000;

describe('the default environment', () => {
  it("reads the platform's clock, in whole milliseconds", () => {
    const before = Date.now();
    const now = defaultEnvironment.now();
    expect(now).toBeGreaterThanOrEqual(before);
    expect(now).toBeLessThanOrEqual(Date.now());
    expect(Number.isInteger(now)).toBe(true);
  });

  it('wakes sleepers in the order of their times', async () => {
    const woken: number[] = [];
    const sleep = (ms: number, background: boolean) =>
      defaultEnvironment.sleep(ms, { background }).then(() => woken.push(ms));
    await Promise.all([sleep(40, false), sleep(5, false), sleep(30, true), sleep(15, true)]);
    expect(woken).toEqual([5, 15, 30, 40]);
  });

  for (const ms of [0, -5]) {
    it(`hardly sleeps for ${ms} ms`, async () => {
      expect(await timeOf(defaultEnvironment.sleep(ms))).toBeLessThan(1000);
    });
  }

  it('does not take a sleep that is too long for a timer for none', async () => {
    const controller = new AbortController();
    let woke = false;
    const sleep = defaultEnvironment.sleep(2 ** 40, { signal: controller.signal }).then(() => {
      woke = true;
    });
    await defaultEnvironment.sleep(20);
    expect(woke).toBe(false);
    controller.abort();
    await sleep;
  });

  it('ends a sleep by its signal, before it starts or later', async () => {
    expect(await timeOf(defaultEnvironment.sleep(HOUR, { signal: AbortSignal.abort() }))).toBeLessThan(1000);
    const controller = new AbortController();
    const sleep = defaultEnvironment.sleep(HOUR, { signal: controller.signal });
    controller.abort();
    expect(await timeOf(sleep)).toBeLessThan(1000);
  });

  it('lets the event loop turn in a sleep of 0', async () => {
    let hasTurned = false;
    setTimeout(() => {
      hasTurned = true;
    }, 1);
    for (let i = 0; i < 10_000 && !hasTurned; i++) await defaultEnvironment.sleep(0);
    expect(hasTurned).toBe(true);
  });

  it('has monotonic time, which no step of the clock changes', async () => {
    const before = defaultEnvironment.monotonic?.() ?? Number.NaN;
    const { now } = Date;
    Date.now = () => 0;
    const after = defaultEnvironment.monotonic?.() ?? Number.NaN;
    Date.now = now;
    expect(after).toBeGreaterThanOrEqual(before);
    expect(after - before).toBeLessThan(10_000);
  });

  it('says so when a caller waits for timers that a test has faked and does not move', async () => {
    const { now } = Date;
    const { setTimeout: platformTimeout } = globalThis;
    const moment = Date.now();
    Date.now = () => moment;
    globalThis.setTimeout = (() => 0) as never;
    const tick = defaultEnvironment.sleep(1);
    const background = defaultEnvironment.sleep(1, { background: true });
    globalThis.setTimeout = platformTimeout;
    const outcome = await tick.catch((error: unknown) => error);
    Date.now = now;
    expect(outcome).toBeInstanceOf(TimersFakedError);
    expect(String(outcome)).toMatch(/wait of 1 ms.*faked.*virtualEnvironment/);
    expect(await Promise.race([background, 'still asleep'])).toBe('still asleep');
  });

  it('fills what it is given with random bytes, and returns it', () => {
    const bytes = new Uint8Array(32);
    expect(defaultEnvironment.random(bytes)).toBe(bytes);
    expect(new Set([randomHex(defaultEnvironment, 16), randomHex(defaultEnvironment, 16)]).size).toBe(2);
    // More than one portion of the source.
    const many = defaultEnvironment.random(new Uint8Array(100_000));
    expect(new Set(many).size).toBe(256);
  });
});

describe('randomHex', () => {
  it('writes each byte as two digits', () => {
    const counting: Environment = {
      ...defaultEnvironment,
      random: (bytes) => {
        for (let i = 0; i < bytes.length; i++) bytes[i] = i * 9;
        return bytes;
      },
    };
    expect(randomHex(counting, 4)).toBe('0009121b');
    expect(randomHex(counting, 0)).toBe('');
  });
});
