// What people see first when they start a server at a terminal: where it is, what it keeps leases in, who may use it, and what
// to try next.
import { wrap } from '../text-width.js';
import type { Paint } from './pretty-log.js';

export interface BannerFacts {
  readonly version: string;
  readonly url: string;
  /** Without a password. */
  readonly store: string;
  /** A line each. */
  readonly pools: readonly string[];
  /** The names of the tokens. */
  readonly tokens: readonly string[];
  readonly isInsecure: boolean;
}

const LABEL = 8;
const INDENT = '  ';

function whoMay({ tokens, isInsecure }: BannerFacts): string {
  if (tokens.length > 0) return tokens.join(', ');
  return isInsecure
    ? 'none, and --insecure: every program that can connect may do everything'
    : 'none: every program on this machine may do everything';
}

/** The parts of a command, in one line where that fits, else one a line. */
function commandLines(parts: readonly string[], columns: number): string[] {
  const line = parts.join(' ');
  if (line.length <= columns) return [line];
  return parts.map((part, i) => `${i === 0 ? '' : INDENT}${part}${i < parts.length - 1 ? ' \\' : ''}`);
}

export function banner(facts: BannerFacts, columns: number, paint: Paint): string {
  const { url, version, store, pools, tokens } = facts;
  const row = (label: string, text: string) => {
    const [first = '', ...more] = wrap(text, columns - LABEL - INDENT.length);
    return [
      INDENT + paint('dim', label.padEnd(LABEL)) + first,
      ...more.map((line) => INDENT + ' '.repeat(LABEL) + line),
    ];
  };
  const example = (lines: readonly string[]) =>
    lines.map((line) => `${INDENT}${INDENT}${paint('cyan', line)}`);
  const curl = [
    'curl',
    ...(tokens.length > 0 ? [`-H "Authorization: Bearer $KAZAHANA_TOKEN"`] : []),
    `--json '{"count":3}'`,
    `${url}/ids`,
  ];
  const provider = tokens.length > 0 ? `'${url}', { token }` : `'${url}'`;
  const lines = [
    '',
    `${INDENT}${paint('bold', '風花 kazahana')} ${paint('dim', version)}`,
    '',
    ...row('page', paint('bold', url)),
    ...row('store', store),
    ...pools.flatMap((pool, i) => row(i === 0 ? 'pool' : '', pool)),
    ...row('tokens', whoMay(facts)),
    '',
    `${INDENT}${paint('dim', 'Three IDs, without a client:')}`,
    ...example(commandLines(curl, columns - 2 * INDENT.length)),
    `${INDENT}${paint('dim', 'In a program, as a provider:')}`,
    ...example([`new HttpLeaseProvider(${provider})`]),
    '',
    `${INDENT}${paint('dim', 'Ctrl-C ends it. Warnings come here:')}`,
    '',
  ];
  return `${lines.join('\n')}\n`;
}
