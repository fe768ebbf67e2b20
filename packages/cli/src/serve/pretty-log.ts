// The log for people: one line an event, its time, its level in colour, what happened, and the fields. What others wrote is in
// the fields (holders, reasons, callers), and cannot steer the terminal.
import { type Style, styled } from '../terminal.js';
import { visible } from '../visible.js';

/** What pino writes into every line, and what stands elsewhere in ours. */
const OWN_FIELDS = ['level', 'time', 'pid', 'hostname', 'msg', 'err'];

const LEVELS: readonly { readonly from: number; readonly name: string; readonly style: Style }[] = [
  { from: 60, name: 'fatal', style: 'red' },
  { from: 50, name: 'error', style: 'red' },
  { from: 40, name: 'warn', style: 'yellow' },
  { from: 30, name: 'info', style: 'green' },
  { from: 20, name: 'debug', style: 'blue' },
  { from: 0, name: 'trace', style: 'dim' },
];

export type LogRecord = Readonly<Record<string, unknown>> & {
  readonly level: number;
  readonly time: number;
  readonly msg?: string;
};

export type Paint = (style: Style, text: string) => string;

const clock = (unixMs: number) => new Date(unixMs).toTimeString().slice(0, 8);

/** Times are Unix milliseconds in the log. */
const isTime = (name: string, value: unknown): value is number =>
  name === 'until' && typeof value === 'number';

function fieldText(name: string, value: unknown): string {
  if (isTime(name, value)) return `${name}=${new Date(value).toISOString()}`;
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return visible(`${name}=${/[\s"=]/.test(text) && typeof value === 'string' ? JSON.stringify(text) : text}`);
}

/** One line, without its end. */
export function prettyLine(record: LogRecord, paint: Paint): string {
  const { name, style } = LEVELS.find(({ from }) => record.level >= from) ?? { name: 'trace', style: 'dim' };
  const fields = Object.entries(record).filter(([field]) => !OWN_FIELDS.includes(field));
  const { reason, ...rest } = Object.fromEntries(fields);
  const message = visible(record.msg ?? '');
  const because = typeof reason === 'string' ? `: ${visible(reason)}` : '';
  return [
    paint('dim', clock(record.time)),
    paint(style, name.padEnd(5)),
    `${message}${because}`,
    ...Object.entries(rest).map(([field, value]) => paint('dim', fieldText(field, value))),
  ].join('  ');
}

/** What pino writes to, for people; the address is on the banner already. */
export function prettyDestination(isColored: boolean): { write(line: string): void } {
  const paint: Paint = (style, text) => (isColored ? styled(style, text) : text);
  return {
    write(line) {
      const record = JSON.parse(line) as LogRecord;
      if (record.msg !== 'listening') process.stdout.write(`${prettyLine(record, paint)}\n`);
    },
  };
}
