// How a pool comes into a store: created for the first time, or in the place of one that was lost (rule R7).
import { type Environment, randomHex } from '../environment.js';
import type { ConfiguredPool } from './config.js';
import type { Changes, Facts, Wanted } from './driver.js';
import { encodePool } from './records.js';
import { newPool, type PoolRecord, quarantine } from './rules.js';
import type { SeenPool } from './types.js';

/** Enough that two generations of a pool never have one name. */
const GENERATION_BYTES = 6;

export function drawGeneration(environment: Environment): string {
  return randomHex(environment, GENERATION_BYTES);
}

/** A pool like the configured one, or like one that was lost. */
export function freshPool(
  environment: Environment,
  like: Pick<ConfiguredPool, 'layout' | 'share' | 'maxWindow'>,
  { incarnation = null }: { readonly incarnation?: PoolRecord['incarnation'] },
): PoolRecord {
  const id = randomHex(environment, 16);
  return { ...newPool(id, drawGeneration(environment), like), incarnation };
}

/** A pool in the place of one that this process or its callers have seen: it begins in quarantine. */
export function replacingPool(
  environment: Environment,
  {
    configured,
    lost,
    seen,
  }: { configured: ConfiguredPool; lost: PoolRecord | undefined; seen: readonly SeenPool[] },
  facts: Facts,
): PoolRecord {
  const fresh = freshPool(environment, { ...configured, ...lost }, facts);
  return seen.reduce((pool, one) => quarantine(pool, facts.now, configured.maxWindow, one), fresh);
}

/** Of the pool, its record alone. */
export const NOTHING_WANTED: Wanted = { slots: [], requests: [], quotas: [] };

export const noChanges = ({ pool }: Pick<Facts, 'pool'>): Changes => ({
  ...{ poolVersion: pool?.version ?? null, grants: 0, serialAtLeast: 0 },
  ...{ slots: [], responses: [], forget: [], quotas: [] },
});

/** The changes that make a pool. */
export function creation(pool: PoolRecord): Changes {
  return { ...noChanges({ pool: null }), pool: encodePool(pool) };
}
