// What a client tells about itself: typed events, and counts.
import { callListener } from '../call-listener.js';
import { InvalidArgumentError } from '../errors.js';
import type { ClientReport } from '../lease/report.js';
import { oneOf } from '../options.js';

export interface ClientEvents {
  /** Leases were installed: their machine IDs. */
  lease: { readonly machineIds: readonly number[]; readonly expired: number };
  /** Leases were given back, or given up. */
  release: { readonly machineId: number };
  releaseFailed: { readonly machineId: number; readonly error: unknown };
  acquireFailed: { readonly error: unknown; readonly failures: number };
  /** The first ID of this kind after IDs of another kind. */
  fallback: { readonly kind: 'fenced' | 'random' };
  /** The clock was found before the last ID. */
  clockBackward: { readonly backwardMs: number };
  /** The clock is off from the store's, and is corrected from now on. */
  clockCorrected: { readonly offsetMs: number };
}

const EVENT_NAMES = {
  lease: true,
  release: true,
  releaseFailed: true,
  acquireFailed: true,
  fallback: true,
  clockBackward: true,
  clockCorrected: true,
} satisfies Record<keyof ClientEvents, true>;

export interface ClientStats extends ClientReport {
  /** Leases in hand, those in their grace included. */
  readonly leases: number;
  /** IDs a millisecond that valid leases allow. */
  readonly throughputPerMs: number;
  readonly waiting: number;
  /**
   * The odds that a random ID of this client equals one of another client that made as many in the same milliseconds; 0
   * without random IDs.
   */
  readonly repeatOdds: number;
  readonly clockOffsetMs: number;
  readonly serviceId: string | undefined;
}

type Listener<Event> = (event: Event) => void;

export class Emitter {
  readonly #listeners = new Map<keyof ClientEvents, Set<Listener<never>>>();

  on<Name extends keyof ClientEvents>(name: Name, listener: Listener<ClientEvents[Name]>): () => void {
    if (!Object.hasOwn(EVENT_NAMES, name)) {
      throw new InvalidArgumentError(
        'an event of KazahanaClient',
        oneOf(Object.keys(EVENT_NAMES), name),
        name,
      );
    }
    if (typeof listener !== 'function') throw new InvalidArgumentError('listener', 'a function', listener);
    const listeners = this.#listeners.get(name) ?? new Set();
    this.#listeners.set(name, listeners);
    listeners.add(listener as Listener<never>);
    return () => listeners.delete(listener as Listener<never>);
  }

  emit<Name extends keyof ClientEvents>(name: Name, event: ClientEvents[Name]): void {
    // Those of this moment: a listener that listens anew is not called anew.
    for (const listener of [...(this.#listeners.get(name) ?? [])]) {
      callListener(listener as Listener<ClientEvents[Name]>, event);
    }
  }
}
