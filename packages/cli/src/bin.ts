#!/usr/bin/env node
// The command `kazahana`. Each subcommand loads what only it needs.
import { Command } from 'commander';
import { readVersion } from './version.js';

const program = new Command('kazahana')
  .description('Make, read and check IDs, and run the lease server.')
  .version(readVersion())
  .showSuggestionAfterError()
  .exitOverride((error) => {
    // commander says 1 for its own errors; here 1 is for invalid input, 2 for wrong usage.
    process.exit(error.exitCode === 0 ? 0 : 2);
  });

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
  .action(async (flags) => {
    const { serve } = await import('./serve/serve.js');
    process.exitCode = await serve(flags);
  });

await program.parseAsync();
