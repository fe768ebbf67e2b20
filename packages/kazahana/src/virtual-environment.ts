// An environment whose time only its owner moves, and whose chance comes from a seed: the same test twice is the
// same run twice, and an hour passes at once.
import type { Environment, SleepOptions } from './environment.js';
import { checkInteger } from './errors.js';
import { checkOptions } from './options.js';

export interface VirtualEnvironmentOptions {
  /** The Unix time at which it starts; 2027 when left out, so that IDs of the default epoch can be made. */
  readonly at?: number;
  /** Two environments of one seed draw the same random bytes; 1 when left out. */
  readonly seed?: number;
}

export interface VirtualEnvironment extends Environment {
  monotonic(): number;
  /** Lets so much time pass, and wakes every sleeper at its moment: in order of time, then of going to sleep. */
  advance(ms: number): Promise<void>;
  /** Steps the clock, as an administrator or NTP does. Timers and `monotonic` do not follow it: no sleep changes its length. */
  set(unixMs: number): void;
  /** Runs what is ready to run, without any time passing. */
  settle(): Promise<void>;
  /** Advances from sleeper to sleeper until only background ones are left. */
  runUntilIdle(): Promise<void>;
  /** How many sleepers there are, background ones apart. */
  readonly pending: number;
}

interface Sleeper {
  readonly due: number;
  readonly background: boolean;
  readonly wake: () => void;
}

const DEFAULT_START = Date.parse('2027-01-01T00:00:00Z');
const MAX_TIME = 8_640_000_000_000_000;

const OPTION_NAMES = { at: true, seed: true } satisfies Record<keyof VirtualEnvironmentOptions, true>;

export function virtualEnvironment(options: VirtualEnvironmentOptions = {}): VirtualEnvironment {
  const { at = DEFAULT_START, seed = 1 } = checkOptions('virtualEnvironment', options, OPTION_NAMES);
  checkInteger('at', at, 0, MAX_TIME);
  checkInteger('seed', seed, 0, 2 ** 32 - 1);
  const nextWord = seededWords(seed);
  /** Time that has passed, which only grows; the clock is this plus what it was set to. */
  let elapsed = 0;
  let clockOffset = at;
  let moving = false;
  /** In the order in which they wake. */
  const sleepers: Sleeper[] = [];

  const isDue = (until: number) => (sleepers[0]?.due ?? Number.POSITIVE_INFINITY) <= until;
  const inForeground = () => sleepers.filter(({ background }) => !background);

  /** Wakes one sleeper at its time, and lets everything run that follows from it. */
  async function wakeFirst(): Promise<void> {
    const first = sleepers[0];
    if (!first) return;
    elapsed = first.due;
    first.wake();
    await nextTurn();
  }

  async function move(steps: () => Promise<void>): Promise<void> {
    if (moving) throw new Error('the time of this environment is being moved already; await that first');
    moving = true;
    try {
      await nextTurn();
      await steps();
    } finally {
      moving = false;
    }
  }

  return {
    now: () => clockOffset + elapsed,

    monotonic: () => elapsed,

    sleep(ms: number, { signal, background = false }: SleepOptions = {}) {
      return new Promise<void>((resolve) => {
        if (signal?.aborted) {
          resolve();
          return;
        }
        const wake = () => {
          sleepers.splice(sleepers.indexOf(sleeper), 1);
          signal?.removeEventListener('abort', wake);
          resolve();
        };
        // As in Node, no timer is shorter than a millisecond; so a loop of sleeps of 0 lets time pass, too.
        const sleeper = { due: elapsed + Math.max(1, Math.ceil(ms)), background, wake };
        sleepers.splice(sleepers.findLastIndex(({ due }) => due <= sleeper.due) + 1, 0, sleeper);
        signal?.addEventListener('abort', wake);
      });
    },

    random(bytes: Uint8Array) {
      for (let i = 0; i < bytes.length; i++) bytes[i] = nextWord();
      return bytes;
    },

    advance(ms: number) {
      checkInteger('ms', ms, 0, MAX_TIME);
      return move(async () => {
        const end = elapsed + ms;
        while (isDue(end)) await wakeFirst();
        elapsed = end;
      });
    },

    set(unixMs: number) {
      clockOffset = checkInteger('unixMs', unixMs, 0, MAX_TIME) - elapsed;
    },

    settle: () => move(async () => {}),

    runUntilIdle() {
      return move(async () => {
        // Who sleeps for ever is not waited for.
        while (inForeground().some(({ due }) => Number.isFinite(due))) await wakeFirst();
      });
    },

    get pending() {
      return inForeground().length;
    },
  };
}

// Taken at the start, so that fake timers of a test runner do not stop it.
const { setImmediate: immediately, scheduler } = globalThis as {
  setImmediate?: (work: () => void) => void;
  scheduler?: { wait?(ms: number): Promise<void> };
};

/**
 * A turn of the event loop. It ends when no microtask is left, however long a chain of promises is, which no number
 * of awaits can promise; and it takes no time, which a timer does.
 */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    if (immediately) {
      immediately(resolve);
      return;
    }
    if (scheduler?.wait) {
      // workerd, whose channels deliver while microtasks are left.
      scheduler.wait(0).then(resolve);
      return;
    }
    // Browsers. A channel for each turn: an open one would keep a worker alive.
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}

/** sfc32 by Chris Doty-Humphrey: small, fast, good enough for tests; started as its author says. */
function seededWords(seed: number): () => number {
  let [a, b, c, counter] = [0, seed, 0, 1];
  const next = () => {
    const word = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + word) | 0;
    return word;
  };
  for (let i = 0; i < 12; i++) next();
  return next;
}
