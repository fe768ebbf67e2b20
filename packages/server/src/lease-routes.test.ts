import { describe, expect, it } from 'vitest';
import { ask } from '../../../tests/server/requests.ts';
import { releaseOf, serving } from '../../../tests/server/serving.ts';

describe('a lease over HTTP', () => {
  it('is acquired and released by either route, once', async () => {
    const { environment, app } = serving();
    for (const [method, end] of [
      ['DELETE', ''],
      ['POST', '/release'],
    ]) {
      const { json } = await ask(app, '/lease', { body: {} });
      const [lease] = json.leases;
      const release = () =>
        ask(app, `/lease/${lease.id}${end}`, {
          ...(method && { method }),
          body: releaseOf(lease, environment.now()),
        });
      expect((await release()).status).toBe(204);
      expect((await release()).json.code).toBe('LEASE_NOT_FOUND');
    }
  });

  it('looks the same from outside, whether it is not there or the signature does not fit', async () => {
    const { environment, app } = serving();
    const [lease] = (await ask(app, '/lease', { body: {} })).json.leases;
    const timestamp = environment.now();
    const forged = releaseOf({ ...lease, secret: 'guessed' }, timestamp);
    const responses = await Promise.all(
      [lease.id, 5000].map((id) => ask(app, `/lease/${id}`, { method: 'DELETE', body: forged })),
    );
    const seen = responses.map(({ status, text: body, headers }) => {
      const { 'x-request-id': _, ...rest } = Object.fromEntries(headers);
      return { status, body, rest };
    });
    expect(seen[0]).toEqual(seen[1]);
    expect(seen[0]?.status).toBe(404);
  });
});
