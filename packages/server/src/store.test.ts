import { PoolExhaustedError } from 'kazahana/lease';
import { virtualEnvironment } from 'kazahana/testing';
import { describe, expect, it } from 'vitest';
import { BreakableStore } from '../../../tests/server/breakable-store.ts';
import { metricOf } from '../../../tests/server/metric-lines.ts';
import { Metrics } from './metrics.js';
import { measured } from './store.js';

function setUp() {
  const environment = virtualEnvironment();
  const metrics = new Metrics([], { version: '1', store: 'memory' });
  const inner = new BreakableStore({ environment, services: { default: { bitId: 1, bitSeq: 21 } } });
  const callStore = measured(inner, metrics, environment);
  const acquire = () => callStore('acquire', (provider, call) => provider.acquire({}, call));
  const counted = async (result: string) =>
    metricOf(
      await metrics.text(),
      `kazahana_store_duration_seconds_count{operation="acquire",result="${result}"}`,
    );
  return { environment, inner, callStore, acquire, counted };
}

describe('a call of the store', () => {
  it('is counted as fine when it is, and when the pool refuses', async () => {
    const { acquire, counted } = setUp();
    await acquire();
    await expect(acquire()).rejects.toBeInstanceOf(PoolExhaustedError);
    expect([await counted('ok'), await counted('failed')]).toEqual([2, 0]);
  });

  it('that fails is a StoreError, whatever the provider threw', async () => {
    const { inner, acquire, counted } = setUp();
    for (const state of ['down', 'faulty'] as const) {
      inner.state = state;
      await expect(acquire()).rejects.toMatchObject({ name: 'StoreError', code: 'STORE_UNAVAILABLE' });
    }
    expect([await counted('ok'), await counted('failed')]).toEqual([0, 2]);
  });

  it('that gets no response ends before a client gives up', async () => {
    const { environment, inner, acquire, counted } = setUp();
    inner.state = 'silent';
    const refused = expect(acquire()).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
      message: 'no response within 4000 ms',
    });
    await environment.advance(4000);
    await refused;
    expect(await counted('failed')).toBe(1);
  });

  it('is aborted when its time is over, not before, whatever the clock does', async () => {
    const { environment, callStore } = setUp();
    let given: AbortSignal | undefined;
    const refused = expect(
      callStore('acquire', (_provider, { signal }) => {
        given = signal;
        return new Promise(() => {});
      }),
    ).rejects.toThrow('no response within 4000 ms');
    environment.set(environment.now() + 86_400_000);
    await environment.advance(3999);
    expect(given?.aborted).toBe(false);
    environment.set(environment.now() - 86_400_000);
    await environment.advance(1);
    await refused;
    expect(given?.reason).toMatchObject({ code: 'STORE_UNAVAILABLE' });
  });

  it('that has ended leaves no sleeper behind', async () => {
    const { environment, callStore, acquire } = setUp();
    let given: AbortSignal | undefined;
    await acquire();
    await callStore('acquire', async (_provider, { signal }) => {
      given = signal;
    });
    await environment.advance(10_000);
    expect(given?.aborted).toBe(false);
  });
});
