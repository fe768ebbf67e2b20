// The ways to get IDs that a program has, each as a source of batches. What a call has made counts even when the next one
// fails.
import type { KazahanaClient, MintingClient } from 'kazahana';

export const WAYS = ['nextId', 'nextIds', 'nextIdSync', 'fill'] as const;
export type Way = (typeof WAYS)[number];

export interface Batch {
  readonly ids: readonly bigint[] | BigUint64Array<ArrayBuffer>;
  /** Why there are fewer than wanted. */
  readonly error?: unknown;
}

type Take = (count: number) => Promise<Batch>;

const settled = (results: readonly PromiseSettledResult<bigint>[]): Batch => {
  const failed = results.find((result) => result.status === 'rejected');
  const ids = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  return failed ? { ids, error: failed.reason } : { ids };
};

const TAKERS: Readonly<Record<Way, (client: KazahanaClient) => Take>> = {
  // Many callers at once: the client serves them in their order.
  nextId: (client) => async (count) =>
    settled(await Promise.allSettled(Array.from({ length: count }, () => client.nextId()))),
  nextIds: (client) => async (count) => ({ ids: await client.nextIds(count) }),
  nextIdSync: (client) => async (count) => {
    const ids: bigint[] = [];
    try {
      while (ids.length < count) ids.push(client.nextIdSync());
      return { ids };
    } catch (error) {
      // Alone, it does not wait for a lease.
      await client.ready().catch(() => {});
      return { ids, error };
    }
  },
  fill: (client) => async (count) => {
    const target = new BigUint64Array(count);
    const filled = client.fill(target);
    if (filled > 0) return { ids: target.subarray(0, filled) };
    await client.ready();
    return { ids: [] };
  },
};

export const takerOf = (client: KazahanaClient, way: Way): Take => TAKERS[way](client);

/** One by one from batches fetched ahead, or a batch of its own. */
export function mintingTaker(client: MintingClient): Take {
  let turn = 0;
  return async (count) => {
    if (turn++ % 2 === 0) return { ids: await client.nextIds(count) };
    const ids: bigint[] = [];
    try {
      while (ids.length < count) ids.push(await client.nextId());
      return { ids };
    } catch (error) {
      return { ids, error };
    }
  };
}
