// A logger whose lines a test can read.
import { type Logger, pino } from 'pino';

export interface LogLine {
  readonly level: number;
  readonly msg: string;
  readonly [name: string]: unknown;
}

export function collectingLog(): { readonly log: Logger; readonly lines: LogLine[] } {
  const lines: LogLine[] = [];
  const log = pino({ level: 'debug' }, { write: (line) => lines.push(JSON.parse(line) as LogLine) });
  return { log, lines };
}
