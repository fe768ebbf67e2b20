// The commands that make IDs.
import { Argument, type Command } from 'commander';
import type { SupportedUuidVersion } from 'kazahana/uuid';
import { json, type Run, SECRET, SOURCE, withExternalIds, withHelp, withSource } from './help.js';

/** Stated here, since the parser of the command line starts without the library. */
const VERSIONS: readonly SupportedUuidVersion[] = ['v1', 'v4', 'v7'];

export function addUuid(program: Command, run: Run): void {
  withHelp(
    program
      .command('uuid')
      .description('Make UUIDs')
      .addArgument(new Argument('[version]', 'the version').choices(VERSIONS).default('v7'))
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
        run('uuid', async (terminal) => (await import('../commands/uuid.js')).uuid(version, flags, terminal)),
      ),
    {
      examples: [
        'kazahana uuid',
        'kazahana uuid v4 -n 5 --upper',
        'kazahana uuid --min 2026-01-01T00:00:00Z',
        'kazahana uuid --max 2026-01-01T00:00:00Z --no-hyphens',
      ],
    },
  );
}

export function addNext(program: Command, run: Run): void {
  withHelp(
    withExternalIds(
      withSource(
        program
          .command('next')
          .description('Make 64-bit kazahana IDs: alone, or with leases of a server or store')
          .option('-n, --count <number>', 'how many', '1'),
        'lease from this server',
        'lease from this store',
      )
        .option('--service <name>', 'the service that the IDs are for')
        .option('--external', 'as external IDs'),
    )
      .addOption(json())
      .action((flags) =>
        run('next', async (terminal) => (await import('../commands/next.js')).next(flags, terminal)),
      ),
    {
      examples: [
        'kazahana next',
        'kazahana next -n 1000 --url http://127.0.0.1:7420',
        'kazahana next --store sqlite:./kazahana.db',
        'kazahana next --external --json',
      ],
      environment: { ...SOURCE, ...SECRET },
    },
  );
}
