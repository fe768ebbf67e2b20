// The keys of a pool. They share one hash tag, so that a Cluster keeps them on one node and one script may touch them
// all; and every script is told the keys that it touches, so that a Cluster lets it.
import { InvalidArgumentError } from 'kazahana/lease';

export interface PoolKeys {
  /**
   * Hash, all in one so that a script reads and writes it with one call:
   * - `version`, `state`: the pool, but for its `serial`; `used`: how many of its slots were ever used;
   * - `<slot>`: the grant of that slot alone, or the name of the one that it was a part of; `<bitSeq>:<slot>` for
   *   leases of former layouts;
   * - `@<serial>`: a grant of several slots;
   * - `"<request>"`: where its answer is kept.
   */
  readonly pool: string;
  /** Sorted set: every slot that was ever used, by the time from which it is free (rule R2). */
  readonly slots: string;
  /** Sorted set: the leases that count for a quota, by their end. */
  held(of: 'service' | 'account', name: string): string;
}

/** A brace would begin or end the hash tag too early; a percent sign is how braces are written. */
const RESERVED = /[{}%]/g;
const escaped = (found: string) => `%${found.charCodeAt(0).toString(16)}`;

/** Text that UTF-8 can carry without loss, on one line: what is between the quotes of its JSON. */
const plain = (name: string) => JSON.stringify(name).slice(1, -1);

export function checkPrefix(prefix: unknown): string {
  if (typeof prefix === 'string' && /^[^{}\s]{1,100}$/.test(prefix)) return prefix;
  throw new InvalidArgumentError('prefix', '1 to 100 characters without braces and spaces', prefix);
}

export function poolKeys(prefix: string, pool: string): PoolKeys {
  const tag = `{${prefix}:${plain(pool).replace(RESERVED, escaped)}}`;
  return {
    pool: `${tag}:pool`,
    slots: `${tag}:slots`,
    held: (of, name) => `${tag}:held:${of}:${plain(name)}`,
  };
}
