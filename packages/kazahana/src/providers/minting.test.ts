import { describe, expect, it } from 'vitest';
import { virtualEnvironment } from '../virtual-environment.js';
import { BadResponseError, HttpLeaseError, MintingClient, type MintingClientOptions } from './index.js';

/** A server that counts up, and responds after so many milliseconds. */
function serve(options: MintingClientOptions = {}, latencyMs = 20) {
  const environment = virtualEnvironment();
  const requests: { count: number; serviceId?: string; authorization: string | null }[] = [];
  let last = 0;
  let failure: Response | undefined;
  const fetch = async (url: string, init: RequestInit) => {
    expect(url).toBe('http://ids.test/ids');
    const body = JSON.parse(String(init.body));
    requests.push({ ...body, authorization: new Headers(init.headers).get('authorization') });
    await environment.sleep(latencyMs);
    if (failure) return failure.clone();
    const ids = Array.from({ length: body.count }, () => String(++last));
    return Response.json({ ids });
  };
  const client = new MintingClient('http://ids.test/', { fetch, environment, ...options });
  /** The outcome of calls, with the time that they take. */
  const settle = async <T>(promise: Promise<T>) => {
    const settled = promise.then(
      (value) => ({ value }),
      (error: unknown) => ({ error }),
    );
    await environment.advance(2 * latencyMs);
    return settled;
  };
  return { environment, requests, client, settle, fail: (response?: Response) => (failure = response) };
}

describe('MintingClient', () => {
  it('fetches a batch for the first caller, and serves the next ones from it', async () => {
    const { client, requests, settle } = serve({ batchSize: 10 });
    expect(await settle(client.nextId())).toEqual({ value: 1n });
    expect(requests).toHaveLength(1);
    expect(await client.nextId()).toBe(2n);
    expect(await client.nextId()).toBe(3n);
    expect(requests).toMatchObject([{ count: 10 }]);
  });

  it('refills in the background below half a batch, once', async () => {
    const { client, requests, environment, settle } = serve({ batchSize: 10 });
    await settle(client.nextId());
    const refills: Promise<unknown>[] = [];
    const waitUntil = (refill: Promise<unknown>) => refills.push(refill);
    for (let id = 2n; id <= 9n; id++) expect(await client.nextId({ waitUntil })).toBe(id);
    expect(requests).toHaveLength(2);
    expect(refills).toHaveLength(1);
    await environment.advance(100);
    for (let id = 10n; id <= 14n; id++) expect(await client.nextId()).toBe(id);
    expect(requests).toHaveLength(2);
  });

  it('gives every caller of a crowd another ID, and fetches one batch for them', async () => {
    const { client, requests, settle } = serve({ batchSize: 10 });
    const outcome = await settle(Promise.all(Array.from({ length: 100 }, () => client.nextId())));
    expect(new Set((outcome as { value: bigint[] }).value).size).toBe(100);
    expect(requests.filter(({ count }) => count === 10)).toHaveLength(1);
  });

  it('does not wait for a request that is gone: the next caller asks again after the time-out', async () => {
    const { client, requests, environment } = serve({ batchSize: 10, timeout: 1000 }, 1_000_000);
    client.nextId().catch(() => {});
    await environment.advance(10);
    client.nextId().catch(() => {});
    await environment.advance(2000);
    client.nextId().catch(() => {});
    await environment.advance(10);
    expect(requests.map(({ count }) => count)).toEqual([10, 1, 10]);
  });

  it('gives no ID out that is older than allowed', async () => {
    const { client, environment, settle } = serve({ batchSize: 10, maxAge: 5000 });
    await settle(client.nextId());
    await environment.advance(6000);
    expect(await settle(client.nextId())).toEqual({ value: 11n });
  });

  it('gives many at once, in rising order', async () => {
    const { client, settle, requests } = serve({ serviceId: 'orders', token: 'secret' });
    expect(await settle(client.nextIds(3))).toEqual({ value: [1n, 2n, 3n] });
    expect(await client.nextIds(0)).toEqual([]);
    expect(requests).toEqual([{ count: 3, serviceId: 'orders', authorization: 'Bearer secret' }]);
    await expect(client.nextIds(1.5)).rejects.toThrow('count must be an integer from 0 to 10000, got 1.5');
  });

  it('passes refusals on to the caller, and recovers', async () => {
    const { client, settle, fail } = serve();
    fail(Response.json({ code: 'NO_LEASE' }, { status: 503 }));
    expect(await settle(client.nextId())).toMatchObject({ error: { code: 'NO_LEASE', status: 503 } });
    expect((await settle(client.nextId())) as { error: unknown }).toMatchObject({
      error: expect.any(HttpLeaseError),
    });
    fail(undefined);
    expect(await settle(client.nextId())).toMatchObject({ value: 1n });
  });

  for (const ids of [[], ['1', '2'], ['x'], [1], ['-1'], ['9223372036854775808'], undefined]) {
    it(`refuses a response of ${JSON.stringify(ids)} for one ID`, async () => {
      const { client, settle, fail } = serve({ batchSize: 1 });
      fail(Response.json({ ids }));
      expect(await settle(client.nextId())).toMatchObject({ error: expect.any(BadResponseError) });
    });
  }

  it('refuses IDs that do not rise: each is given out once', async () => {
    const { client, settle, fail } = serve({ batchSize: 2 });
    for (const ids of [
      ['5', '5'],
      ['5', '4'],
    ]) {
      fail(Response.json({ ids }));
      expect(await settle(client.nextId())).toMatchObject({ error: expect.any(BadResponseError) });
    }
  });

  it('refuses unknown options', () => {
    expect(() => serve({ batchsize: 5 } as MintingClientOptions)).toThrow('(did you mean batchSize?)');
    expect(() => serve({ batchSize: 0 })).toThrow('batchSize must be an integer from 1 to 10000, got 0');
  });
});
