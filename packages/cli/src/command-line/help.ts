// What the help of every command has in common: options that mean the same everywhere, examples, environment, exit codes.
import { type Command, Option } from 'commander';
import type { Terminal } from '../terminal.js';

/** Runs a command: `finish` gets its exit code, or that of its failure, which is said in one line. */
export type Run = (name: string, work: (terminal: Terminal) => Promise<number>) => Promise<void>;

const EXIT_CODES = `Exit codes:
  0  fine
  1  some input is invalid, or the answer is no
  2  wrong usage
  3  the server or store cannot be reached
  4  the pool is exhausted`;

export interface Help {
  /** Each of them is run by a test, and its output compared. */
  readonly examples: readonly string[];
  /** Variables with what they are for. */
  readonly environment?: Readonly<Record<string, string>>;
}

export function withHelp(command: Command, { examples, environment = {} }: Help): Command {
  const variables = Object.entries(environment);
  const width = Math.max(0, ...variables.map(([name]) => name.length));
  return command.addHelpText(
    'after',
    [
      '',
      'Examples:',
      ...examples.map((example) => `  $ ${example}`),
      ...(variables.length > 0
        ? ['', 'Environment:', ...variables.map(([name, what]) => `  ${name.padEnd(width)}  ${what}`)]
        : []),
      '',
      EXIT_CODES,
    ].join('\n'),
  );
}

export const json = () => new Option('--json', 'one JSON object a line, 64-bit IDs as text');

export const withLayout = (command: Command) =>
  command
    .option('--epoch <epoch>', 'kazahana, twitter, discord, instagram, unix, or a time')
    .option('--bits <widths>', 'reserve,timestamp,machine,sequence (1,41,14,8)');

export const SECRET = { KAZAHANA_EXTERNAL_SECRET: 'the secret of public IDs' };

export const SOURCE = {
  KAZAHANA_URL: 'the lease server, unless --url or --store is given',
  KAZAHANA_TOKEN: 'its bearer token',
  KAZAHANA_STORE: 'for --store without a URL; the place for a password',
};
