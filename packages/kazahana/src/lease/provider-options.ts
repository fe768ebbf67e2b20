// The options that every provider on a store takes: known by name, and what belongs elsewhere is told so.
import type { Environment } from '../environment.js';
import { InvalidArgumentError, show } from '../errors.js';
import { checkOptions, type OptionNames } from '../options.js';
import { DEFAULT_SERVICE, type PoolsOptions, SERVICE_NAMES } from './config.js';
import type { PoolLoss } from './loss.js';

export interface LeaseEngineOptions extends PoolsOptions {
  readonly environment?: Environment;
  /** The same text on all servers of a store: with it they prove to clients what survives the loss of the store (R7). */
  readonly lossKey?: string;
  /** Whether a pool that is missing and was never seen by this process is created; `auto` when left out. */
  readonly createPools?: 'auto' | 'never';
  /** `trust`: grant on after a fail-over that may have lost grants, at the risk of equal IDs; `quarantine` when left out. */
  readonly afterFailOver?: 'quarantine' | 'trust';
  /**
   * The part of a pool's slots, more than 0 and at most 1, that a service may hold when it has a name and no `maxLeases`. With
   * it, `inspectPool` also tells how many each service holds. Left out: no such limit, and no counts.
   */
  readonly serviceShare?: number;
  /** Told of every loss that is noticed. */
  readonly onLoss?: (loss: PoolLoss) => void;
}

const ENGINE_NAMES = {
  services: true,
  pools: true,
  environment: true,
  lossKey: true,
  createPools: true,
  afterFailOver: true,
  serviceShare: true,
  onLoss: true,
} satisfies Record<keyof LeaseEngineOptions, true>;

/** The engine's options among those of a provider, if all names are known: the engine's, and the provider's `own`. */
export function checkProviderOptions<Options extends LeaseEngineOptions>(
  what: string,
  options: Options,
  own: readonly (keyof Options & string)[] = [],
): LeaseEngineOptions {
  const { serviceId } = Object(options) as { serviceId?: unknown };
  // A whole service in the place of the options, or a part of one.
  const cure = (name: string) => {
    if (!Object.hasOwn(SERVICE_NAMES, name)) return undefined;
    const parts = Object.keys(options).filter((key) => key !== 'serviceId' && key in SERVICE_NAMES);
    const service = typeof serviceId === 'string' ? show(serviceId) : DEFAULT_SERVICE;
    return `${name} belongs to a service: services: { ${service}: { ${parts.join(', ')} } }`;
  };
  const ownNames: OptionNames = Object.fromEntries(own.map((name) => [name, true]));
  const given = Object.entries(checkOptions(what, options, { ...ownNames, ...ENGINE_NAMES }, cure));
  return Object.fromEntries(given.filter(([name]) => Object.hasOwn(ENGINE_NAMES, name)));
}

/** Refuses what the engine would take for the default. */
export function checkEngineOptions(options: LeaseEngineOptions): void {
  const { lossKey, onLoss, createPools = 'auto', afterFailOver = 'quarantine', serviceShare = 1 } = options;
  if (typeof serviceShare !== 'number' || !(serviceShare > 0 && serviceShare <= 1)) {
    throw new InvalidArgumentError('serviceShare', 'a number above 0 and at most 1', serviceShare);
  }
  if (createPools !== 'auto' && createPools !== 'never') {
    throw new InvalidArgumentError('createPools', "'auto' or 'never'", createPools);
  }
  if (afterFailOver !== 'quarantine' && afterFailOver !== 'trust') {
    throw new InvalidArgumentError('afterFailOver', "'quarantine' or 'trust'", afterFailOver);
  }
  // It is a secret, so it is not shown.
  if (lossKey !== undefined && typeof lossKey !== 'string') {
    throw new InvalidArgumentError('lossKey', 'a string', `a value of type ${typeof lossKey}`);
  }
  if (onLoss !== undefined && typeof onLoss !== 'function') {
    throw new InvalidArgumentError('onLoss', 'a function', onLoss);
  }
}
