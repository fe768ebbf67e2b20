// The commands that read IDs: show, check, turn into another form.
import { type Command, Option } from 'commander';
import { json, type Run, SECRET, withExternalIds, withHelp, withLayout } from './help.js';

const ALGORITHMS = ['none', 'mix', 'xtea'];
const LEVELS = ['device', 'workspace', 'conversation'];

export function addInspect(program: Command, run: Run): void {
  withHelp(
    withExternalIds(
      withLayout(
        program
          .command('inspect')
          .description('Show what IDs are, bit by bit')
          .argument('[id...]', 'IDs, or - for lines of stdin: IDs, or a log that has some')
          .option('--as <format>', 'read it as this format only')
          .option('--formats', 'list the formats, and end')
          .option('-s, --short', 'one line an ID'),
      ),
    )
      .addOption(json())
      .action((ids, flags) =>
        run('inspect', async (terminal) =>
          (await import('../commands/inspect.js')).inspect(ids, flags, terminal),
        ),
      ),
    {
      examples: [
        'kazahana inspect 01941f29-7c00-7aaa-aaaa-aaaaaaaaaaaa',
        'kazahana inspect 115005299097601287 --as kazahana-id',
        'kazahana inspect --short 01JGFJJZ00ENGSYN6QSQ3KMY59',
        'kazahana inspect 1212092628029698048 --epoch twitter',
        'kazahana inspect --json 8786953',
        'tail -f app.log | kazahana inspect',
      ],
      environment: SECRET,
    },
  );
}

export function addValidate(program: Command, run: Run): void {
  withHelp(
    program
      .command('validate')
      .description('Check whether texts are UUIDs, and point at what is wrong')
      .argument('[text...]', 'texts, or - for lines of stdin')
      .option('-q, --quiet', 'say nothing, the exit code tells')
      .addOption(json())
      .action((texts, flags) =>
        run('validate', async (terminal) =>
          (await import('../commands/validate.js')).validate(texts, flags, terminal),
        ),
      ),
    {
      examples: [
        'kazahana validate 01941f29-7c00-7aaa-aaaa-aaaaaaaaaaaa',
        'kazahana validate 24688438-40e1-70d0-d97e-084cfc8992c7',
        'kazahana validate -q < uuids.txt',
      ],
    },
  );
}

export function addVerify(program: Command, run: Run): void {
  withHelp(
    withLayout(
      program
        .command('verify')
        .description('Check a stream of IDs: duplicates, order, fallback and future IDs')
        .argument('[file]', 'a file with one ID a line, or - for stdin')
        .option('--unordered', 'the order does not matter'),
    )
      .addOption(json())
      .action((file, flags) =>
        run('verify', async (terminal) =>
          (await import('../commands/verify.js')).verify(file, flags, terminal),
        ),
      ),
    {
      examples: [
        'kazahana next -n 100000 | kazahana verify',
        'kazahana verify ids.txt --unordered --json',
        'kazahana verify ids.txt --epoch discord',
      ],
      environment: { TMPDIR: 'where keys are sorted when they do not fit into memory' },
    },
  );
}

export function addExternal(program: Command, run: Run): void {
  const external = program.command('external').description('Turn 64-bit IDs into external ones, and back');
  const examples = {
    encode: [
      'kazahana external encode 81985529216486895 --algorithm none',
      'kazahana external encode 115005299097601287',
    ],
    decode: ['kazahana external decode ASNFZ4mrze8 --algorithm none'],
  };
  for (const [direction, what] of [
    ['encode', 'IDs as external IDs'],
    ['decode', 'External IDs as IDs'],
  ] as const) {
    withHelp(
      withExternalIds(
        external
          .command(direction)
          .description(what)
          .argument('[id...]', 'IDs, or - for lines of stdin')
          .addOption(
            new Option('--algorithm <name>', 'mix, unless there is a secret; then xtea').choices(ALGORITHMS),
          ),
      )
        .addOption(json())
        .action((ids, flags) =>
          run(`external ${direction}`, async (terminal) =>
            (await import('../commands/external.js')).external(direction, ids, flags, terminal),
          ),
        ),
      { examples: examples[direction], environment: SECRET },
    );
  }
  withHelp(external, { examples: [...examples.encode, ...examples.decode], environment: SECRET });
}

export function addEstelle(program: Command, run: Run): void {
  const estelle = program.command('estelle').description('Make and read the 24-bit hierarchy');
  const examples = {
    encode: ['kazahana estelle encode 2 pylon 3 5 9', 'kazahana estelle encode 0 client 7'],
    decode: ['kazahana estelle decode 8786953', 'kazahana estelle decode 67 --as device'],
    tree: ['kazahana estelle tree 8786953'],
  };
  withHelp(
    estelle
      .command('encode')
      .description('environment (0–2), pylon or client, device, workspace, conversation: as far as given')
      .argument('<levels...>', 'the levels, from the top')
      .addOption(json())
      .action((levels, flags) =>
        run('estelle encode', async (terminal) =>
          (await import('../commands/estelle.js')).estelleEncode(levels, flags, terminal),
        ),
      ),
    { examples: examples.encode },
  );
  for (const verb of ['decode', 'tree'] as const) {
    withHelp(
      estelle
        .command(verb)
        .description(verb === 'decode' ? 'Take IDs apart' : 'Draw where an ID stands')
        .argument('[id...]', 'IDs, or - for lines of stdin')
        .addOption(new Option('--as <level>', 'read it as this level').choices(LEVELS))
        .addOption(json())
        .action((ids, flags) =>
          run(`estelle ${verb}`, async (terminal) =>
            (await import('../commands/estelle.js')).estelleRead(verb, ids, flags, terminal),
          ),
        ),
      { examples: examples[verb] },
    );
  }
  withHelp(estelle, { examples: Object.values(examples).flat() });
}
