import { describe, expect, it } from 'vitest';
import { ask } from '../../../tests/server/requests.ts';
import { serving, token } from '../../../tests/server/serving.ts';

describe('IDs over HTTP', () => {
  it('rise, are decimal texts, and go on from call to call', async () => {
    const { environment, app, metric } = serving({ services: { orders: {} } });
    const all = new Set<string>();
    for (const serviceId of ['orders', undefined, 'made up']) {
      let last = 0n;
      for (let call = 0; call < 2; call++) {
        await environment.advance(1);
        const { json } = await ask(app, '/ids', { body: { count: 50, serviceId } });
        for (const id of json.ids) {
          expect(id).toMatch(/^\d{1,20}$/);
          expect(BigInt(id)).toBeGreaterThan(last);
          last = BigInt(id);
          all.add(id);
        }
      }
    }
    expect(all.size).toBe(300);
    expect(await metric('minted_ids_total{service="orders"}')).toBe(100);
    expect(await metric('minted_ids_total{service="other"}')).toBe(100);
  });

  it('take one lease of each configured service and one for all others, and give them back at the end', async () => {
    const { app, store, environment } = serving({
      services: { orders: {}, narrow: { pool: 'narrow', bitId: 19, bitSeq: 3 } },
    });
    for (const serviceId of [
      undefined,
      'orders',
      'narrow',
      ...Array.from({ length: 50 }, (_, i) => `made up ${i}`),
    ])
      expect((await ask(app, '/ids', { body: { count: 1, serviceId } })).status).toBe(200);
    const held = async () => [(await store.inspectPool()).held, (await store.inspectPool('narrow')).held];
    expect(await held()).toEqual([2, 1]);
    expect((await store.listLeases()).map(({ serviceId }) => serviceId)).toEqual(['default', 'orders']);
    await app.close();
    // The millisecond of the last ID is theirs.
    await environment.advance(1);
    expect(await held()).toEqual([0, 0]);
  });

  it('are made for a service although another one has used its quota up', async () => {
    const { app } = serving({ services: { orders: { maxLeases: 1 }, tickets: { maxLeases: 1 } } });
    await ask(app, '/lease', { body: { serviceId: 'orders' } });
    const mint = (serviceId: string) => ask(app, '/ids', { body: { count: 1, serviceId } });
    expect((await mint('orders')).json).toMatchObject({ status: 429, reason: 'the quota is used up' });
    expect((await mint('tickets')).status).toBe(200);
  });

  it('are made in turns: a request for one does not wait for forty of 10,000 to end', async () => {
    const { environment, app } = serving();
    await ask(app, '/ids', { body: { count: 1 } });
    const began = environment.now();
    let large = 0;
    const requests = Array.from({ length: 40 }, async () => {
      const { json } = await ask(app, '/ids', { body: { count: 10_000 } });
      expect(json.ids.length).toBe(10_000);
      large++;
    });
    await environment.advance(10);
    const small = ask(app, '/ids', { body: { count: 1 } }).then(({ status }) => [
      status,
      environment.now() - began,
    ]);
    await environment.advance(5000);
    const [status, tookMs] = await small;
    expect(status).toBe(200);
    expect(tookMs).toBeLessThan(100);
    await Promise.all(requests);
    expect(large).toBe(40);
  });

  it('cost a caller one request for each 256', async () => {
    const { environment, as } = serving({ tokens: [token('slow', { requestsPerSecond: 10 })] });
    const mint = async (count: number) => {
      const response = as('slow', '/ids', { body: { count } });
      await environment.advance(50);
      return (await response).json;
    };
    expect((await mint(256)).ids.length).toBe(256);
    // The bucket has 20: this one takes 40 of them, 21 of which the caller owes.
    expect((await mint(10_000)).ids.length).toBe(10_000);
    expect(await mint(1)).toMatchObject({ code: 'RATE_LIMITED' });
    await environment.advance(1900);
    expect(await mint(1)).toMatchObject({ code: 'RATE_LIMITED' });
    await environment.advance(500);
    expect((await mint(1)).ids.length).toBe(1);
  });

  it('are never made without a lease', async () => {
    const { environment, app, store } = serving();
    store.state = 'down';
    const refused = await ask(app, '/ids', { body: { count: 1 } });
    expect(refused).toMatchObject({ status: 503, json: { code: 'STORE_UNAVAILABLE' } });
    expect(refused.headers.get('retry-after')).toBe('1');
    store.state = 'up';
    await environment.advance(2000);
    expect((await ask(app, '/ids', { body: { count: 1 } })).status).toBe(200);
  });
});

describe('IDs while the clock of the server steps back', () => {
  it('are refused for now, in words of their own', async () => {
    const { environment, app, lines } = serving();
    expect((await ask(app, '/ids', { body: { count: 1 } })).status).toBe(200);
    environment.set(environment.now() - 60_000);
    const refused = await ask(app, '/ids', { body: { count: 1 } });
    expect(refused).toMatchObject({ status: 503, json: { code: 'CLOCK_BACKWARD' } });
    expect(refused.headers.get('retry-after')).toBe('1');
    expect(lines).toEqual([]);
  });
});
