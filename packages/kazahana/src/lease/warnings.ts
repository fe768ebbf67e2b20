// Where the warnings of a store or a client go: to the function that its user gives, or to where the platform shows warnings.
import { InvalidArgumentError } from '../errors.js';

export type OnWarning = (message: string) => void;

/** Node, Bun and Deno have `process.emitWarning`; elsewhere there is the console. */
function emitWarning(message: string): void {
  const { process } = globalThis as { process?: { emitWarning?(message: string, name: string): void } };
  if (process?.emitWarning) process.emitWarning(message, 'KazahanaWarning');
  else console.warn(message);
}

/** The option `onWarning`, checked; warnings go to where the platform shows them when it is left out. */
export function checkOnWarning<Listener extends (message: string, ...more: never[]) => void = OnWarning>(
  onWarning: Listener = emitWarning as Listener,
): Listener {
  if (typeof onWarning !== 'function') throw new InvalidArgumentError('onWarning', 'a function', onWarning);
  return onWarning;
}
