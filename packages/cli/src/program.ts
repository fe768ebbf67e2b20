// The whole command line. Each command loads what only it needs when it runs.
import { Argument, Command, Option } from 'commander';
import { json, type Run, STYLES, withExitCodes, withHelp } from './command-line/help.js';
import { addNext, addUuid } from './command-line/make.js';
import { addPool, addServe, addWhois } from './command-line/operate.js';
import { addEstelle, addExternal, addInspect, addValidate, addVerify } from './command-line/read.js';
import { type ColorChoice, EXIT, Terminal, wantsColors } from './terminal.js';
import { readVersion } from './version.js';
import { visible, visibleLines } from './visible.js';

const GROUPS = {
  'Make IDs:': { uuid: addUuid, next: addNext },
  'Read IDs:': {
    inspect: addInspect,
    validate: addValidate,
    external: addExternal,
    estelle: addEstelle,
    verify: addVerify,
  },
  'Leases:': { serve: addServe, pool: addPool, whois: addWhois },
  'Also:': { bench: addBench, completion: addCompletion, version: addVersion },
} as const;
type Add = (program: Command, run: Run) => void;
const COMMANDS: ReadonlyMap<string, { readonly group: string; readonly add: Add }> = new Map(
  Object.entries(GROUPS).flatMap(([group, commands]) =>
    Object.entries(commands).map(([name, add]): [string, { group: string; add: Add }] => [
      name,
      { group, add },
    ]),
  ),
);

/** Add only the command that the line begins with: half the work. Help and completion need them all. */
function namesToAdd([first = '']: readonly string[]): readonly string[] {
  return COMMANDS.has(first) && first !== 'completion' ? [first] : [...COMMANDS.keys()];
}

/** Before anything is parsed: help and complaints have colours, too. */
function colorChoiceOf(words: readonly string[]): ColorChoice {
  const at = words.findIndex((word) => word === '--color' || word.startsWith('--color='));
  const word = words[at] ?? '';
  const choice = word === '--color' ? words[at + 1] : word.slice('--color='.length);
  return choice === 'always' || choice === 'never' ? choice : 'auto';
}

/** For a line of these words; `finish` gets the exit code. */
export function createProgram(finish: (code: number) => void, words: readonly string[] = []): Command {
  const choice = colorChoiceOf(words);
  const program = new Command('kazahana')
    .usage('[command] [options]\n       kazahana <id>')
    .description('Make, read and check IDs, and run the lease server. A bare ID is inspected.')
    .version(readVersion(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .addHelpCommand(
      new Command('help').argument('[command]').description('Print the help of a command').helpGroup('Also:'),
    )
    .addOption(new Option('--color <when>', 'colours').choices(['auto', 'always', 'never']).default('auto'))
    .showSuggestionAfterError()
    .configureHelp({
      showGlobalOptions: true,
      sortSubcommands: false,
      styleTitle: STYLES.title,
      styleCommandText: STYLES.typed,
      styleSubcommandText: STYLES.typed,
      styleOptionText: STYLES.typed,
      styleArgumentText: STYLES.typed,
    })
    .configureOutput({
      getOutHasColors: () => wantsColors(choice, process.stdout),
      getErrHasColors: () => wantsColors(choice, process.stderr),
      outputError: (text, write) => write(visibleLines(text.replace(/^error: /, 'kazahana: '))),
    });

  const run: Run = async (name, work) => {
    const terminal = new Terminal(program.opts<{ color: ColorChoice }>().color);
    try {
      finish(await work(terminal));
    } catch (error) {
      const { exitCodeOf, messageOf } = await import('./failures.js');
      terminal.say(`kazahana ${name}: ${visible(messageOf(error))}`);
      finish(exitCodeOf(error));
    }
  };

  for (const name of namesToAdd(words)) {
    const { group, add } = COMMANDS.get(name) ?? {};
    if (group !== undefined) program.commandsGroup(group);
    add?.(program, run);
  }
  const forAll = (command: Command): void => {
    // commander's own code for its complaints is 1, which here is for invalid input.
    command.exitOverride((error) => {
      process.exit(error.exitCode === 0 ? EXIT.fine : EXIT.usage);
    });
    // `external 7` and `external --prefix user` lack a verb: say where the verbs are.
    if (command.parent && command.commands.length > 0) {
      command.showHelpAfterError(`(kazahana ${command.name()} --help lists its commands)`);
    }
    command.commands.forEach(forAll);
  };
  forAll(program);
  return withExitCodes(program, {
    examples: ['kazahana uuid', 'kazahana 01941f29-7c00-7aaa-aaaa-aaaaaaaaaaaa', 'kazahana serve'],
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

function addVersion(program: Command, run: Run): void {
  withHelp(
    program
      .command('version')
      .description('Print the version')
      .action(() =>
        run('version', async (terminal) => {
          await terminal.line(readVersion());
          return EXIT.fine;
        }),
      ),
    { examples: ['kazahana version'] },
  );
}
