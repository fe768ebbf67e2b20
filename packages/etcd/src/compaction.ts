// etcd keeps every value that a key ever had until it compacts. One that never does grows until it is full and refuses
// all writes. No request tells whether etcd compacts by itself. But a read of a revision that is a day old does.
import { RevisionError } from './errors.js';
import type { Gateway } from './gateway.js';
import { read } from './kv.js';

const LOOK_EVERY_MS = 60 * 60 * 1000;
/** Retention is commonly an hour, or a few. */
const OLD_MS = 24 * 60 * 60 * 1000;
/** Fewer changes than this fill nothing. */
const MANY_REVISIONS = 1000;

/** A revision, and when it was made, or seen. */
export interface Moment {
  readonly at: number;
  readonly revision: number;
}

export class CompactionWatch {
  readonly #gateway: Gateway;
  readonly #warn: (message: string) => void;
  #moments: Moment[] = [];
  #lastLook = Number.NEGATIVE_INFINITY;
  #hasWarned = false;
  #looking: Promise<void> | undefined;

  constructor(gateway: Gateway, warn: (message: string) => void) {
    this.#gateway = gateway;
    this.#warn = warn;
  }

  /** Looks now and then, in the background: `born` is when `key` was created. */
  look(key: string, born: Moment, seen: Moment): void {
    if (this.#hasWarned || Math.abs(seen.at - this.#lastLook) < LOOK_EVERY_MS) return;
    this.#lastLook = seen.at;
    this.#moments.push(seen);
    const old = [born, ...this.#moments].findLast(({ at }) => at <= seen.at - OLD_MS);
    if (!old || seen.revision - old.revision < MANY_REVISIONS) return;
    // Those before are not needed any more.
    this.#moments = this.#moments.filter(({ at }) => at >= old.at);
    this.#looking = this.#ask(key, old, seen);
  }

  /** Until nothing is under way. */
  async settled(): Promise<void> {
    await this.#looking;
  }

  async #ask(key: string, { revision, at }: Moment, now: Moment): Promise<void> {
    try {
      await read(this.#gateway, key, { keysOnly: true }, revision);
    } catch (error) {
      // It does compact; or it does not respond, which other requests report.
      if (!(error instanceof RevisionError)) this.#lastLook = Number.NEGATIVE_INFINITY;
      return;
    }
    this.#hasWarned = true;
    const hours = Math.floor((now.at - at) / (60 * 60 * 1000));
    this.#warn(
      `etcd has kept all ${now.revision - revision} revisions of the last ${hours} hours and will fill up: ` +
        'start it with --auto-compaction-retention=1h, and defragment it now and then',
    );
  }
}
