// The commands of `kazahana`, with their options, examples and exit codes. Each loads what only it needs when it runs.
import { Command, Option } from 'commander';
import { type ColorChoice, EXIT, Terminal } from './terminal.js';
import { readVersion } from './version.js';

const EXIT_CODES = `Exit codes:
  0  fine
  1  some input is invalid, or the answer is no
  2  wrong usage
  3  the server or store cannot be reached
  4  the pool is exhausted`;

const help = (command: Command, examples: readonly string[], environment: readonly string[] = []): Command =>
  command.addHelpText(
    'after',
    [
      '',
      'Examples:',
      ...examples.map((example) => `  $ ${example}`),
      ...(environment.length > 0 ? ['', 'Environment:', ...environment.map((line) => `  ${line}`)] : []),
      '',
      EXIT_CODES,
    ].join('\n'),
  );

const json = () => new Option('--json', 'one JSON object a line, 64-bit IDs as text');
const layoutOptions = (command: Command) =>
  command
    .option('--epoch <epoch>', 'kazahana, twitter, discord, instagram, unix, or a time')
    .option('--bits <widths>', 'reserve,timestamp,machine,sequence (1,41,14,8)');
const poolOptions = (command: Command) =>
  command
    .option('--url <url>', 'the lease server (http://127.0.0.1:7420)')
    .option('--store <url>', 'the store itself, in place of a server')
    .option('--pool <name>', 'the pool (default)')
    .addOption(json());
const SECRET = 'KAZAHANA_EXTERNAL_SECRET  the secret of public IDs';
const SERVER = ['KAZAHANA_URL    the lease server', 'KAZAHANA_TOKEN  its bearer token'];

