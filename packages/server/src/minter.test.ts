import { describe, expect, it } from 'vitest';
import { ask } from '../../../tests/server/requests.ts';
import { serving } from '../../../tests/server/serving.ts';

describe('IDs over HTTP', () => {
  it('rise, are decimal texts, and go on from call to call and from service to service', async () => {
    const { environment, app, metric } = serving({ services: { orders: {} } });
    const ids: bigint[] = [];
    for (const serviceId of ['orders', undefined, 'made up']) {
      await environment.advance(1);
      const { json } = await ask(app, '/ids', { body: { count: 100, serviceId } });
      for (const id of json.ids) expect(id).toMatch(/^\d{1,20}$/);
      ids.push(...json.ids.map(BigInt));
    }
    expect(ids.length).toBe(300);
    expect(ids.every((id, i) => i === 0 || id > (ids[i - 1] ?? 0n))).toBe(true);
    expect(await metric('minted_ids_total{service="orders"}')).toBe(100);
    expect(await metric('minted_ids_total{service="other"}')).toBe(100);
  });

  it('take one lease of a pool, and give it back at the end', async () => {
    const { app, store, environment } = serving({
      services: { narrow: { pool: 'narrow', bitId: 19, bitSeq: 3 } },
    });
    await ask(app, '/ids', { body: { count: 1 } });
    await ask(app, '/ids', { body: { count: 1, serviceId: 'narrow' } });
    const held = async () => [(await store.inspectPool()).held, (await store.inspectPool('narrow')).held];
    expect(await held()).toEqual([1, 1]);
    await app.close();
    // The millisecond of the last ID is theirs.
    await environment.advance(1);
    expect(await held()).toEqual([0, 0]);
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
