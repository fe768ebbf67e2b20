// The whole command line. Each command loads what only it needs when it runs.
import { Argument, Command, Option } from 'commander';
import { json, type Run, withHelp } from './command-line/help.js';
import { addNext, addUuid } from './command-line/make.js';
import { addPool, addServe, addWhois } from './command-line/operate.js';
import { addEstelle, addExternal, addInspect, addValidate, addVerify } from './command-line/read.js';
import { type ColorChoice, EXIT, Terminal } from './terminal.js';
import { readVersion } from './version.js';

const COMMANDS = {
  uuid: addUuid,
  next: addNext,
  inspect: addInspect,
  validate: addValidate,
  external: addExternal,
  estelle: addEstelle,
  verify: addVerify,
  pool: addPool,
  whois: addWhois,
  serve: addServe,
  bench: addBench,
  completion: addCompletion,
} as const;
type Name = keyof typeof COMMANDS;

/** Add only the command that the line begins with: half the work. Help and completion need them all. */
function namesToAdd([first]: readonly string[]): Name[] {
  const names = Object.keys(COMMANDS) as Name[];
  const name = names.find((candidate) => candidate === first);
  return name === undefined || name === 'completion' ? names : [name];
}

/** For a line of these words; `finish` gets the exit code. */
export function createProgram(finish: (code: number) => void, words: readonly string[] = []): Command {
  const program = new Command('kazahana')
    .description('Make, read and check IDs, and run the lease server.')
    .version(readVersion(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .addOption(new Option('--color <when>', 'colours').choices(['auto', 'always', 'never']).default('auto'))
    .showSuggestionAfterError()
    .configureHelp({ showGlobalOptions: true, sortSubcommands: false })
    .configureOutput({ outputError: (text, write) => write(text.replace(/^error: /, 'kazahana: ')) });

  const run: Run = async (name, work) => {
    const terminal = new Terminal(program.opts<{ color: ColorChoice }>().color);
    try {
      finish(await work(terminal));
    } catch (error) {
      const [{ exitCodeOf, messageOf }, { visible }] = await Promise.all([
        import('./failures.js'),
        import('./text-width.js'),
      ]);
      terminal.say(`kazahana ${name}: ${visible(messageOf(error))}`);
      finish(exitCodeOf(error));
    }
  };

  for (const name of namesToAdd(words)) COMMANDS[name](program, run);
  const forAll = (command: Command): void => {
    // commander's own code for its complaints is 1, which here is for invalid input.
    command.exitOverride((error) => {
      process.exit(error.exitCode === 0 ? EXIT.fine : EXIT.usage);
    });
    command.commands.forEach(forAll);
  };
  forAll(program);
  return withHelp(program, {
    examples: ['kazahana uuid', 'kazahana inspect 01941f29-7c00-7aaa-aaaa-aaaaaaaaaaaa', 'kazahana serve'],
    environment: { NO_COLOR: 'no colours, unless --color always' },
  });
}

function addBench(program: Command, run: Run): void {
  withHelp(
    program
      .command('bench')
      .description('Measure how fast IDs are made here')
      .addOption(json())
      .action((flags) =>
        run('bench', async (terminal) => (await import('./commands/bench.js')).bench(flags, terminal)),
      ),
    { examples: ['kazahana bench'] },
  );
}

function addCompletion(program: Command, run: Run): void {
  withHelp(
    program
      .command('completion')
      .description('Print a completion script for a shell')
      .addArgument(new Argument('<shell>', 'for which one').choices(['bash', 'zsh', 'fish']))
      .action((shell) =>
        run('completion', async (terminal) =>
          (await import('./commands/completion.js')).completion(shell, program, terminal),
        ),
      ),
    { examples: ['kazahana completion bash'] },
  );
}
