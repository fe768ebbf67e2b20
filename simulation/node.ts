// A machine that runs the real client: with a clock of its own, and with pauses, crashes and restarts.
import { type Environment, type IdLayout, KazahanaClient, type KazahanaClientConfig } from 'kazahana';
import type { LeaseProvider } from 'kazahana/lease';
import type { Clock } from './clock.ts';
import { type Run, toRuns } from './id-runs.ts';
import type { Call } from './making-order.ts';
import type { Endpoint } from './network.ts';
import type { Oracle } from './oracle.ts';
import type { Service } from './settings.ts';
import { Random, type World } from './world.ts';

/** One run of a process: what it started dies with it. */
class Process implements Endpoint {
  readonly name: string;
  readonly #machine: { readonly isCutOff: boolean };
  #isDead = false;
  #isPaused = false;
  #held: (() => void)[] = [];

  constructor(name: string, machine: { readonly isCutOff: boolean }) {
    this.name = name;
    this.#machine = machine;
  }

  get isCutOff(): boolean {
    return this.#machine.isCutOff;
  }

  get isRunning(): boolean {
    return !this.#isDead && !this.#isPaused;
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

/** How often a frozen machine's timers fire: its client would wait for the next millisecond once every millisecond. */
const FROZEN_TICK_MS = 250;

/** What nodes have in common. */
export interface Surroundings {
  readonly world: World;
  readonly oracle: Oracle;
  readonly layout: IdLayout;
  connect(endpoint: Endpoint): LeaseProvider;
}

interface CallResult {
  readonly process: string;
  readonly call: Call;
  readonly ids: readonly bigint[];
}

export class Node {
  readonly number: number;
  isCutOff = false;
  readonly clock: Clock;
  readonly service: Service;
  readonly #around: Surroundings;
  readonly #config: KazahanaClientConfig;
  /** To calls, in this instant. */
  #results: CallResult[] = [];
  #runs = 0;
  #isStopped = false;
  process: Process;
  client: KazahanaClient;

  constructor(
    number: number,
    around: Surroundings,
    clock: Clock,
    service: Service,
    config: KazahanaClientConfig,
  ) {
    this.number = number;
    this.#around = around;
    this.clock = clock;
    this.service = service;
    this.#config = config;
    this.process = new Process('', this);
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

  /** Makes up to so many IDs at once, without waiting. Not at the instant of a call: who was first could not be told. */
  makeNow(count: number): number {
    if (!this.process.isRunning || this.#isStopped) return 0;
    const ids = new BigUint64Array(count);
    const made = this.client.fill(ids);
    if (made > 0) this.#around.oracle.filled(this.process.name, this.#runsOf(ids.subarray(0, made)));
    return made;
  }

  /** Asks for IDs, by one call for each count, and waits for them as long as it takes. */
  makeLater(counts: readonly number[]): void {
    if (!this.process.isRunning || this.#isStopped) return;
    const { client } = this;
    const { oracle } = this.#around;
    const { name } = this.process;
    for (const count of counts) {
      const call = oracle.called(name);
      const ids = count === 1 ? client.nextId().then((id) => [id]) : client.nextIds(count);
      ids.then(
        (made) => this.#resolved(name, call, made),
        () => oracle.failed(name),
      );
    }
  }

  /** Promises take their time, some longer than others: in which order calls resolved is seen when all is quiet. */
  #resolved(process: string, call: Call, ids: readonly bigint[]): void {
    this.#results.push({ process, call, ids });
    if (this.#results.length > 1) return;
    this.#around.world.afterwards(() => {
      const results = this.#results.sort((a, b) => a.call.number - b.call.number);
      this.#results = [];
      for (const result of results) {
        this.#around.oracle.resolved(
          result.process,
          result.call,
          this.#runsOf(BigUint64Array.from(result.ids)),
        );
      }
    });
  }

  #runsOf(ids: BigUint64Array): Run[] {
    const runs = toRuns(ids, this.#around.layout);
    for (const { t, start, end } of runs) {
      for (const part of [t, start, end]) this.#around.world.mix(part);
    }
    return runs;
  }

  #boot(): KazahanaClient {
    const { world, connect } = this.#around;
    const process = new Process(`node${this.number}.${++this.#runs}`, this);
    this.#isStopped = false;
    this.process = process;
    const chance = new Random(world.random.integer(0, 2 ** 31));
    const environment: Environment = {
      now: () => this.clock.now(),
      monotonic: () => world.time,
      random: (bytes) => chance.fill(bytes),
      sleep: (ms, { signal } = {}) =>
        new Promise((resolve) => {
          if (signal?.aborted) {
            resolve();
            return;
          }
          const cancel = world.after(Math.max(this.clock.isFrozen ? FROZEN_TICK_MS : 1, ms), () => {
            signal?.removeEventListener('abort', end);
            process.deliver(resolve);
          });
          const end = () => {
            cancel();
            signal?.removeEventListener('abort', end);
            resolve();
          };
          signal?.addEventListener('abort', end);
        }),
    };
    const quietly = { onWarning: () => {} };
    return new KazahanaClient({ ...this.#config, ...quietly, environment, provider: connect(process) });
  }
}
