// What the help of every command has in common: options that mean the same everywhere, examples, environment; and the page of
// exit codes, which `kazahana --help` shows.
import { type Command, Option } from 'commander';
import { styled, type Terminal } from '../terminal.js';

/** Runs a command: `finish` gets its exit code, or that of its failure, which is said in one line. */
export type Run = (name: string, work: (terminal: Terminal) => Promise<number>) => Promise<void>;

const EXIT_CODES = {
  0: 'fine',
  1: 'some input is invalid or not recognised, or the result is no',
  2: 'wrong usage',
  3: 'the server or store cannot be reached',
  4: 'the pool is exhausted',
} as const;

export interface Help {
  /** Each of them is run by a test, and its output compared. */
  readonly examples: readonly string[];
  /** Variables with what they are for. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** Headings, and what people type; commander takes the colours away where they are not wanted. */
export const STYLES = {
  title: (text: string) => styled('bold', text),
  typed: (text: string) => styled('cyan', text),
  quiet: (text: string) => styled('dim', text),
};

function table(rows: readonly (readonly [name: string, what: string])[]): string[] {
  const width = Math.max(0, ...rows.map(([name]) => name.length));
  return rows.map(([name, what]) => `  ${STYLES.typed(name.padEnd(width))}  ${what}`.trimEnd());
}

const section = (title: string, lines: readonly string[]) =>
  lines.length === 0 ? [] : ['', STYLES.title(title), ...lines];

function textAfter({ examples, environment = {} }: Help): string[] {
  return [
    ...section(
      'Examples:',
      examples.map((example) => `  ${STYLES.quiet('$')} ${example}`),
    ),
    ...section('Environment:', table(Object.entries(environment))),
  ];
}

export function withHelp(command: Command, help: Help): Command {
  const lines = textAfter(help);
  return command.addHelpText('after', () => [...lines, '', 'Exit codes: kazahana --help'].join('\n'));
}

/** For the program itself. */
export function withExitCodes(command: Command, help: Help): Command {
  const codes = table(Object.entries(EXIT_CODES));
  return command.addHelpText('after', () =>
    [...textAfter(help), ...section('Exit codes:', codes)].join('\n'),
  );
}

export const json = () => new Option('--json', 'one JSON object a line, 64-bit IDs as text');

export const withLayout = (command: Command) =>
  command
    .option('--epoch <epoch>', 'kazahana, twitter, discord, instagram, unix, or a time')
    .option('--bits <widths>', 'reserve,timestamp,machine,sequence (1,41,14,8)');

export const SECRET = { KAZAHANA_EXTERNAL_SECRET: 'the secret of external IDs' };

export const SOURCE = {
  KAZAHANA_URL: 'the lease server, unless --url or --store is given',
  KAZAHANA_TOKEN: 'its bearer token',
  KAZAHANA_STORE: 'for --store without a URL; the place for a password',
};

/** Where leases come from. */
export const withSource = (command: Command, whatUrlIs: string, whatStoreIs: string) =>
  command
    .option('--url <url>', whatUrlIs)
    .option('--store [url]', whatStoreIs)
    .option('--insecure', 'send the token over plain HTTP beyond this machine');

/** How external IDs are written. */
export const withExternalIds = (command: Command) =>
  command
    .option('--prefix <name>', 'external IDs with this prefix, user for user_…')
    .option('--secrets-file <file>', 'keys of external IDs that can be rotated, as JSON')
    .option('--ask-secret', 'ask for the secret of external IDs');
