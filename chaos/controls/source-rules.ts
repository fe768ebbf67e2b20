// A provider by the rules of the source document (its sections 6.2 and 7.2): the caller's clock decides which slots are free, and a
// release deletes what the slot remembers. The chaos must find it out.
import { randomBytes } from 'node:crypto';
import { createClient } from '@redis/client';
import { DEFAULT_ID_LAYOUT } from 'kazahana';
import {
  type AcquireOptions,
  type AcquireResponse,
  type LeaseProvider,
  PoolExhaustedError,
  signRelease,
} from 'kazahana/lease';

/** The script of the document, with its arguments by number. */
const ACQUIRE = `
  local maxId, now, expired, secret, count = tonumber(ARGV[1]), tonumber(ARGV[2]), ARGV[3], ARGV[4], tonumber(ARGV[5])
  local start = (tonumber(redis.call('GET', 'lease:last_assigned') or -1) + 1) % (maxId + 1)
  local results = {}
  for i = 0, maxId do
    local id = (start + i) % (maxId + 1)
    local held = redis.call('HGET', 'lease:' .. id, 'expired')
    if not held or tonumber(held) < now then
      redis.call('HSET', 'lease:' .. id, 'secret', secret .. '_' .. #results, 'expired', expired, 'createdAt', now)
      redis.call('SET', 'lease:last_assigned', id)
      table.insert(results, id)
      if #results >= count then break end
    end
  end
  return results`;

export interface SourceRules {
  readonly redis: string;
  readonly leaseDuration: number;
  readonly bitId: number;
  readonly bitSeq: number;
}

export async function sourceRules({ redis: url, leaseDuration, bitId, bitSeq }: SourceRules) {
  const redis = createClient({ url });
  redis.on('error', () => {});
  await redis.connect();
  const acquire = async ({ throughputPerMs = 1 }: AcquireOptions): Promise<AcquireResponse> => {
    const now = Date.now();
    const [secret, expired] = [randomBytes(16).toString('hex'), now + leaseDuration];
    const numbers = [2 ** (bitId - 1) - 1, now, expired, secret, Math.ceil(throughputPerMs / 2 ** bitSeq)];
    const ids = (await redis.eval(ACQUIRE, { arguments: numbers.map(String) })) as number[];
    if (ids.length === 0) throw new PoolExhaustedError('default', 1000);
    const layout = { ...DEFAULT_ID_LAYOUT, bitId, bitSeq };
    const lease = (id: number, at: number) => ({
      ...{ id, created: now, expired, secret: `${secret}_${at}`, ...layout },
    });
    return { leases: ids.map(lease) };
  };
  const provider: LeaseProvider = {
    acquire,
    async release({ id, timestamp, signature }) {
      const secret = await redis.hGet(`lease:${id}`, 'secret');
      if (typeof secret !== 'string') throw new Error('Lease not found');
      if (signature !== signRelease(secret, id, timestamp)) throw new Error('Invalid signature');
      await redis.del(`lease:${id}`);
    },
  };
  return { provider, close: async () => void redis.destroy() };
}
