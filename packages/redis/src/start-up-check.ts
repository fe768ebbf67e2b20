// What a Redis must be before leases are entrusted to it (rule R7): it must not throw keys away, and it should keep them
// on disk. Asked once for each pool, of the server that keeps it, before its first grant.
import { StoreError } from 'kazahana/lease';
import type { RedisConnection } from './connection.js';
import { EvictingRedisError } from './errors.js';
import type { ScriptRunner } from './script-runner.js';
import { INFO } from './scripts.js';
import { untilAborted } from './until-aborted.js';

export interface StartUpCheckOptions {
  readonly eviction: 'refuse' | 'warn';
  readonly onWarning: (message: string) => void;
}

const KEEPS_NOTHING =
  'Redis keeps nothing on disk (appendonly no, save ""): after a restart it has forgotten every lease, and clients that have seen the pool stop it until all of them have ended; set appendonly yes';
const CANNOT_TELL_SNAPSHOTS =
  'Redis has appendonly no, and does not say whether it takes snapshots (CONFIG GET save is not allowed): without them it forgets every lease when it restarts';
const CANNOT_TELL =
  'Redis does not say whether it may evict keys or keeps them on disk (INFO is not allowed): both are needed for leases, see to it that maxmemory-policy is noeviction and appendonly is yes';

export class StartUpCheck {
  readonly #scripts: ScriptRunner;
  readonly #connection: RedisConnection;
  readonly #options: StartUpCheckOptions;
  /** By key. */
  readonly #going = new Map<string, Promise<void>>();
  readonly #passed = new Set<string>();
  readonly #warned = new Set<string>();

  constructor(scripts: ScriptRunner, connection: RedisConnection, options: StartUpCheckOptions) {
    this.#scripts = scripts;
    this.#connection = connection;
    this.#options = options;
  }

  hasPassed(key: string): boolean {
    return this.#passed.has(key);
  }

  /** Resolves when the server of a key may keep leases; what failed is asked again the next time. */
  async pass(key: string, signal?: AbortSignal): Promise<void> {
    if (this.#passed.has(key)) return;
    const check = this.#going.get(key) ?? this.#begin(key);
    // Others may wait for the same check: it goes on when this caller gives up.
    await untilAborted(check, signal);
  }

  #begin(key: string): Promise<void> {
    const check = this.#check(key)
      .then(() => void this.#passed.add(key))
      .finally(() => this.#going.delete(key));
    this.#going.set(key, check);
    return check;
  }

  async #check(key: string): Promise<void> {
    const info = await this.#info(key);
    if (!info) {
      this.#warn(CANNOT_TELL);
      return;
    }
    const maxmemory = Number(info.get('maxmemory') ?? 0);
    const policy = info.get('maxmemory_policy') ?? 'noeviction';
    if (maxmemory > 0 && policy !== 'noeviction') {
      const error = new EvictingRedisError(policy, maxmemory);
      if (this.#options.eviction === 'refuse') throw error;
      this.#warn(error.message);
    }
    if (info.get('aof_enabled') === '1') return;
    const save = await this.#snapshots(key);
    if (save === undefined) this.#warn(CANNOT_TELL_SNAPSHOTS);
    else if (save === '') this.#warn(KEEPS_NOTHING);
  }

  /** What the server says of itself, asked in a script so that it is the server of that key; undefined if it may not. */
  async #info(key: string): Promise<Map<string, string> | undefined> {
    try {
      const text = String(await this.#scripts.run(INFO, [key]));
      const lines = [...text.matchAll(/^(\w+):(.*?)\r?$/gm)];
      return new Map(lines.map(([, name = '', value = '']) => [name, value]));
    } catch (error) {
      if (!isForbidden(error)) throw error;
      return undefined;
    }
  }

  /** When snapshots are taken; empty for never, undefined when the server does not say. */
  async #snapshots(key: string): Promise<string | undefined> {
    try {
      const [, reply] = await this.#connection.sendPair(key, ['EXISTS', key], ['CONFIG', 'GET', 'save']);
      return settingIn(reply);
    } catch {
      // Managed servers keep CONFIG to themselves, each with an error of its own.
      return undefined;
    }
  }

  #warn(message: string): void {
    if (this.#warned.has(message)) return;
    this.#warned.add(message);
    this.#options.onWarning(message);
  }
}

/** The value of a single setting; older protocols answer with a list, newer ones with a map. */
function settingIn(reply: unknown): string | undefined {
  if (Array.isArray(reply)) return reply.length === 2 ? String(reply[1]) : undefined;
  const values = reply instanceof Map ? [...reply.values()] : Object.values(reply ?? {});
  return values.length === 1 ? String(values[0]) : undefined;
}

function isForbidden(error: unknown): boolean {
  return error instanceof StoreError && error.code === 'STORE_REFUSED';
}
