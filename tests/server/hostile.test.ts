// Clients against a lease server that lies; `npm run fuzz -- client` is the long form.
import { expect, it } from 'vitest';
import { runHostileCampaign } from './hostile/campaign.ts';
import { LIES } from './hostile/lies.ts';

const SEED = 20_261_118;
/** Ends a campaign that hangs: one of 13 s takes more than a minute on a machine with other work. */
const TIMEOUT_MS = 240_000;
/** What a client reads of a response, and what lies in the buffers of both sides of a socket. */
const MOST_BYTES = 16 * 2 ** 20;

it(
  'a malicious server brings a client neither down nor to a halt, and gets no ID outside its leases',
  async () => {
    const { faults, lies, ids, mintedIds, mostTaken } = await runHostileCampaign(SEED, 500, 16);
    expect(faults).toEqual([]);
    expect([...lies.keys()]).toEqual(expect.arrayContaining(Object.keys(LIES)));
    expect(ids).toBeGreaterThan(0);
    expect(mintedIds).toBeGreaterThan(0);
    expect(mostTaken).toBeLessThan(MOST_BYTES);
  },
  TIMEOUT_MS,
);
