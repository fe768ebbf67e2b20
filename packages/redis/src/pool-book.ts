// The state of pools, as this provider knows it: read from Redis when it is not known or not true any more, created
// when it is missing, and changed only from the version that was read. The rules come from the library; Redis gives the
// time and makes sure that nobody's change is lost.
import {
  type ConfiguredPool,
  checkConfigured,
  createPool,
  type Environment,
  type PoolRecord,
  quarantine,
  randomHex,
  type SeenPool,
  StoreError,
} from 'kazahana/lease';
import { type PoolKeys, poolKeys } from './keys.js';
import { decodeState, encodeState, type PoolState } from './records.js';
import type { Script } from './script.js';
import type { RunOptions, ScriptRunner } from './script-runner.js';
import { CHANGE, CREATE, OPEN } from './scripts.js';

/** The serial of the pool is that of the moment when it was read. */
export interface KnownPool extends PoolState {
  readonly keys: PoolKeys;
  /** Of the state; another with every change of it. */
  readonly version: string;
}

/** A pool as it is at the store's time `now`. */
export interface OpenedPool extends KnownPool {
  readonly now: number;
}

export interface PoolBookOptions {
  readonly prefix: string;
  readonly environment: Environment;
  readonly configured: (name: string) => ConfiguredPool;
}

/** How a change is written. All such scripts take the pool and its slots; the version, the next one and the state. */
export interface ChangeScript {
  readonly script: Script;
  /** What else it takes. */
  readonly args: readonly string[];
}

const writeState = (_before: PoolRecord, { serial }: PoolRecord): ChangeScript => ({
  script: CHANGE,
  args: [String(serial)],
});

export interface ChangeOptions extends RunOptions {
  /** What a client has seen of the pool, should it have to be made. */
  readonly seen?: SeenPool | undefined;
  /** True to have leases counted from now on. */
  readonly isCounted?: boolean;
  readonly write?: (before: PoolRecord, after: PoolRecord) => ChangeScript;
}

type OpenReply = readonly [now: string, version: string, serial: string, state: string];
type MissingReply = readonly [now: string, kind: 'missing' | 'lost'];

export class PoolBook {
  readonly #scripts: ScriptRunner;
  readonly #options: PoolBookOptions;
  readonly #known = new Map<string, KnownPool>();

  constructor(scripts: ScriptRunner, options: PoolBookOptions) {
    this.#scripts = scripts;
    this.#options = options;
  }

  keys(name: string): PoolKeys {
    return this.#known.get(name)?.keys ?? poolKeys(this.#options.prefix, name);
  }

  /** What is known of a pool, if anything; scripts tell when it is out of date. */
  known(name: string): KnownPool | undefined {
    return this.#known.get(name);
  }

  /** A pool as it is now; made when it does not exist. */
  async open(name: string, seen?: SeenPool, options?: RunOptions): Promise<OpenedPool> {
    const configured = this.#options.configured(name);
    const keys = this.keys(name);
    for (;;) {
      const reply = (await this.#scripts.run(OPEN, [keys.pool, keys.slots], [], options)) as
        | OpenReply
        | MissingReply;
      const now = Number(reply[0]);
      if (reply.length === 4) {
        const [, version, serial, state] = reply;
        const decoded = decodeState(state, Number(serial));
        if (!decoded) {
          throw new StoreError(
            'STORE_INCOMPATIBLE',
            `pool ${name} was written by another version of @kazahana/redis`,
          );
        }
        checkConfigured(decoded.pool, configured);
        return { ...this.#learn(name, { keys, version, ...decoded }), now };
      }
      await this.#create(keys, configured, now, seen, reply[1] === 'lost', options);
    }
  }

  /** The pool is not what it was known to be. */
  forget(name: string): void {
    this.#known.delete(name);
  }

  /** Changes the state of a pool as the rules say; a pool that is given back as it was stays as it is. */
  async change(
    name: string,
    rule: (pool: PoolRecord, now: number) => PoolRecord,
    { seen, isCounted = false, write = writeState, ...options }: ChangeOptions = {},
  ): Promise<OpenedPool> {
    for (;;) {
      const opened = await this.open(name, seen, options);
      const state = { pool: rule(opened.pool, opened.now), isCounted: isCounted || opened.isCounted };
      if (state.pool === opened.pool && state.isCounted === opened.isCounted) return opened;
      const { keys, now } = opened;
      const version = this.#newVersion();
      const { script, args: more } = write(opened.pool, state.pool);
      const args = [opened.version, version, encodeState(state), ...more];
      const outcome = await this.#scripts.runAndAsk(script, [keys.pool, keys.slots], args, options);
      if (outcome.reply !== 'done') continue;
      const changed = this.#learn(name, { keys, version, ...state });
      const lag = this.#scripts.lag(outcome);
      if (lag) throw lag;
      return { ...changed, now };
    }
  }

  #learn(name: string, known: KnownPool): KnownPool {
    this.#known.set(name, known);
    return known;
  }

  async #create(
    keys: PoolKeys,
    configured: ConfiguredPool,
    now: number,
    seen: SeenPool | undefined,
    isLost: boolean,
    options: RunOptions | undefined,
  ): Promise<void> {
    const created = createPool(randomHex(this.#options.environment, 16), configured, now, seen);
    // Slots without their pool: somebody removed a key, and nobody can tell which leases are out.
    const pool = isLost ? quarantine(created, now, configured.maxWindow) : created;
    const args = [this.#newVersion(), encodeState({ pool, isCounted: false })];
    await this.#scripts.run(CREATE, [keys.pool, keys.slots], args, options);
  }

  #newVersion(): string {
    return randomHex(this.#options.environment, 16);
  }
}
