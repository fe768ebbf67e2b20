// The environments an Estelle ID can belong to: the number in its top two bits, and the name people use.
import { checkInteger } from '../errors.js';

/** 0 release, 1 stage, 2 dev. Two bits could hold a 3; no environment has it. */
export type EnvId = 0 | 1 | 2;
export type EnvName = 'release' | 'stage' | 'dev';

export const MAX_ENV_ID = 2;

const ENV_NAMES: readonly [EnvName, EnvName, EnvName] = ['release', 'stage', 'dev'];

/** Whether a value is a known environment. Never throws. */
export function isEnvId(value: unknown): value is EnvId {
  return value === 0 || value === 1 || value === 2;
}

function checkEnvId(value: unknown): asserts value is EnvId {
  checkInteger('envId', value, 0, MAX_ENV_ID);
}

/**
 * The name of an environment; any other number is an `OutOfRangeError`.
 *
 * ```ts
 * envName(2); // → 'dev'
 * ```
 */
export function envName(envId: number): EnvName {
  checkEnvId(envId);
  return ENV_NAMES[envId];
}
