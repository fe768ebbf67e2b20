// Lines in the log for callers that are refused (401, 403): who called from where, and never the token. A caller that is refused
// again and again gets one line a minute, which counts the rest.
import type { Environment } from 'kazahana/lease';
import type { Logger } from 'pino';

const EVERY_MS = 60_000;

/** What the server knows of a caller that it refuses. */
interface RefusedCaller {
  /** The name of its token; undefined when it has no valid one. */
  readonly caller: string | undefined;
  readonly address: string | undefined;
  readonly code: string;
  readonly method: string;
  readonly route: string;
  readonly requestId: string;
}

export function logRefusedCallers(log: Logger, environment: Pick<Environment, 'now'>) {
  /** As many as there are tokens, and one for callers without: addresses are without end. */
  const lines = new Map<string | undefined, { readonly at: number; readonly since: number }>();
  return (refused: RefusedCaller): void => {
    const { caller } = refused;
    const now = environment.now();
    const line = lines.get(caller);
    // A clock that stepped back does not silence the log.
    if (line && Math.abs(now - line.at) < EVERY_MS) {
      lines.set(caller, { ...line, since: line.since + 1 });
      return;
    }
    lines.set(caller, { at: now, since: 0 });
    log.warn({ ...refused, refusedSinceLastLine: line?.since ?? 0 }, 'a caller is refused');
  };
}
