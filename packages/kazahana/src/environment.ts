// Time and chance, as the client and the pool rules get them. A test or the simulator passes its own; no other
// code reads a clock, sets a timer or draws a random number.
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
  /**
   * Milliseconds that have passed since some moment. No step of the clock changes them, so a wait is told from a step.
   * When left out, `now` stands in for it.
   */
  monotonic?(): number;
}

/** Timers of the platforms hold no more than 31 bits of milliseconds, and fire at once beyond that. */
const MAX_TIMER_MS = 2 ** 31 - 1;

// Taken at the start: fake timers of a test runner replace the platform's own later.
const platformTimeout = globalThis.setTimeout;
const { setImmediate: immediately } = globalThis as { setImmediate?: (work: () => void) => void };

/** Shorter waits are for the clock to tick. Longer ones wait for what a test may send in its own time. */
const TICK_MS = 100;
/** How long faked timers may stand still, by the platform's own, while a caller waits for a tick. */
const FAKED_MS = 1000;

/** A caller waits for the clock to tick, and a test has faked the timers and does not move them. */
export class TimersFakedError extends Error {
  override readonly name = 'TimersFakedError';
  readonly code = 'TIMERS_FAKED';

  constructor(readonly waitMs: number) {
    super(
      `a wait of ${waitMs} ms for the clock does not end: the timers are faked and have not moved for ${FAKED_MS} ms. ` +
        'Move them while the call waits, or give the client an environment of its own (virtualEnvironment() of kazahana/testing).',
    );
  }
}

export const defaultEnvironment: Environment = {
  now: () => Date.now(),

  monotonic: () => performance.now(),

  sleep(ms, { signal, background = false } = {}) {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) {
        resolve();
        return;
      }
      const end = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', end);
        resolve();
      };
      let timer: ReturnType<typeof setTimeout> | undefined;
      signal?.addEventListener('abort', end);
      if (ms <= 0 && immediately) {
        // A turn of the event loop: sockets are read in it.
        immediately(end);
        return;
      }
      timer = setTimeout(end, Math.min(Math.max(0, ms), MAX_TIMER_MS));
      // Node and Bun give an object, Deno and browsers a number; a page has nothing to be kept alive.
      if (background) (timer as { unref?(): void }).unref?.();
      if (background || ms > TICK_MS || setTimeout === platformTimeout) return;
      const started = Date.now();
      platformTimeout(() => started === Date.now() && reject(new TimersFakedError(ms)), FAKED_MS);
    });
  },

  random(bytes) {
    pooledRandom(bytes, bytes.length);
    return bytes;
  },
};

/** The option `environment`, checked; the platform's when it is left out. */
export function checkEnvironment(environment: Environment = defaultEnvironment): Environment {
  const { now, sleep, random, monotonic = now } = Object(environment) as Partial<Environment>;
  if ([now, sleep, random, monotonic].every((method) => typeof method === 'function')) return environment;
  throw new InvalidArgumentError('environment', 'an object with now, sleep and random', environment);
}

/** Milliseconds that have passed since some moment: for the length of a wait, which a step of the clock must not change. */
export function monotonic(environment: Environment): number {
  return environment.monotonic?.() ?? environment.now();
}

/** Why a sleep was ended: a reason that costs nothing, where a bare `abort()` makes an error with a stack. */
export const ENDED = 'ended';

/** Ends sleeps of this signal. In a worker, a request cannot end the sleep of another one; that one ends by its time. */
export function endSleep(controller: AbortController | undefined): void {
  try {
    controller?.abort(ENDED);
  } catch {
    // Only workerd throws here.
  }
}

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
