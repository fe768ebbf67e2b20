export type { ClientReport } from '../lease/report.js';
export { AcquireTimeoutError } from './acquirer.js';
export type { NextIdOptions } from './caller-queue.js';
export { KazahanaClient } from './client.js';
export {
  DEFAULT_ACQUIRE_RETRY_INTERVAL,
  DEFAULT_ACQUIRE_RETRY_MAX_INTERVAL,
  DEFAULT_ACQUIRE_THRESHOLD,
  DEFAULT_ACQUIRE_TIMEOUT,
  DEFAULT_MAX_BACKWARD_MS,
  DEFAULT_MAX_THROUGHPUT_PER_MS,
  type KazahanaClientConfig,
} from './config.js';
export {
  BadAnswerError,
  ClientClosedError,
  ClientNotReadyError,
  ClockBackwardError,
  LeaseAcquisitionError,
  NextIdTimeoutError,
  NoProviderError,
} from './errors.js';
export type { ClientEvents, ClientStats } from './events.js';
