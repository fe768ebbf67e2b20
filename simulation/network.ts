// The way between clients and the store: requests and answers are delayed, lost, delivered twice, overtaken by later
// ones; a client can be cut off. A process that is paused gets its messages when it goes on, a crashed one never.
import type { AcquireOptions, AcquireResponse, LeaseProvider, ReleaseOptions } from 'kazahana/lease';
import { misread, type Rule } from './rules-off.ts';
import type { World } from './world.ts';

export interface NetworkFaults {
  readonly meanDelayMs: number;
  readonly loss: number;
  readonly duplicate: number;
  /** How often an answer is delivered in place of a later one. */
  readonly stale: number;
}

/** What the network needs to know of a process. */
export interface Endpoint {
  readonly name: string;
  isCutOff: boolean;
  /** Runs something in the process: later when it is paused, never when it is dead. */
  deliver(run: () => void): void;
}

/** Who is told what crosses the network. */
export interface NetworkWatcher {
  granted(node: string, answer: AcquireResponse): void;
  /** A node sends a release; it may never arrive. */
  givenUp(node: string, options: ReleaseOptions): void;
}

export class Network {
  readonly #world: World;
  readonly #faults: NetworkFaults;
  readonly #store: LeaseProvider;
  readonly #off: Rule | undefined;
  readonly #watcher: NetworkWatcher;
  #copies = 0;

  constructor(
    world: World,
    faults: NetworkFaults,
    store: LeaseProvider,
    off: Rule | undefined,
    watcher: NetworkWatcher,
  ) {
    this.#world = world;
    this.#faults = faults;
    this.#store = store;
    this.#off = off;
    this.#watcher = watcher;
  }

  /** The store as one process sees it. */
  connect(endpoint: Endpoint): LeaseProvider {
    const old: AcquireResponse[] = [];
    return {
      acquire: (options: AcquireOptions) =>
        new Promise((resolve, reject) => {
          const answered = (answer: AcquireResponse) => {
            old.push(answer);
            if (old.length > 5) old.shift();
            // A confused proxy: an earlier answer in place of this one, which then is lost.
            const isStale = old.length > 1 && this.#world.random.chance(this.#faults.stale);
            const given = isStale ? this.#world.random.pick(old) : answer;
            resolve(misread(given, this.#off, isStale ? ++this.#copies : 0));
          };
          this.#exchange(
            endpoint,
            async () => {
              const answer = await this.#store.acquire(options);
              this.#watcher.granted(endpoint.name, answer);
              return answer;
            },
            answered,
            reject,
          );
        }),
      release: (options: ReleaseOptions) => {
        this.#watcher.givenUp(endpoint.name, options);
        return new Promise((resolve, reject) =>
          this.#exchange(endpoint, () => this.#store.release(options), resolve, reject),
        );
      },
    };
  }

  #exchange<Answer>(
    endpoint: Endpoint,
    call: () => Promise<Answer>,
    resolve: (answer: Answer) => void,
    reject: (error: unknown) => void,
  ): void {
    const { random } = this.#world;
    const copies = random.chance(this.#faults.duplicate) ? 2 : 1;
    for (let copy = 0; copy < copies; copy++) {
      this.#carry(endpoint, () => {
        call().then(
          (answer) => this.#carry(endpoint, () => endpoint.deliver(() => resolve(answer))),
          (error: unknown) => this.#carry(endpoint, () => endpoint.deliver(() => reject(error))),
        );
      });
    }
  }

  /** One way of a message, if it gets through. */
  #carry(endpoint: Endpoint, arrive: () => void): void {
    const { random } = this.#world;
    if (endpoint.isCutOff || random.chance(this.#faults.loss)) return;
    // Most messages are quick, a few take for ever.
    const delay = random.chance(0.02)
      ? random.wait(this.#faults.meanDelayMs * 200)
      : random.wait(this.#faults.meanDelayMs);
    this.#world.after(delay, arrive);
  }
}
