import type { Environment } from 'kazahana/lease';
import { virtualEnvironment } from 'kazahana/testing';
import { describe, expect, it } from 'vitest';
import { Deadline } from './deadline.js';

const late = () => new Error('too late');
const never = () => new Promise<never>(() => {});

/** What has become of a promise, without waiting for it. */
function follow(promise: Promise<unknown>) {
  const state = { outcome: 'open' };
  promise.then(
    (value) => {
      state.outcome = `done: ${String(value)}`;
    },
    (error: Error) => {
      state.outcome = `failed: ${error.message}`;
    },
  );
  return state;
}

describe('work with a deadline', () => {
  it('has its own outcome when it ends in time', async () => {
    const deadline = new Deadline(4000, virtualEnvironment());
    expect(await deadline.within(async () => 5, late)).toBe(5);
    await expect(deadline.within(() => Promise.reject(new Error('own')), late)).rejects.toThrow('own');
  });

  it('ends with the error when it does not, and its signal says so', async () => {
    const environment = virtualEnvironment();
    const deadline = new Deadline(4000, environment);
    let signal: AbortSignal | undefined;
    const state = follow(
      deadline.within((given) => {
        signal = given;
        return never();
      }, late),
    );
    await environment.advance(3500);
    expect([state.outcome, signal?.aborted]).toEqual(['open', false]);
    await environment.advance(500);
    expect([state.outcome, signal?.reason]).toEqual(['failed: too late', new Error('too late')]);
  });

  it('has at least seven eighths of its time, whenever it begins', async () => {
    const environment = virtualEnvironment();
    const deadline = new Deadline(4000, environment);
    void deadline.within(never, late).catch(() => undefined);
    await environment.advance(3999);
    const state = follow(deadline.within(never, late));
    await environment.advance(3500);
    expect(state.outcome).toBe('open');
    await environment.advance(500);
    expect(state.outcome).toBe('failed: too late');
  });

  it('is not touched by a clock that steps', async () => {
    const environment = virtualEnvironment();
    const deadline = new Deadline(4000, environment);
    const state = follow(deadline.within(never, late));
    environment.set(environment.now() + 86_400_000);
    await environment.advance(3000);
    expect(state.outcome).toBe('open');
    environment.set(environment.now() - 86_400_000);
    await environment.advance(1000);
    expect(state.outcome).toBe('failed: too late');
  });

  it('is watched over by one sleeper for all, and by none when there is none', async () => {
    const virtual = virtualEnvironment();
    let sleeping = 0;
    const environment: Environment = {
      ...virtual,
      async sleep(ms, options) {
        sleeping++;
        await virtual.sleep(ms, options);
        sleeping--;
      },
    };
    const deadline = new Deadline(4000, environment);
    const works = Array.from({ length: 100 }, () => deadline.within(async () => 1, late));
    expect(sleeping).toBe(1);
    await Promise.all(works);
    await virtual.advance(500);
    expect(sleeping).toBe(0);
    expect(await deadline.within(async () => 2, late)).toBe(2);
    expect(sleeping).toBe(1);
  });
});
