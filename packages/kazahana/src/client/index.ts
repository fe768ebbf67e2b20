export type { ClientReport } from '../lease/report.js';
export type { NextIdOptions } from './callers.js';
export { KazahanaClient } from './client.js';
export {
  DEFAULT_ACQUIRE_RETRY_INTERVAL,
  DEFAULT_ACQUIRE_RETRY_MAX_INTERVAL,
  DEFAULT_ACQUIRE_THRESHOLD,
  DEFAULT_ACQUIRE_TIMEOUT,
  DEFAULT_MAX_BACKWARD_MS,
  DEFAULT_MAX_THROUGHPUT_PER_MS,
  DEFAULT_SHUTDOWN_TIMEOUT,
  type KazahanaClientConfig,
} from './config.js';
export * from './errors.js';
export type { ClientEvents, ClientStats } from './events.js';
export type { ClientWarning, OnClientWarning } from './warnings.js';
