// Callers that wait for IDs, in the order of their calls (rule R6). Each waits on a timer of its own: in a worker, nothing
// of one request can wait for another.
import { type Environment, endSleep } from '../environment.js';
import { InvalidArgumentError } from '../errors.js';
import { checkOptions } from '../options.js';

export interface NextIdOptions {
  readonly signal?: AbortSignal;
}

const OPTION_NAMES = { signal: true } satisfies Record<keyof NextIdOptions, true>;

/** The signal of the options; refuses what cannot call a caller off. */
export function checkSignal(options: NextIdOptions = {}): AbortSignal | undefined {
  const { signal } = checkOptions('nextId', options, OPTION_NAMES);
  if (signal === undefined) return undefined;
  // Not by its class: a polyfill or another realm has its own.
  const { aborted, addEventListener, removeEventListener } = Object(signal) as Partial<AbortSignal>;
  const canListen = typeof addEventListener === 'function' && typeof removeEventListener === 'function';
  if (typeof aborted === 'boolean' && canListen) return signal;
  throw new InvalidArgumentError('signal', 'an AbortSignal', signal);
}

/** How many IDs a caller wants, those it has, and why it gets no more. */
export class Caller {
  readonly ids: bigint[] = [];
  failure: { readonly error: unknown } | undefined;
  /** Ends its sleep. */
  wake: (() => void) | undefined;

  constructor(readonly count: number) {}
}

export class Callers {
  readonly #environment: Environment;
  readonly #queue: Caller[] = [];
  readonly #sleeping = new Set<() => void>();

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  get length(): number {
    return this.#queue.length;
  }

  get first(): Caller | undefined {
    return this.#queue[0];
  }

  join(caller: Caller): void {
    this.#queue.push(caller);
  }

  /** A caller that is served or fails leaves; the one that is first then is woken, to look after itself. */
  leave(caller: Caller): void {
    const place = this.#queue.indexOf(caller);
    if (place === -1) return;
    this.#queue.splice(place, 1);
    caller.wake?.();
    if (place === 0) this.first?.wake?.();
  }

  failAll(error: unknown): void {
    for (const caller of this.#queue.splice(0)) caller.failure = { error };
    this.wakeAll();
  }

  wakeAll(): void {
    for (const wake of [...this.#sleeping]) wake();
  }

  /** Sleeps until the time has passed or something has changed. */
  async sleep(ms: number, caller?: Caller): Promise<void> {
    const ended = new AbortController();
    const wake = () => endSleep(ended);
    this.#sleeping.add(wake);
    if (caller) caller.wake = wake;
    try {
      await this.#environment.sleep(ms, { signal: ended.signal });
    } finally {
      this.#sleeping.delete(wake);
    }
  }
}
