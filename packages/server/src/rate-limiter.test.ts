import { virtualEnvironment } from 'kazahana/testing';
import { describe, expect, it } from 'vitest';
import { token } from '../../../tests/server/serving.ts';
import { RateLimiter } from './rate-limiter.js';

function limited(perSecond: number) {
  const environment = virtualEnvironment();
  const limiter = new RateLimiter(environment);
  const take = (name = 'orders') => {
    try {
      limiter.take({ name, token: { ...token(name), requestsPerSecond: perSecond } });
      return 'taken';
    } catch (error) {
      return error;
    }
  };
  /** How many come through at this moment. */
  const burst = (name?: string) => {
    let taken = 0;
    while (take(name) === 'taken') taken++;
    return taken;
  };
  return { environment, take, burst };
}

describe('a caller', () => {
  it('may bring two seconds’ worth at once, and then as much as time brings', async () => {
    const { environment, burst } = limited(10);
    expect(burst()).toBe(20);
    await environment.advance(99);
    expect(burst()).toBe(0);
    await environment.advance(1);
    expect(burst()).toBe(1);
    await environment.advance(3_600_000);
    expect(burst()).toBe(20);
  });

  it('with a limit below one a burst has at least one', async () => {
    const { environment, burst } = limited(0.25);
    expect(burst()).toBe(1);
    await environment.advance(4000);
    expect(burst()).toBe(1);
  });

  it('is told when to come again, and that is true', async () => {
    const { environment, take, burst } = limited(3);
    burst();
    expect(take()).toMatchObject({
      status: 429,
      code: 'RATE_LIMITED',
      members: { retryAfterMs: 334 },
      headers: { 'retry-after': '1' },
    });
    await environment.advance(334);
    expect(take()).toBe('taken');
  });

  it('has a bucket of its own', () => {
    const { burst } = limited(10);
    expect([burst('a'), burst('a'), burst('b')]).toEqual([20, 0, 20]);
  });

  it('without a limit is never refused, and no bucket is kept for it', () => {
    const { take } = limited(Number.POSITIVE_INFINITY);
    for (let i = 0; i < 10_000; i++) expect(take()).toBe('taken');
  });

  it('gets nothing from a clock that steps back, and loses nothing by it', async () => {
    const { environment, burst } = limited(10);
    burst();
    environment.set(environment.now() - 60_000);
    expect(burst()).toBe(0);
    await environment.advance(1000);
    expect(burst()).toBe(10);
  });
});
