// Runs scripts: by their name, and with their text when Redis has not seen them yet; and waits for replicas where the
// caller wants what the script wrote to survive a fail-over.
import type { RedisCommand, RedisConnection } from './connection.js';
import { ReplicasBehindError, toStoreError } from './errors.js';
import type { Script } from './script.js';
import { untilAborted } from './until-aborted.js';

export interface WaitForReplicas {
  /** How many replicas must have a grant before it is answered. */
  readonly replicas: number;
  /** How long to wait for them. */
  readonly timeoutMs: number;
}

/** A reply, and how many replicas had what led to it; undefined when nobody was asked. */
interface Acknowledged {
  readonly reply: unknown;
  readonly replicas: number | undefined;
}

export interface RunOptions {
  readonly signal?: AbortSignal | undefined;
}

export class ScriptRunner {
  readonly #connection: RedisConnection;
  readonly #wait: WaitForReplicas | undefined;

  constructor(connection: RedisConnection, wait: WaitForReplicas | undefined) {
    this.#connection = connection;
    this.#wait = wait;
  }

  /** Runs a script on the node that keeps its first key. */
  run(
    script: Script,
    keys: readonly string[],
    args: readonly string[] = [],
    options?: RunOptions,
  ): Promise<unknown> {
    const [key = ''] = keys;
    return this.#withText(script, keys, args, options, (command) =>
      this.#connection.send(key, command, options?.signal),
    );
  }

  /** Runs a script that writes, and asks the replicas, if that was wanted; what to do when they lag is the caller's. */
  async runAndAsk(
    script: Script,
    keys: readonly string[],
    args: readonly string[],
    options?: RunOptions,
  ): Promise<Acknowledged> {
    const wait = this.#wait;
    if (!wait) return { reply: await this.run(script, keys, args, options), replicas: undefined };
    const [key = ''] = keys;
    // On the same connection, or WAIT would speak of somebody else's writes.
    const [reply, replicas] = await this.#withText(script, keys, args, options, (command) =>
      this.#connection.sendPair(key, command, ['WAIT', String(wait.replicas), String(wait.timeoutMs)]),
    );
    return { reply, replicas: Number(replicas) };
  }

  /** The error for what too few replicas have; undefined when there are enough. */
  lag({ replicas }: Acknowledged): ReplicasBehindError | undefined {
    if (!this.#wait || replicas === undefined || replicas >= this.#wait.replicas) return undefined;
    return new ReplicasBehindError(replicas, this.#wait.replicas, this.#wait.timeoutMs);
  }

  async #withText<Reply>(
    script: Script,
    keys: readonly string[],
    args: readonly string[],
    { signal }: RunOptions = {},
    send: (command: RedisCommand) => Promise<Reply>,
  ): Promise<Reply> {
    signal?.throwIfAborted();
    const rest = [String(keys.length), ...keys, ...args];
    try {
      return await untilAborted(send(['EVALSHA', script.sha, ...rest]), signal);
    } catch (error) {
      if (!isUnknownScript(error)) throw signal?.aborted ? signal.reason : toStoreError(error);
    }
    try {
      return await untilAborted(send(['EVAL', script.text, ...rest]), signal);
    } catch (error) {
      throw signal?.aborted ? signal.reason : toStoreError(error);
    }
  }
}

function isUnknownScript(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('NOSCRIPT');
}
