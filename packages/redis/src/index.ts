// @kazahana/redis: leases in Redis, single, Sentinel or Cluster.
export type { RedisClientLike } from './connection.js';
export { EvictingRedisError, ReplicasBehindError } from './errors.js';
export type { RedisLeaseProviderOptions } from './options.js';
export { RedisLeaseProvider } from './provider.js';
export type { WaitForReplicas } from './script-runner.js';
