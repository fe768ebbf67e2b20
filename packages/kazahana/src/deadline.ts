// Work that may take so long and no longer.
import { ENDED, type Environment, monotonic } from './environment.js';

/** A timer that fires so late shows that the process stood still. */
const LATE_MS = 50;
/** What came meanwhile has so long to get in: timers fire before sockets are read. */
const CATCH_UP_MS = 100;

export interface Deadline {
  readonly environment: Environment;
  readonly ms: number;
  /** What the work is ended with when its time is over. */
  readonly late: () => unknown;
  /** Ends the work before its time. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Ends when the work ends, when its time is over and what has arrived was read, or when the caller aborts: at the first of these.
 * In the last two cases the work's own signal is aborted, and work that does not look at it keeps no caller waiting. Keeps no
 * process alive.
 */
export async function within<Result>(
  { environment, ms, late, signal }: Deadline,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  signal?.throwIfAborted();
  const stop = new AbortController();
  const done = new AbortController();
  const follow = () => stop.abort(signal?.reason);
  signal?.addEventListener('abort', follow);
  void timeIsOver(environment, ms, done.signal).then(() => {
    if (!done.signal.aborted) stop.abort(late());
  });
  const stopped = new Promise<never>((_resolve, reject) => {
    stop.signal.addEventListener('abort', () => reject(stop.signal.reason));
  });
  try {
    return await Promise.race([work(stop.signal), stopped]);
  } finally {
    done.abort(ENDED);
    signal?.removeEventListener('abort', follow);
  }
}

async function timeIsOver(environment: Environment, ms: number, signal: AbortSignal): Promise<void> {
  const due = monotonic(environment) + ms;
  await environment.sleep(ms, { signal, background: true });
  if (signal.aborted || monotonic(environment) - due < LATE_MS) return;
  await environment.sleep(CATCH_UP_MS, { signal, background: true });
}
