// Where a store's warnings go: to the function that its user gives, or to where the platform shows warnings.
import { InvalidArgumentError } from '../errors.js';

export type OnWarning = (message: string) => void;

/** Node, Bun and Deno have `process.emitWarning`. */
function emitWarning(message: string): void {
  const { process } = globalThis as { process?: { emitWarning?(message: string, name: string): void } };
  process?.emitWarning?.(message, 'KazahanaWarning');
}

/** The option `onWarning` of a store, checked; warnings go to `process.emitWarning` when it is left out. */
export function checkOnWarning(onWarning: OnWarning = emitWarning): OnWarning {
  if (typeof onWarning !== 'function') throw new InvalidArgumentError('onWarning', 'a function', onWarning);
  return onWarning;
}
