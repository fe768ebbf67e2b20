// Time and chance, as the client and the pool rules get them. A test or the simulator passes its own; nobody else
// reads a clock, sets a timer or draws a random number.
import { InvalidArgumentError } from './errors.js';
import { pooledRandom } from './random.js';

export interface SleepOptions {
  /** Ends the sleep early; the promise then resolves, since the sleeper asks for the reason itself. */
  readonly signal?: AbortSignal;
  /** A sleep that must not keep the process alive. */
  readonly background?: boolean;
}

export interface Environment {
  /** Unix time in whole milliseconds. */
  now(): number;
  /** Resolves after about so many milliseconds; read the clock again afterwards, timers may fire early. */
  sleep(ms: number, options?: SleepOptions): Promise<void>;
  /** Fills the array with random bytes and returns it. */
  random(bytes: Uint8Array): Uint8Array;
}

/** Timers of the platforms hold no more than 31 bits of milliseconds, and fire at once beyond that. */
const MAX_TIMER_MS = 2 ** 31 - 1;

export const defaultEnvironment: Environment = {
  now: () => Date.now(),

  sleep(ms, { signal, background = false } = {}) {
    return new Promise((resolve) => {
      if (signal?.aborted) {
        resolve();
        return;
      }
      const end = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', end);
        resolve();
      };
      const timer: ReturnType<typeof setTimeout> = setTimeout(end, Math.min(Math.max(0, ms), MAX_TIMER_MS));
      // Node and Bun give an object, Deno and browsers a number; a page has nothing to be kept alive.
      if (background) (timer as { unref?(): void }).unref?.();
      signal?.addEventListener('abort', end);
    });
  },

  random(bytes) {
    pooledRandom(bytes, bytes.length);
    return bytes;
  },
};

/** The option `environment`, checked; the platform's when it is left out. */
export function checkEnvironment(environment: Environment = defaultEnvironment): Environment {
  const { now, sleep, random } = Object(environment) as Partial<Environment>;
  if ([now, sleep, random].every((method) => typeof method === 'function')) return environment;
  throw new InvalidArgumentError('environment', 'an object with now, sleep and random', environment);
}

/** Why a sleep was ended: a reason that costs nothing, where a bare `abort()` makes an error with a stack. */
export const ENDED = 'ended';

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** So many random bytes as hexadecimal digits. */
export function randomHex(environment: Environment, bytes: number): string {
  let text = '';
  for (const byte of environment.random(new Uint8Array(bytes))) text += HEX[byte];
  return text;
}

/** A random number from 0, inclusively, to 1, exclusively. */
export function chance(environment: Pick<Environment, 'random'>): number {
  const bytes = environment.random(new Uint8Array(4));
  return new DataView(bytes.buffer, bytes.byteOffset).getUint32(0) / 2 ** 32;
}
