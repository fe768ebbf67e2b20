// Many at once on one pool: what they are granted, put together afterwards.
import type { AcquireOptions, AcquireResponse } from 'kazahana/lease';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectPostgres, postgresUrl, startPostgres } from '../../../tests/services/postgres.ts';
import type { Service } from '../../../tests/services/process.ts';
import { release } from '../../../tests/stores/calls.ts';
import { findOverlaps, type Granted, givenBack, grantedLease } from '../../../tests/stores/ledger.ts';
import { PostgresLeaseProvider, type PostgresLeaseProviderOptions } from './provider.js';
import type { PostgresPool } from './types.js';

const CONNECTIONS = 50;
let service: Service;
let pool: pg.Pool;
beforeAll(async () => {
  service = await startPostgres(['fsync=off', 'full_page_writes=off']);
  pool = connectPostgres(postgresUrl(service), { max: CONNECTIONS });
});
afterAll(async () => {
  await service.dispose();
  await pool.end();
});

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index);
const leaseDuration = 600_000;

/** As many processes: one of them has at most one transaction on a pool at a time. */
const manyOf = (options: PostgresLeaseProviderOptions) =>
  upTo(CONNECTIONS).map(() => new PostgresLeaseProvider(pool, options));
const oneOf = (providers: readonly PostgresLeaseProvider[]) => (i: number) =>
  providers[i % providers.length] as PostgresLeaseProvider;

/** Undefined where there is nothing to be had. */
async function tryAcquire(
  provider: PostgresLeaseProvider,
  options: AcquireOptions,
): Promise<AcquireResponse | undefined> {
  try {
    return await provider.acquire(options);
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'POOL_EXHAUSTED') throw error;
    return undefined;
  }
}

/** A pool that does something before it sends what contains a text. */
function whenSent(connections: pg.Pool, part: string, act: () => Promise<void>): PostgresPool {
  return {
    async connect() {
      const client = await connections.connect();
      return {
        async query(text) {
          if (text.includes(part)) await act();
          return client.query(text);
        },
        release: client.release.bind(client),
        on: client.on.bind(client),
        removeListener: client.removeListener.bind(client),
      };
    },
  };
}

describe(`${CONNECTIONS} connections`, () => {
  it('that acquire and release never hold a slot twice, and no two grants have one serial', async () => {
    const services = { default: { bitId: 7, bitSeq: 15, leaseDuration } };
    const providers = manyOf({ schema: 'loops', services });
    const granted: Granted[] = [];
    const serials: number[] = [];
    let refusals = 0;
    const loop = async (number: number) => {
      const provider = oneOf(providers)(number);
      for (let round = 0; round < 10; ) {
        const response = await tryAcquire(provider, {
          throughputPerMs: (1 + ((number + round) % 3)) * 2 ** 15,
        });
        if (!response) {
          refusals++;
          continue;
        }
        round++;
        serials.push(response.serial ?? 0);
        granted.push(...response.leases.map((lease) => givenBack(grantedLease(lease), lease.created)));
        await Promise.all(response.leases.map((lease) => release(provider, lease)));
      }
    };
    await Promise.all(upTo(CONNECTIONS).map(loop));
    console.log(`${serials.length} grants of ${granted.length} slots, ${refusals} refusals`);
    expect(serials).toHaveLength(10 * CONNECTIONS);
    expect(new Set(serials).size).toBe(serials.length);
    expect(findOverlaps(granted)).toEqual([]);
    expect((await providers[0]?.inspectPool())?.held).toBe(0);
  });

  it('fill a pool to its last slot, and each slot once', async () => {
    const services = { default: { bitId: 9, bitSeq: 13, leaseDuration } };
    const provider = oneOf(manyOf({ schema: 'fill', services }));
    const responses = await Promise.all(upTo(400).map((i) => tryAcquire(provider(i), {})));
    const ids = responses.flatMap((response) => response?.leases.map(({ id }) => id) ?? []);
    expect(ids.sort((a, b) => a - b)).toEqual(upTo(256));
  });

  it('do not exceed a quota, of a service or of an account', async () => {
    const services = { default: { leaseDuration }, few: { leaseDuration, maxLeases: 5 } };
    const provider = oneOf(manyOf({ schema: 'quotas', services }));
    const ofService = await Promise.all(upTo(40).map((i) => tryAcquire(provider(i), { serviceId: 'few' })));
    expect(ofService.filter((response) => response !== undefined)).toHaveLength(5);
    const account = { name: 'a', maxLeases: 7 };
    const ofAccount = await Promise.allSettled(
      upTo(40).map((i) => provider(i).acquire({ serviceId: `${i % 3}`, throughputPerMs: 512 }, { account })),
    );
    const leases = ofAccount.flatMap((outcome) =>
      outcome.status === 'fulfilled' ? outcome.value.leases : [],
    );
    expect(leases).toHaveLength(7);
  });

  it('meet no two leases while the layout changes under their hands', async () => {
    const services = { default: { bitId: 6, bitSeq: 16, leaseDuration: 40, fallbackGrace: 0 } };
    const provider = new PostgresLeaseProvider(pool, { schema: 'layouts', services });
    const others = oneOf(manyOf({ schema: 'layouts', services }));
    const granted: Granted[] = [];
    let grants = 0;
    let isOver = false;
    const loop = async (number: number) => {
      while (!isOver) {
        const response = await tryAcquire(others(number), {});
        if (response) grants++;
        // In units of the narrowest slot that any of the layouts has.
        for (const lease of response?.leases ?? []) {
          const units = 2 ** (lease.bitSeq - 15);
          granted.push(...upTo(units).map((i) => ({ ...grantedLease(lease), id: lease.id * units + i })));
        }
      }
    };
    const change = async () => {
      for (const bitId of [7, 5, 6, 4, 7, 6]) {
        const before = grants;
        while (grants < before + 5) await new Promise(setImmediate);
        await provider.changeLayout({ bitId, bitSeq: 22 - bitId });
      }
      isOver = true;
    };
    await Promise.all([...upTo(20).map(loop), change()]);
    expect(findOverlaps(granted)).toEqual([]);
  });

  it('wait while the layout changes, and are served by the new one', async () => {
    const options = { schema: 'waiting' };
    const reads: string[] = [];
    const watching = whenSent(pool, 'FOR UPDATE', async () => void reads.push('a read'));
    const providers = upTo(5).map(() => new PostgresLeaseProvider(watching, options));
    await Promise.all(providers.map((provider) => provider.acquire({})));
    let acquires: Promise<AcquireResponse[]> | undefined;
    // The operator has stopped the pool, and lists its leases: now all others come.
    const listing = whenSent(pool, 'AS listed', async () => {
      reads.length = 0;
      acquires = Promise.all(providers.map((provider) => provider.acquire({})));
      while (reads.length < 2 * providers.length) await new Promise(setImmediate);
    });
    await new PostgresLeaseProvider(listing, options).changeLayout({ bitId: 13, bitSeq: 9 });
    for (const { leases } of (await acquires) ?? []) expect(leases[0]?.bitSeq).toBe(9);
    expect(await acquires).toHaveLength(5);
  });

  it('all get the response of the one request that they repeat', async () => {
    const provider = oneOf(manyOf({ schema: 'requests' }));
    const responses = await Promise.all(upTo(30).map((i) => provider(i).acquire({ requestId: 'request 1' })));
    expect(new Set(responses.map(({ leases }) => JSON.stringify(leases))).size).toBe(1);
    expect((await provider(0).inspectPool()).held).toBe(1);
  });
});
