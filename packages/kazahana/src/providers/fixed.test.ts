import { describe, expect, it } from 'vitest';
import { KazahanaClient } from '../client/index.js';
import { decodeId, LIB_DEFAULT_EPOCH } from '../id/index.js';
import { virtualEnvironment } from '../virtual-environment.js';
import { FixedLeaseProvider, type FixedLeaseProviderOptions } from './index.js';

const START = LIB_DEFAULT_EPOCH + 86_400_000;

/** A process of a StatefulSet: its clock shows `at` when it starts. */
function start(at: number, options: Partial<FixedLeaseProviderOptions> = {}) {
  const environment = virtualEnvironment({ at });
  const provider = new FixedLeaseProvider({ machineId: 5, environment, ...options });
  const client = new KazahanaClient({
    provider,
    environment,
    disableFallback: true,
  });
  /** An ID, with as much time as that takes. */
  const nextId = async () => {
    const made = client.nextId();
    await environment.advance(3000);
    return made;
  };
  return { environment, provider, client, nextId };
}

describe('FixedLeaseProvider', () => {
  it('gives its machine ID, and no other', async () => {
    for (const machineId of [0, 5, 8191]) {
      const { client, nextId } = start(START, { machineId });
      const ids = [await nextId(), await nextId(), await nextId()];
      expect(ids.map((id) => decodeId(id).machineId)).toEqual([machineId, machineId, machineId]);
      expect(ids.map((id) => decodeId(id).fallback)).toEqual([false, false, false]);
      await client.shutdown();
    }
  });

  it('renews its window for as long as the process lives, without fallback', async () => {
    const { client, environment, nextId } = start(START);
    await nextId();
    for (let second = 0; second < 60; second++) {
      await environment.advance(1000);
      expect(decodeId(client.nextIdSync()).machineId).toBe(5);
    }
    expect(client.stats()).toMatchObject({ fencedIds: 0, randomIds: 0, acquireFailures: 0 });
    await client.shutdown();
  });

  it('begins no window before every window of an earlier process has ended (rule R2)', async () => {
    const first = start(START);
    const last = decodeId(await first.nextId()).unixMs;
    // The first process ends without a word, a millisecond after its last ID at most; the next starts at once, with a clock that
    // is as far behind as allowed.
    const lastLease = (await first.provider.listLeases())[0];
    const next = start(first.environment.now() - 1000);
    const id = decodeId(await next.nextId());
    expect(id.unixMs).toBeGreaterThan(last);
    expect(id.unixMs).toBeGreaterThanOrEqual(lastLease?.fallbackUntil ?? Number.POSITIVE_INFINITY);
  });

  it('lets a caller give up while it waits', async () => {
    const { provider, environment } = start(START);
    const abort = new AbortController();
    const acquired = provider.acquire({}, { signal: abort.signal }).catch((error: unknown) => error);
    await environment.advance(10);
    abort.abort(new Error('enough'));
    await environment.advance(10);
    expect(await acquired).toMatchObject({ message: 'enough' });
  });

  it('has one slot: a second client of the same process gets none', async () => {
    const { provider, environment, nextId } = start(START);
    await nextId();
    const error = await provider.acquire({}).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'POOL_EXHAUSTED' });
    expect(environment.now()).toBeGreaterThan(START);
  });

  it('takes the layout of the fleet', async () => {
    const layout = { bitReserve: 11, bitTs: 41, bitId: 6, bitSeq: 6 };
    const { nextId } = start(START, { machineId: 31, layout });
    expect(decodeId(await nextId(), layout).machineId).toBe(31);
  });

  const wrong: [options: unknown, message: string][] = [
    [{}, 'machineId must be an integer from 0 to 8191, got undefined'],
    [{ machineId: 8192 }, 'machineId must be an integer from 0 to 8191, got 8192'],
    [{ machineId: Number.NaN }, 'machineId must be an integer from 0 to 8191, got NaN'],
    [
      { machineId: 32, layout: { bitReserve: 11, bitId: 6, bitSeq: 6 } },
      'machineId must be an integer from 0 to 31',
    ],
    [{ machineId: 1, leaseDuration: 5 }, 'leaseDuration must be an integer from 100 to 60000, got 5'],
    [{ machineId: 1, maxClockDifference: -1 }, 'maxClockDifference must be an integer from 0'],
    [{ machineID: 1 }, '(did you mean machineId?)'],
    [undefined, 'the options of FixedLeaseProvider must be an object'],
  ];
  for (const [options, message] of wrong) {
    it(`refuses ${JSON.stringify(options)}`, () => {
      expect(() => new FixedLeaseProvider(options as FixedLeaseProviderOptions)).toThrow(message);
    });
  }
});