/** The whole command line; `finish` gets the exit code. */
export function createProgram(finish: (code: number) => void): Command {
  const program = new Command('kazahana')
    .description('Make, read and check IDs, and run the lease server.')
    .version(readVersion(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .addOption(
      new Option('--color <when>', 'colours: auto, always or never')
        .choices(['auto', 'always', 'never'])
        .default('auto'),
    )
    .showSuggestionAfterError()
    .configureHelp({ showGlobalOptions: true, sortSubcommands: false });

  /** Runs a command: its exit code, or that of its failure, said in one line. */
  const run = async (name: string, work: (terminal: Terminal) => Promise<number>) => {
    const terminal = new Terminal(program.opts<{ color: ColorChoice }>().color);
    try {
      finish(await work(terminal));
    } catch (error) {
      terminal.say(`kazahana ${name}: ${error instanceof Error ? error.message : String(error)}`);
      const { exitCodeOf } = await import('./failures.js');
      finish(exitCodeOf(error));
    }
  };

  help(
    program
      .command('uuid')
      .description('Make UUIDs')
      .argument('[version]', 'v1, v4 or v7', 'v7')
      .option('-n, --count <number>', 'how many', '1')
      .option('--upper', 'in capitals')
      .option('--no-hyphens', 'without hyphens')
      .option('--braces', 'in braces')
      .option('--urn', 'as urn:uuid:…')
      .option('--at <time>', 'for this time (v7)')
      .option('--min <time>', 'the lowest of this millisecond, for range queries (v7)')
      .option('--max <time>', 'the highest of this millisecond (v7)')
      .addOption(json())
      .action((version, flags) =>
        run('uuid', async (terminal) => (await import('./commands/uuid.js')).uuid(version, flags, terminal)),
      ),
    [
      'kazahana uuid',
      'kazahana uuid v4 -n 5 --upper',
      'kazahana uuid --min 2026-01-01T00:00:00Z',
      'kazahana uuid --max 2026-01-01T00:00:00Z --no-hyphens',
    ],
  );

  help(
    program
      .command('next')
      .description('Make 64-bit kazahana IDs: alone, or with leases of a server or store')
      .option('-n, --count <number>', 'how many', '1')
      .option('--url <url>', 'lease from this server')
      .option('--store <url>', 'lease from this store')
      .option('--service <name>', 'the service that the IDs are for')
      .option('--public', 'as public IDs')
      .addOption(json())
      .action((flags) =>
        run('next', async (terminal) => (await import('./commands/next.js')).next(flags, terminal)),
      ),
    [
      'kazahana next',
      'kazahana next -n 1000 --url http://127.0.0.1:7420',
      'kazahana next --store sqlite:./kazahana.db',
    ],
    SERVER.slice(1),
  );

  help(
    layoutOptions(
      program
        .command('inspect')
        .description('Show what IDs are, bit by bit')
        .argument('<id...>', 'IDs, or - for lines of stdin: IDs, or a log that has some')
        .option('--as <kind>', 'read it as this kind only'),
    )
      .option('--ask-secret', 'ask for the secret of public IDs')
      .addOption(json())
      .action((ids, flags) =>
        run('inspect', async (terminal) =>
          (await import('./commands/inspect.js')).inspect(ids, flags, terminal),
        ),
      ),
    [
      'kazahana inspect 01941f29-7c00-7aaa-aaaa-aaaaaaaaaaaa',
      'kazahana inspect 137465797017601287 --as kazahana',
      'kazahana inspect --json 8786953',
      'tail -f app.log | kazahana inspect -',
    ],
    [SECRET],
  );

  help(
    program
      .command('validate')
      .description('Check whether texts are UUIDs, and point at what is wrong')
      .argument('<text...>', 'texts, or - for lines of stdin')
      .option('-q, --quiet', 'say nothing, the exit code tells')
      .addOption(json())
      .action((texts, flags) =>
        run('validate', async (terminal) =>
          (await import('./commands/validate.js')).validate(texts, flags, terminal),
        ),
      ),
    [
      'kazahana validate 01941f29-7c00-7aaa-aaaa-aaaaaaaaaaaa',
      'kazahana validate 24688438-40e1-70d0-d97e-084cfc8992c7',
      'kazahana validate -q - < uuids.txt',
    ],
  );

  const external = program.command('external').description('Turn 64-bit IDs into public ones, and back');
  for (const [direction, what] of [
    ['encode', 'IDs as public IDs'],
    ['decode', 'Public IDs as IDs'],
  ] as const) {
    help(
      external
        .command(direction)
        .description(what)
        .argument('<id...>', 'IDs, or - for lines of stdin')
        .option('--algorithm <name>', 'none, mix, or xtea with a secret')
        .option('--ask-secret', 'ask for the secret')
        .addOption(json())
        .action((ids, flags) =>
          run(`external ${direction}`, async (terminal) =>
            (await import('./commands/external.js')).external(direction, ids, flags, terminal),
          ),
        ),
      direction === 'encode'
        ? [
            'kazahana external encode 81985529216486895 --algorithm none',
            'kazahana external encode 137465797017601287',
          ]
        : ['kazahana external decode ASNFZ4mrze8 --algorithm none'],
      [SECRET],
    );
  }

  const estelle = program.command('estelle').description('Make and read the 24-bit hierarchy');
  help(
    estelle
      .command('encode')
      .description('environment (0–2), pylon or client, device, workspace, conversation: as far as given')
      .argument('<levels...>', 'the levels, from the top')
      .addOption(json())
      .action((levels, flags) =>
        run('estelle encode', async (terminal) =>
          (await import('./commands/estelle.js')).estelleEncode(levels, flags, terminal),
        ),
      ),
    ['kazahana estelle encode 2 pylon 3 5 9', 'kazahana estelle encode 0 client 7'],
  );
  for (const what of ['decode', 'tree'] as const) {
    help(
      estelle
        .command(what)
        .description(what === 'decode' ? 'Take IDs apart' : 'Draw where an ID stands')
        .argument('<id...>', 'IDs, or - for lines of stdin')
        .option('--as <level>', 'device, workspace or conversation')
        .addOption(json())
        .action((ids, flags) =>
          run(`estelle ${what}`, async (terminal) =>
            (await import('./commands/estelle.js')).estelleRead(what, ids, flags, terminal),
          ),
        ),
      [`kazahana estelle ${what} 8786953`],
    );
  }

  const pool = program.command('pool').description('See and operate a pool of leases');
  const poolCommand = (
    name: string,
    description: string,
    examples: readonly string[],
    change = (c: Command) => c,
  ) => help(change(poolOptions(pool.command(name).description(description))), examples, SERVER);
  const operate = (command: Command) => command.option('-y, --yes', 'do not ask');
  const load = () => import('./commands/pool.js');
  poolCommand('status', 'The pool in a few lines', ['kazahana pool status']).action((flags) =>
    run('pool status', async (terminal) => (await load()).status(flags, terminal)),
  );
  poolCommand('list', 'The leases that are out', ['kazahana pool list --json']).action((flags) =>
    run('pool list', async (terminal) => (await load()).list(flags, terminal)),
  );
  poolCommand('watch', 'A live map of the pool', ['kazahana pool watch'], (command) =>
    command.option('--interval <seconds>', 'between looks', '1'),
  ).action((flags) => run('pool watch', async (terminal) => (await load()).watch(flags, terminal)));
  poolCommand(
    'quarantine',
    'Stop granting until all that could be out has ended',
    ['kazahana pool quarantine'],
    operate,
  ).action((flags) => run('pool quarantine', async (terminal) => (await load()).quarantine(flags, terminal)));
  poolCommand('revoke', 'Forget a lease', ['kazahana pool revoke 17'], (command) =>
    operate(command.argument('<number>', 'the machine number')),
  ).action((id, flags) => run('pool revoke', async (terminal) => (await load()).revoke(id, flags, terminal)));
  poolCommand(
    'layout',
    'Change the bits of machine number and sequence',
    ['kazahana pool layout 13 9'],
    (command) =>
      operate(
        command
          .argument('<bitId>', 'bits of the machine number')
          .argument('<bitSeq>', 'bits of the sequence'),
      ),
  ).action((bitId, bitSeq, flags) =>
    run('pool layout', async (terminal) => (await load()).changeLayout(bitId, bitSeq, flags, terminal)),
  );

  help(
    layoutOptions(
      program
        .command('verify')
        .description('Check a stream of IDs: duplicates, order, fallback and future IDs')
        .argument('<file>', 'a file with one ID a line, or - for stdin')
        .option('--unordered', 'the order does not matter'),
    )
      .addOption(json())
      .action((file, flags) =>
        run('verify', async (terminal) =>
          (await import('./commands/verify.js')).verify(file, flags, terminal),
        ),
      ),
    ['kazahana next -n 100000 | kazahana verify -', 'kazahana verify ids.txt --unordered --json'],
  );

  help(
    program
      .command('serve')
      .description('Run the lease server')
      .option('--host <address>', 'where to listen (127.0.0.1)')
      .option('--port <number>', 'the port (7420); 0 takes a free one')
      .option('--store <url>', 'sqlite:./kazahana.db, memory:, redis://…, postgres://…, etcd://…')
      .option('--config <file>', 'a JSON file with pools, services, tokens and all of these')
      .option('--tls-cert <file>', 'serve over TLS with this certificate')
      .option('--tls-key <file>', 'and this key')
      .option('--tls-client-ca <file>', 'only for clients with a certificate of this authority')
      .option('--insecure', 'listen beyond loopback without tokens')
      .option('--log-level <level>', 'fatal, error, warn, info, debug, trace or silent')
      .option('--check', 'check the configuration and the store, say what is wrong, and end')
      .action((flags) => run('serve', async () => (await import('./serve/serve.js')).serve(flags))),
    ['kazahana serve', 'kazahana serve --store sqlite:/var/lib/kazahana/leases.db --check'],
    ['KAZAHANA_HOST, _PORT, _STORE, _CONFIG, _TLS_CERT, _TLS_KEY, _TLS_CLIENT_CA, _INSECURE, _LOG_LEVEL'],
  );

  help(
    program
      .command('bench')
      .description('Measure how fast IDs are made here')
      .addOption(json())
      .action((flags) =>
        run('bench', async (terminal) => (await import('./commands/bench.js')).bench(flags, terminal)),
      ),
    ['kazahana bench'],
  );

  help(
    program
      .command('completion')
      .description('Print a completion script for a shell')
      .argument('<shell>', 'bash, zsh or fish')
      .action((shell) =>
        run('completion', async (terminal) =>
          (await import('./commands/completion.js')).completion(shell, program, terminal),
        ),
      ),
    ['kazahana completion bash'],
  );

  const forAll = (command: Command): void => {
    // commander's own code for its complaints is 1, which here is for invalid input.
    command.exitOverride((error) => {
      process.exit(error.exitCode === 0 ? EXIT.fine : EXIT.usage);
    });
    command.commands.forEach(forAll);
  };
  forAll(program);
  return help(program, [
    'kazahana uuid',
    'kazahana inspect 01941f29-7c00-7aaa-aaaa-aaaaaaaaaaaa',
    'kazahana serve',
  ]);
}
