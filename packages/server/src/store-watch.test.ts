import { PoolMismatchError } from 'kazahana/lease';
import { virtualEnvironment } from 'kazahana/testing';
import { describe, expect, it } from 'vitest';
import { BreakableStore } from '../../../tests/server/breakable-store.ts';
import { collectingLog } from '../../../tests/server/log.ts';
import { metricOf } from '../../../tests/server/metric-lines.ts';
import { Metrics } from './metrics.js';
import { measured } from './store.js';
import { reasonOf, StoreWatch } from './store-watch.js';

function watched() {
  const environment = virtualEnvironment();
  const metrics = new Metrics(['default'], { version: '1', store: 'memory' });
  const { log, lines } = collectingLog();
  const inner = new BreakableStore({ environment, serviceShare: 0.75 });
  const callStore = measured(inner, metrics, environment);
  const watch = new StoreWatch({ callStore, poolNames: ['default'], metrics, log, environment });
  const isUp = async () => metricOf(await metrics.text(), 'kazahana_store_up');
  return { environment, inner, lines, watch, metrics, isUp };
}

describe('a store', () => {
  it('that is up from the start is not talked about', async () => {
    const { environment, lines, watch, isUp } = watched();
    expect(watch.isUp).toBe(false);
    await watch.look();
    void watch.run();
    await environment.advance(3_600_000);
    expect([watch.isUp, await isUp(), lines]).toEqual([true, 1, []]);
    watch.stop();
  });

  it('that goes away for an hour and comes back is said in two lines', async () => {
    const { environment, inner, lines, watch, isUp } = watched();
    await watch.look();
    void watch.run();
    inner.state = 'down';
    await environment.advance(5000);
    expect([watch.isUp, await isUp()]).toEqual([false, 0]);
    await environment.advance(3_600_000);
    inner.state = 'up';
    await environment.advance(5000);
    expect([watch.isUp, await isUp()]).toEqual([true, 1]);
    expect(lines).toMatchObject([
      {
        level: 50,
        msg: 'the store cannot be used; trying again until it can',
        reason: 'the store is away: connect ECONNREFUSED',
      },
      { level: 30, msg: 'the store can be used again' },
    ]);
    expect(lines[1]?.afterMs).toBeGreaterThanOrEqual(3_600_000);
    watch.stop();
  });

  it('that is away is looked at after 250, 500, 1,000 … 5,000 milliseconds', async () => {
    const { environment, inner, watch } = watched();
    inner.state = 'down';
    await watch.look().catch(() => undefined);
    const started = environment.now();
    const looks: number[] = [];
    void watch.run();
    for (let ms = 0; ms < 25_000; ms += 50) {
      const before = inner.calls;
      await environment.advance(50);
      if (inner.calls > before) looks.push(environment.now() - started);
    }
    expect(looks).toEqual([250, 750, 1750, 3750, 7750, 12_750, 17_750, 22_750]);
    watch.stop();
  });

  it('that can be read and not written is away as well: in the log, in the metrics, and for readiness', async () => {
    const { environment, inner, lines, watch, isUp } = watched();
    await inner.acquire({});
    await watch.look();
    void watch.run();
    inner.state = 'read-only';
    await environment.advance(5000);
    expect([watch.isUp, await isUp()]).toEqual([false, 0]);
    expect(lines).toMatchObject([{ level: 50, reason: 'the disk is full' }]);
    inner.state = 'up';
    await environment.advance(5000);
    expect([watch.isUp, await isUp(), lines.length]).toEqual([true, 1, 2]);
    // Nothing of the pool has changed by all this.
    expect(await inner.inspectPool()).toMatchObject({ serial: 1, held: 1, quarantinedUntil: 0 });
    watch.stop();
  });

  it('that hangs counts as away when its time is up', async () => {
    const { environment, inner, lines, watch } = watched();
    await watch.look();
    void watch.run();
    inner.state = 'silent';
    await environment.advance(5000 + 4000);
    expect(watch.isUp).toBe(false);
    expect(lines).toMatchObject([{ reason: 'no response within 4000 ms' }]);
    watch.stop();
  });

  it('is not looked at any more when the watch has ended', async () => {
    const { environment, inner, watch } = watched();
    await watch.look();
    void watch.run();
    watch.stop();
    const before = inner.calls;
    await environment.advance(60_000);
    expect(inner.calls).toBe(before);
  });

  it('that contradicts the configuration is thrown, for the start to fail', async () => {
    const { environment, watch, inner } = watched();
    inner.inspectPool = () => Promise.reject(new PoolMismatchError('bitTs', 41, 40));
    await expect(watch.look()).rejects.toBeInstanceOf(PoolMismatchError);
    expect(environment.pending).toBe(0);
  });

  it('shows in the metrics how full its pools are, and with whose leases', async () => {
    const { environment, inner, watch, metrics } = watched();
    await inner.acquire({ throughputPerMs: 3 * 256 });
    await inner.acquire({ serviceId: 'made up' });
    await watch.look();
    const text = await metrics.text();
    const of = (series: string) => metricOf(text, `kazahana_${series}`);
    expect(of('pool_slots{pool="default"}')).toBe(8192);
    expect(of('pool_held{pool="default"}')).toBe(4);
    expect(of('pool_quarantined{pool="default"}')).toBe(0);
    expect(of('leases_active{pool="default",service="default"}')).toBe(3);
    expect(of('leases_active{pool="default",service="other"}')).toBe(1);
    await inner.quarantine();
    await environment.advance(1_200_000);
    await watch.look();
    expect(metricOf(await metrics.text(), 'kazahana_leases_active{pool="default",service="default"}')).toBe(
      0,
    );
  });
});

describe('a reason', () => {
  it('goes down to the first cause, and ends somewhere', () => {
    expect(reasonOf(new Error('a', { cause: new Error('b') }))).toBe('a: b');
    expect(reasonOf('text')).toBe('');
    const endless = new Error('x');
    endless.cause = endless;
    expect(reasonOf(endless)).toBe('x: x: x: x: x');
  });
});

describe('a pool in quarantine', () => {
  it('is said once, whichever request caused it, and again when it happens again', async () => {
    const { environment, inner, lines, watch } = watched();
    const { serial = 0, pool = '' } = await inner.acquire({});
    const isRefused = (more: number) =>
      inner
        .acquire({ seen: { pool, serial: serial + more } })
        .catch((error: { reason?: string }) => error.reason);
    expect(await isRefused(5)).toBe('in quarantine');
    void watch.run();
    await environment.advance(60_000);
    expect(lines.map(({ msg }) => msg)).toEqual(['the pool is in quarantine: no grants until then']);
    await environment.advance(3_600_000);
    expect(await isRefused(50)).toBe('in quarantine');
    await environment.advance(60_000);
    expect(lines.length).toBe(2);
    watch.stop();
  });
});
