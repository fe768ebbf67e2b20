// Callers that wait for IDs: served in the order of their calls (rule R6), until they are served, called off or timed out.
import { ENDED } from '../environment.js';
import { InvalidArgumentError } from '../errors.js';
import { checkOptions } from '../options.js';
import type { ClientSettings } from './config.js';
import { NextIdTimeoutError } from './errors.js';

export interface NextIdOptions {
  readonly signal?: AbortSignal;
}

const OPTION_NAMES = { signal: true } satisfies Record<keyof NextIdOptions, true>;

/** Refuses options that cannot call a caller off. */
function checkNextIdOptions(options: NextIdOptions): NextIdOptions {
  const { signal } = checkOptions('nextId', options, OPTION_NAMES);
  if (signal === undefined) return options;
  // Not by its class: a polyfill or another realm has its own.
  const { aborted, addEventListener, removeEventListener } = Object(signal) as Partial<AbortSignal>;
  const canListen = typeof addEventListener === 'function' && typeof removeEventListener === 'function';
  if (typeof aborted === 'boolean' && canListen) return options;
  throw new InvalidArgumentError('signal', 'an AbortSignal', signal);
}

/** How many IDs a caller wants, and those it has. */
export interface Caller {
  readonly count: number;
  readonly ids: bigint[];
}

interface Waiter extends Caller {
  readonly resolve: (ids: bigint[]) => void;
  readonly reject: (error: unknown) => void;
}

export interface CallerQueueHooks {
  /** Makes IDs for the caller; undefined when it has all, else how long to wait; throws when waiting does not help. */
  serve(caller: Caller): number | undefined;
  /** Sleeps until the time has passed or something has changed. */
  pause(ms: number): Promise<void>;
  /** A caller has left: a pause should end, to look again. */
  changed(): void;
}

export class CallerQueue {
  readonly #settings: ClientSettings;
  readonly #hooks: CallerQueueHooks;
  readonly #waiters: Waiter[] = [];
  #isPumping = false;

  constructor(settings: ClientSettings, hooks: CallerQueueHooks) {
    this.#settings = settings;
    this.#hooks = hooks;
  }

  get length(): number {
    return this.#waiters.length;
  }

  enqueue(count: number, options: NextIdOptions = {}): Promise<bigint[]> {
    return new Promise((resolve, reject) => {
      const { signal } = checkNextIdOptions(options);
      if (signal?.aborted) {
        reject(signal.reason);
        return;
      }
      const done = new AbortController();
      const settle =
        <Value>(end: (value: Value) => void) =>
        (value: Value) => {
          done.abort(ENDED);
          signal?.removeEventListener('abort', abort);
          end(value);
        };
      const waiter: Waiter = { count, ids: [], resolve: settle(resolve), reject: settle(reject) };
      const leave = (error: unknown) => {
        const place = this.#waiters.indexOf(waiter);
        if (place === -1) return;
        this.#waiters.splice(place, 1);
        waiter.reject(error);
        this.#hooks.changed();
      };
      const abort = () => leave(signal?.reason);
      signal?.addEventListener('abort', abort);
      this.#waiters.push(waiter);
      const { nextIdTimeout, environment } = this.#settings;
      if (nextIdTimeout !== undefined) {
        void environment
          .sleep(nextIdTimeout, { signal: done.signal, background: true })
          .then(() => leave(new NextIdTimeoutError(nextIdTimeout)));
      }
      void this.#pump();
    });
  }

  rejectAll(error: unknown): void {
    for (const waiter of this.#waiters.splice(0)) waiter.reject(error);
  }

  /** Serves the callers in order until none is left. */
  async #pump(): Promise<void> {
    if (this.#isPumping) return;
    this.#isPumping = true;
    for (let head = this.#waiters[0]; head; head = this.#waiters[0]) {
      let wait: number | undefined;
      try {
        wait = this.#hooks.serve(head);
      } catch (error) {
        this.rejectAll(error);
        break;
      }
      if (wait === undefined) {
        if (this.#waiters[0] === head) this.#waiters.shift();
        head.resolve(head.ids);
      } else if (this.#waiters[0] === head) {
        // A listener may have ended this wait before it began.
        await this.#hooks.pause(wait);
      }
    }
    this.#isPumping = false;
  }
}
