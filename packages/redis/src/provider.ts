// Leases in Redis: for fleets that have one.
import { checkProviderOptions, defaultEnvironment, LeaseEngine } from 'kazahana/lease';
import { type RedisClientLike, toConnection } from './connection.js';
import { RedisDriver } from './driver.js';
import { type RedisLeaseProviderOptions, resolveOptions } from './options.js';
import { scriptRunner } from './script-runner.js';
import { serverCheck } from './server-check.js';
import { withTimeLimit } from './time-limit.js';

const OWN_NAMES = ['prefix', 'waitReplicas', 'eviction', 'onWarning'] as const;

export class RedisLeaseProvider extends LeaseEngine {
  readonly #driver: RedisDriver;

  /** `redis` is a connected client, which stays its owner's to close. */
  constructor(redis: RedisClientLike, options: RedisLeaseProviderOptions = {}) {
    const engineOptions = checkProviderOptions('RedisLeaseProvider', options, OWN_NAMES);
    const { prefix, waitReplicas, eviction, onWarning } = resolveOptions(options);
    const { environment = defaultEnvironment } = engineOptions;
    const connection = withTimeLimit(toConnection(redis), environment);
    const scripts = scriptRunner(connection, waitReplicas);
    const check = serverCheck(scripts, connection, { eviction, onWarning });
    const driver = new RedisDriver(prefix, environment, scripts, check);
    super(driver, engineOptions);
    this.#driver = driver;
  }

  /** Resolves when Redis responds and may keep leases; every pool is checked before its first read in any case. */
  async ready(): Promise<void> {
    await Promise.all(this.configured.poolNames.map((name) => this.#driver.ready(name)));
  }
}
