// The way between clients and servers: requests and responses are delayed, lost, delivered twice, overtaken by later
// ones; a client can be cut off. A process that is paused gets its messages when it goes on, a crashed one never.
import type { AcquireOptions, AcquireResponse, LeaseProvider, ReleaseOptions } from 'kazahana/lease';
import { misread, type Rule } from './rules-off.ts';
import type { World } from './world.ts';

export interface NetworkFaults {
  readonly meanDelayMs: number;
  readonly loss: number;
  readonly duplicate: number;
  /** How often a response is delivered in place of another one, which then is lost: an earlier one, or another client's. */
  readonly stale: number;
}

/** What the network needs to know of a process. */
export interface Endpoint {
  readonly name: string;
  readonly isCutOff: boolean;
  /** Runs something in the process: later when it is paused, never when it is dead. */
  deliver(run: () => void): void;
}

/** Who is told what crosses the network. */
export interface NetworkWatcher {
  /** A node requests leases; the request may never arrive. */
  requested(node: string, options: AcquireOptions): void;
  granted(node: string, response: AcquireResponse): void;
  /** A node sends a release; it may never arrive. */
  released(node: string, options: ReleaseOptions): void;
}

/** So many responses a confused proxy may mix up. */
const REMEMBERED_RESPONSES = 5;

export class Network {
  readonly #world: World;
  readonly #faults: NetworkFaults;
  readonly #servers: LeaseProvider;
  readonly #off: Rule | undefined;
  readonly #watcher: NetworkWatcher;
  /** The last ones, to any client. */
  readonly #responses: AcquireResponse[] = [];
  #copies = 0;

  constructor(
    world: World,
    faults: NetworkFaults,
    servers: LeaseProvider,
    off: Rule | undefined,
    watcher: NetworkWatcher,
  ) {
    this.#world = world;
    this.#faults = faults;
    this.#servers = servers;
    this.#off = off;
    this.#watcher = watcher;
  }

  /** The servers as one process sees them. */
  connect(endpoint: Endpoint): LeaseProvider {
    const old: AcquireResponse[] = [];
    return {
      acquire: (options: AcquireOptions) =>
        new Promise((resolve, reject) => {
          this.#watcher.requested(endpoint.name, options);
          const respond = (response: AcquireResponse) => {
            const { random } = this.#world;
            const others = random.chance(0.2) ? this.#responses : old;
            // A confused proxy.
            const isStale = others.length > 1 && random.chance(this.#faults.stale);
            const given = isStale ? random.pick(others) : response;
            for (const recent of [old, this.#responses]) {
              recent.push(response);
              if (recent.length > REMEMBERED_RESPONSES) recent.shift();
            }
            resolve(misread(given, this.#off, isStale ? ++this.#copies : 0));
          };
          this.#exchange(
            endpoint,
            async () => {
              const response = await this.#servers.acquire(options);
              this.#watcher.granted(endpoint.name, response);
              return response;
            },
            respond,
            reject,
          );
        }),
      release: (options: ReleaseOptions) => {
        this.#watcher.released(endpoint.name, options);
        return new Promise((resolve, reject) =>
          this.#exchange(endpoint, () => this.#servers.release(options), resolve, reject),
        );
      },
    };
  }

  #exchange<Response>(
    endpoint: Endpoint,
    call: () => Promise<Response>,
    resolve: (response: Response) => void,
    reject: (error: unknown) => void,
  ): void {
    const { random } = this.#world;
    const copies = random.chance(this.#faults.duplicate) ? 2 : 1;
    for (let copy = 0; copy < copies; copy++) {
      this.#carry(endpoint, () => {
        call().then(
          (response) => this.#carry(endpoint, () => endpoint.deliver(() => resolve(response))),
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
