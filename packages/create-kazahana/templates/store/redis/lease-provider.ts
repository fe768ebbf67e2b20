// Leases in Redis, for all hosts that share it. Redis must not evict keys: maxmemory-policy noeviction.
import { RedisLeaseProvider } from '@kazahana/redis';
import { createClient } from '@redis/client';

const { REDIS_URL = 'redis://127.0.0.1:6379' } = process.env;
const redis = createClient({ url: REDIS_URL });
redis.on('error', (error) => console.error('Redis:', error.message));
await redis.connect();

export const provider = new RedisLeaseProvider(redis);

export async function closeProvider(): Promise<void> {
  await redis.close();
}
