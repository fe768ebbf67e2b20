// A limit for every round trip. A connection can die without a word (a dropped route, a machine that hangs), and the
// system then goes on sending for a quarter of an hour before it says so.
import { type Environment, StoreError } from 'kazahana/lease';
import type { RedisConnection } from './connection.js';

/** Longer than a Redis stands still for a fork or a slow disk; shorter than clients wait for a lease. */
const LIMIT_MS = 4000;

export function withTimeLimit(connection: RedisConnection, environment: Environment): RedisConnection {
  /** The keys of commands that ran out of time and have not ended. */
  const stuck = new Set<string>();

  const limited = <Result>(key: string, ms: number, send: () => Promise<Result>): Promise<Result> =>
    new Promise((resolve, reject) => {
      // Redis responds in order, so the earlier command blocks this one. Do not send it at all, since a
      // socket that is written to does not count as idle, and the client's own time limit would never end it.
      if (stuck.has(key)) throw unavailable('it has not responded to an earlier command yet');
      const timer = new AbortController();
      const end = () => {
        timer.abort('ended');
        stuck.delete(key);
      };
      send().finally(end).then(resolve, reject);
      void environment.sleep(ms, { signal: timer.signal, background: true }).then(() => {
        if (timer.signal.aborted) return;
        stuck.add(key);
        reject(unavailable(`it has not responded within ${ms} ms`));
        void connection.replace(key).catch(() => {});
      });
    });

  return {
    ...connection,
    send: (key, command) => limited(key, LIMIT_MS, () => connection.send(key, command)),
    sendPair: (key, first, second, waitMs = 0) =>
      limited(key, LIMIT_MS + waitMs, () => connection.sendPair(key, first, second)),
  };
}

const unavailable = (what: string) => new StoreError('STORE_UNAVAILABLE', `Redis does not respond: ${what}`);
