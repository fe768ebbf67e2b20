// Twenty thousand hostile requests; `npm run fuzz:server` sends a million.
import { expect, it } from 'vitest';
import { runCampaign } from './fuzz/campaign.ts';
import { MARKER } from './fuzz/generate.ts';
import { watchHandles } from './fuzz/handles.ts';

const SEED = 20_260_101;

it('twenty thousand hostile requests: no failure, nothing repeated, no lease changed', async () => {
  const handlesLeft = watchHandles();
  const { counts, logLines } = await runCampaign({ seed: SEED, requests: 20_000, onSockets: 2000 });
  // All the ways to be refused, and to be served, have come up.
  expect([...counts.keys()]).toEqual(
    expect.arrayContaining([
      ...[
        '200',
        '204',
        '400 INVALID_JSON',
        '400 INVALID_REQUEST',
        '400 MALFORMED_REQUEST',
        '401 UNAUTHORIZED',
      ],
      ...[
        '403 FORBIDDEN',
        '404 NOT_FOUND',
        '404 LEASE_NOT_FOUND',
        '404 POOL_NOT_FOUND',
        '405 METHOD_NOT_ALLOWED',
      ],
      ...['413 BODY_TOO_LARGE', '415 UNSUPPORTED_MEDIA_TYPE', '422 TOO_MANY_LEASES'],
    ]),
  );
  const log = JSON.stringify(logLines);
  expect(log).not.toContain('a request has failed');
  expect(log).not.toContain(MARKER);
  expect(await handlesLeft()).toBe(0);
});
