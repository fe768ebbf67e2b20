// Runs scripts: by their name, and with their text when Redis has not seen them yet; and waits for replicas where what a
// script wrote is to survive a fail-over.
import type { RedisCommand, RedisConnection } from './connection.js';
import { ReplicasBehindError, toStoreError } from './errors.js';
import type { Script } from './scripts.js';

export interface WaitForReplicas {
  /** How many replicas must have what a response rests on. */
  readonly replicas: number;
  /** How long to wait for them. */
  readonly timeoutMs: number;
}

type Call = readonly [script: Script, keys: readonly string[], args: readonly string[]];
type Send<Result> = (key: string, command: RedisCommand) => Promise<Result>;
export type ScriptRunner = ReturnType<typeof scriptRunner>;

export function scriptRunner(connection: RedisConnection, wait: WaitForReplicas | undefined) {
  async function perform<Result>([{ sha, text }, keys, args]: Call, send: Send<Result>): Promise<Result> {
    const [key = ''] = keys;
    const rest = [String(keys.length), ...keys, ...args];
    try {
      return await send(key, ['EVALSHA', sha, ...rest]).catch((error: unknown) => {
        if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw error;
        return send(key, ['EVAL', text, ...rest]);
      });
    } catch (error) {
      throw toStoreError(error);
    }
  }

  /** Runs a script on the node that keeps its first key. */
  const run = (...call: Call): Promise<unknown> => perform(call, connection.send);

  /** Runs a script that writes, and waits until enough replicas have it, if that is wanted. */
  async function runAndWait(...call: Call): Promise<unknown> {
    if (!wait) return run(...call);
    const { replicas, timeoutMs } = wait;
    const command = ['WAIT', String(replicas), String(timeoutMs)];
    // On the same connection: WAIT speaks of the writes of its own.
    const pair: Send<readonly unknown[]> = (key, first) =>
      connection.sendPair(key, first, command, timeoutMs);
    const [response, acknowledged] = await perform(call, pair);
    if (response === null || Number(acknowledged) >= replicas) return response;
    throw new ReplicasBehindError(Number(acknowledged), replicas, timeoutMs);
  }

  return { run, runAndWait, waits: wait !== undefined };
}
