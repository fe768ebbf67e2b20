// A machine that runs the real client: with a clock of its own, and with pauses, crashes and restarts.
import { type Environment, KazahanaClient, type KazahanaClientConfig } from 'kazahana';
import type { LeaseProvider } from 'kazahana/lease';
import type { Clock } from './clock.ts';
import type { Endpoint } from './network.ts';
import { digest, type Oracle } from './oracle.ts';
import { Random, type World } from './world.ts';

/** One run of a process: what it started dies with it. */
class Process implements Endpoint {
  readonly name: string;
  isCutOff = false;
  #isDead = false;
  #isPaused = false;
  #held: (() => void)[] = [];

  constructor(name: string) {
    this.name = name;
  }

  get isRunning(): boolean {
    return !this.#isDead && !this.#isPaused;
  }

  get isDead(): boolean {
    return this.#isDead;
  }

  deliver(run: () => void): void {
    if (this.#isDead) return;
    if (this.#isPaused) this.#held.push(run);
    else run();
  }

  pause(): void {
    this.#isPaused = true;
  }

  resume(): void {
    this.#isPaused = false;
    for (const run of this.#held.splice(0)) this.deliver(run);
  }

  kill(): void {
    this.#isDead = true;
    this.#held = [];
  }
}

export class Node {
  readonly clock: Clock;
  readonly #world: World;
  readonly #oracle: Oracle;
  readonly #connect: (endpoint: Endpoint) => LeaseProvider;
  readonly #config: KazahanaClientConfig;
  readonly #name: string;
  #runs = 0;
  #isStopped = false;
  process: Process;
  client: KazahanaClient;

  constructor(
    name: string,
    world: World,
    clock: Clock,
    oracle: Oracle,
    connect: (endpoint: Endpoint) => LeaseProvider,
    config: KazahanaClientConfig,
  ) {
    this.#name = name;
    this.#world = world;
    this.clock = clock;
    this.#oracle = oracle;
    this.#connect = connect;
    this.#config = config;
    this.process = new Process('');
    this.client = this.#boot();
  }

  /** Starts the process anew, with nothing remembered. */
  restart(): void {
    this.process.kill();
    this.client = this.#boot();
  }

  /** Ends the process in order: it gives its leases back. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.client.shutdown();
  }

  /** Makes up to so many IDs at once, without waiting. */
  makeNow(count: number): number {
    if (!this.process.isRunning || this.#isStopped) return 0;
    const ids = new BigUint64Array(count);
    const made = this.client.fill(ids);
    this.#report(ids.subarray(0, made));
    return made;
  }

  /** Asks for a few IDs and waits for them as long as it takes. */
  makeLater(): void {
    if (!this.process.isRunning || this.#isStopped) return;
    const { process, client } = this;
    // One by one: IDs of a batch may be made before and after others, and would be reported together.
    for (let i = 0; i < 3; i++) {
      client.nextId().then(
        (id) => {
          if (!process.isDead) this.#report([id]);
        },
        () => undefined,
      );
    }
  }

  #report(ids: Iterable<bigint>): void {
    for (const id of ids) {
      this.#oracle.made(this.process.name, id);
      this.#world.mix(digest(id));
    }
  }

  #boot(): KazahanaClient {
    const process = new Process(`${this.#name}.${++this.#runs}`);
    process.isCutOff = this.process.isCutOff;
    this.#isStopped = false;
    this.process = process;
    const chance = new Random(this.#world.random.integer(0, 2 ** 31));
    const environment: Environment = {
      now: () => this.clock.now(),
      random: (bytes) => chance.fill(bytes),
      sleep: (ms, { signal } = {}) =>
        new Promise((resolve) => {
          if (signal?.aborted) {
            resolve();
            return;
          }
          const wake = () => process.deliver(resolve);
          const cancel = this.#world.after(Math.max(1, ms), () => {
            signal?.removeEventListener('abort', end);
            wake();
          });
          const end = () => {
            cancel();
            signal?.removeEventListener('abort', end);
            resolve();
          };
          signal?.addEventListener('abort', end);
        }),
    };
    return new KazahanaClient({ ...this.#config, environment, provider: this.#connect(process) });
  }
}
