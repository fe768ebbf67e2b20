// The commands around leases: run a server, see and operate a pool.
import type { Command } from 'commander';
import { json, type Run, SOURCE, withHelp, withSource } from './help.js';

const SERVER = 'the lease server (http://127.0.0.1:7420)';
const ITSELF = 'the store itself, in place of a server';

export function addServe(program: Command, run: Run): void {
  withHelp(
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
      .option('--create-pools <when>', 'auto or never: create a pool that is missing')
      .option(
        '--host-name <name>',
        'a name by which clients call it; may be repeated',
        (name: string, before?: string) => (before === undefined ? name : `${before},${name}`),
      )
      .option('--insecure', 'listen beyond loopback without tokens')
      .option('--log-level <level>', 'fatal, error, warn, info, debug, trace or silent')
      .option('--log-format <format>', 'pretty or json; else pretty at a terminal, json elsewhere')
      .option('--check', 'check the configuration and the store, say what is wrong, and end')
      .action((flags) =>
        run('serve', async (terminal) => (await import('../serve/serve.js')).serve(flags, terminal)),
      ),
    {
      examples: ['kazahana serve', 'kazahana serve --store sqlite:./leases.db --check'],
      environment: {
        'KAZAHANA_HOST, _PORT, _STORE, _CONFIG': 'the options of these names',
        KAZAHANA_HOST_NAME: 'names, parted by commas',
        'KAZAHANA_TLS_CERT, _TLS_KEY, _TLS_CLIENT_CA': '',
        'KAZAHANA_INSECURE, _LOG_LEVEL, _LOG_FORMAT': '',
        KAZAHANA_CREATE_POOLS: '',
        KAZAHANA_LOSS_KEY: 'proves what a store has lost',
      },
    },
  );
}

export function addPool(program: Command, run: Run): void {
  const pool = program.command('pool').description('See and operate a pool of leases');
  const load = () => import('../commands/pool.js');
  const examples: string[] = [];
  const add = (usage: string, description: string, example: string): Command => {
    examples.push(example);
    const command = withSource(pool.command(usage).description(description), SERVER, ITSELF)
      .option('--pool <name>', 'the pool (default)')
      .addOption(json());
    return withHelp(command, { examples: [example], environment: SOURCE });
  };

  add('status', 'The pool in a few lines', 'kazahana pool status').action((flags) =>
    run('pool status', async (terminal) => (await load()).status(flags, terminal)),
  );
  add('list', 'Who holds leases, and which', 'kazahana pool list')
    .option('--all', 'each lease, not each holder')
    .action((flags) => run('pool list', async (terminal) => (await load()).list(flags, terminal)));
  add('watch', 'A live map of the pool', 'kazahana pool watch')
    .option('--interval <seconds>', 'between looks', '1')
    .action((flags) => run('pool watch', async (terminal) => (await load()).watch(flags, terminal)));

  // Each of these says what it will do, and asks.
  const addVerb = (...[usage, description, example]: Parameters<typeof add>) =>
    add(usage, description, example).option('-y, --yes', 'do not ask');
  addVerb('create', 'Make a pool that is missing', 'kazahana pool create --store sqlite:./leases.db --yes')
    .option('--after-loss', 'begin in quarantine: leases of a lost pool may be held')
    .action((flags) => run('pool create', async (terminal) => (await load()).create(flags, terminal)));
  addVerb(
    'quarantine',
    'Stop granting until every lease that could be held has ended',
    'kazahana pool quarantine --yes',
  ).action((flags) => run('pool quarantine', async (terminal) => (await load()).quarantine(flags, terminal)));
  addVerb('revoke', 'Forget a lease', 'kazahana pool revoke 0 --yes')
    .argument('<machine-id>', 'the machine ID')
    .action((id, flags) =>
      run('pool revoke', async (terminal) => (await load()).revoke(id, flags, terminal)),
    );
  addVerb('layout', 'Change the bits of machine ID and sequence', 'kazahana pool layout 13 9 --yes')
    .argument('<bitId>', 'bits of the machine ID')
    .argument('<bitSeq>', 'bits of the sequence')
    .action((bitId, bitSeq, flags) =>
      run('pool layout', async (terminal) => (await load()).changeLayout(bitId, bitSeq, flags, terminal)),
    );
  withHelp(pool, { examples, environment: SOURCE });
}

export function addWhois(program: Command, run: Run): void {
  withHelp(
    withSource(
      program
        .command('whois')
        .description('Which service, host and process made a 64-bit ID')
        .argument('[id...]', 'IDs in decimal digits, or - for lines of stdin'),
      SERVER,
      ITSELF,
    )
      .option('--pool <name>', 'the pool of the ID (default)')
      .addOption(json())
      .action((ids, flags) =>
        run('whois', async (terminal) => (await import('../commands/whois.js')).whois(ids, flags, terminal)),
      ),
    { examples: ['kazahana whois 115601729126467849'], environment: SOURCE },
  );
}
