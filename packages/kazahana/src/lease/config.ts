// What services and pools are configured to be: defaults, checks, and which pool a service draws from.
import { checkInteger, InvalidArgumentError } from '../errors.js';
import { type IdLayout, LAYOUT_FIELDS, makeLayout, resolveIdLayout } from '../id/layout.js';
import { checkObject, checkOptions } from '../options.js';
import { PoolMismatchError } from './errors.js';
import type { PoolConfig, ServiceConfig, Share } from './types.js';

export const DEFAULT_LEASE_DURATION = 10 * 60 * 1000;
export const DEFAULT_SERVICE = 'default';
export const DEFAULT_POOL = 'default';
/** Longer windows would keep a crashed client's slot for longer than anyone wants. */
const MAX_DURATION = 30 * 24 * 60 * 60 * 1000;

/** More than any pool has slots. */
const MAX_LIMIT = 2 ** 30;

/** What every provider takes. */
export interface PoolsOptions {
  readonly services?: Readonly<Record<string, Partial<ServiceConfig>>>;
  readonly pools?: Readonly<Record<string, PoolConfig>>;
}

/** A service as the pool rules need it. */
export interface ResolvedService {
  readonly serviceId: string;
  /** False for a service that takes its settings from the default one. */
  readonly isConfigured: boolean;
  readonly pool: string;
  readonly leaseDuration: number;
  readonly fallbackGrace: number;
  /** Infinity when there is no limit. */
  readonly maxLeases: number;
  readonly maxLeasesPerRequest: number;
}

/** A pool as it is created when it does not exist yet. */
export interface ConfiguredPool {
  readonly layout: IdLayout;
  readonly share: Share;
  /** The parts that the configuration states; only these can contradict the store. */
  readonly stated: PoolConfig;
  /** The longest that a lease of this pool can last, fallback included. */
  readonly maxWindow: number;
}

export interface ResolvedPools {
  /** The names of all configured pools. */
  readonly poolNames: readonly string[];
  /** The configured services that draw from a pool. */
  servicesOf(pool: string): readonly string[];
  service(serviceId?: string): ResolvedService;
  pool(name: string): ConfiguredPool;
}

export const SERVICE_NAMES = {
  ...makeLayout(() => true as const),
  serviceId: true,
  leaseDuration: true,
  pool: true,
  fallbackGrace: true,
  maxLeases: true,
  maxLeasesPerRequest: true,
} satisfies Record<keyof ServiceConfig, true>;

function checkName(what: string, name: unknown): string {
  if (typeof name !== 'string' || name === '' || name.length > 200) {
    throw new InvalidArgumentError(what, 'a string of 1 to 200 characters', name);
  }
  return name;
}

function resolveLimit(what: string, limit: number | undefined): number {
  return limit === undefined ? Number.POSITIVE_INFINITY : checkInteger(what, limit, 1, MAX_LIMIT);
}

function resolveService(serviceId: string, config: Partial<ServiceConfig>): ResolvedService {
  checkOptions(`services.${serviceId}`, config, SERVICE_NAMES);
  if (config.serviceId !== undefined && config.serviceId !== serviceId) {
    throw new InvalidArgumentError(`services.${serviceId}.serviceId`, `"${serviceId}"`, config.serviceId);
  }
  const {
    leaseDuration = DEFAULT_LEASE_DURATION,
    fallbackGrace = leaseDuration,
    pool = DEFAULT_POOL,
  } = config;
  checkInteger(`services.${serviceId}.leaseDuration`, leaseDuration, 1, MAX_DURATION);
  checkInteger(`services.${serviceId}.fallbackGrace`, fallbackGrace, 0, MAX_DURATION);
  return {
    serviceId,
    isConfigured: true,
    pool: checkName(`services.${serviceId}.pool`, pool),
    leaseDuration,
    fallbackGrace,
    maxLeases: resolveLimit(`services.${serviceId}.maxLeases`, config.maxLeases),
    maxLeasesPerRequest: resolveLimit(
      `services.${serviceId}.maxLeasesPerRequest`,
      config.maxLeasesPerRequest,
    ),
  };
}

/** The parts of a layout that a configuration states. */
function statedLayout(config: PoolConfig): PoolConfig {
  const stated = LAYOUT_FIELDS.filter((name) => config[name] !== undefined).map((name) => [
    name,
    config[name],
  ]);
  return Object.fromEntries(stated) as PoolConfig;
}

export const WHOLE: Share = { index: 0, of: 1 };

/** A share of a pool's machine IDs: one of 1, 2, 4 … parts, each of a slot or more. */
function resolveShare(pool: string, share: unknown, { bitId }: IdLayout): Share {
  if (share === undefined) return WHOLE;
  const { index, of } = (share ?? {}) as Partial<Share>;
  if (typeof of !== 'number' || !Number.isInteger(Math.log2(of)) || of < 1 || of > 2 ** (bitId - 1)) {
    const allowed = `a power of two from 1 to ${2 ** (bitId - 1)}`;
    throw new InvalidArgumentError(`pools.${pool}.share.of`, allowed, of);
  }
  return { index: checkInteger(`pools.${pool}.share.index`, index, 0, of - 1), of };
}

/** Checks a whole configuration; services of one pool must agree on its layout. */
export function resolvePools({ services = {}, pools = {} }: PoolsOptions = {}): ResolvedPools {
  checkObject('services', services);
  checkObject('pools', pools);
  const configs: Record<string, Partial<ServiceConfig>> = { [DEFAULT_SERVICE]: {}, ...services };
  const resolved = new Map<string, ResolvedService>();
  const stated = new Map<string, Record<string, unknown>>();
  const state = (pool: string, layout: PoolConfig, origin: string) => {
    const known = stated.get(pool) ?? {};
    for (const [name, value] of Object.entries(layout)) {
      if (known[name] !== undefined && known[name] !== value) {
        throw new PoolMismatchError(`${name} (${origin})`, known[name], value);
      }
    }
    stated.set(pool, { ...known, ...layout });
  };
  for (const [name, layout] of Object.entries(pools))
    state(checkName('a pool', name), layout, `pools.${name}`);
  for (const [serviceId, config] of Object.entries(configs)) {
    const service = resolveService(checkName('a service', serviceId), config);
    resolved.set(serviceId, service);
    state(service.pool, statedLayout(config), `services.${serviceId}`);
  }
  const fallback = resolved.get(DEFAULT_SERVICE) as ResolvedService;
  const built = new Map<string, ConfiguredPool>();
  for (const [name, layout] of stated) {
    const windows = [...resolved.values()]
      .filter((service) => service.pool === name || service === fallback)
      .map(({ leaseDuration, fallbackGrace }) => leaseDuration + fallbackGrace);
    const { share, ...widths } = layout as PoolConfig;
    const resolvedLayout = resolveIdLayout(widths);
    built.set(name, {
      layout: resolvedLayout,
      share: resolveShare(name, share, resolvedLayout),
      stated: layout,
      maxWindow: Math.max(...windows),
    });
  }
  return {
    poolNames: [...built.keys()],
    servicesOf: (name) =>
      [...resolved.values()].filter(({ pool }) => pool === name).map(({ serviceId }) => serviceId),
    service(serviceId = DEFAULT_SERVICE) {
      checkName('serviceId', serviceId);
      return resolved.get(serviceId) ?? { ...fallback, serviceId, isConfigured: false };
    },
    pool(name) {
      const pool = built.get(name);
      if (!pool) throw new InvalidArgumentError('pool', `one of ${[...built.keys()].join(', ')}`, name);
      return pool;
    },
  };
}
