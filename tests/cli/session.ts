// Records docs/terminal-session.md: what people see when they run a server, look at an ID and watch the pool, at a real terminal
// of 80 × 24. The clock of every process stands still, so that the record is the same each time. `npm run session` writes it; a
// test compares it.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HttpLeaseProvider, minIdAt } from 'kazahana';
import { root } from '../../scripts/run.ts';
import { freePort } from '../services/process.ts';
import { atTerminal, type Session } from './pseudo-terminal.ts';
import { createSandbox, FIXED_CLOCK, FIXED_NOW, kazahana, type Sandbox } from './sandbox.ts';
import { Screen } from './screen.ts';

export const SESSION_FILE = join(root, 'docs/terminal-session.md');

const HEAD = `# A session at a terminal

**What the commands print at a terminal of 80 columns, where they also have colours:** a server, an ID, who holds leases, who made an ID, and the pool, live. All
commands are in [the command line](cli.md). \`npm run session\` records this page, and a test compares it with what they print.
`;

const last = <Item>(items: readonly Item[]) => items.at(-1);

/** What stands on the screen in the end; of one that is drawn again and again, the last picture. */
function screenOf({ output }: Session): string {
  const text = new Screen(80, 40).write(last(output.split('\u001b[H\u001b[J')) ?? '').text;
  // What the terminal itself shows of Ctrl-C.
  return text.replaceAll('^C', '');
}

export async function recordSession(): Promise<string> {
  const sandbox = await createSandbox(FIXED_CLOCK);
  try {
    return await record(sandbox);
  } finally {
    sandbox.dispose();
  }
}

async function record(sandbox: Sandbox): Promise<string> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const environment = { KAZAHANA_URL: url };
  const blocks: string[] = [HEAD];
  const show = (title: string, command: string, printed: string) => {
    const text = `$ ${command}\n${printed}`.replaceAll(String(port), '7420');
    blocks.push(`## ${title}\n\n\`\`\`text\n${text.trimEnd()}\n\`\`\`\n`);
  };
  const run = async (title: string, args: readonly string[]) => {
    const session = atTerminal(sandbox, args, { environment });
    await session.ended;
    show(title, `kazahana ${args.join(' ')}`, screenOf(session));
  };

  const server = atTerminal(sandbox, ['serve', '--port', String(port), '--store', 'memory:']);
  await server.shows(/Ctrl-C ends it/);
  const provider = new HttpLeaseProvider(url);
  const acquire = (serviceId: string, host: string, process: string, leases: number) =>
    provider.acquire({ serviceId, throughputPerMs: 256 * leases, meta: { host, process } });
  await acquire('orders', 'web-1', '4711', 3);
  await acquire('orders', 'web-2', '812', 2);
  await acquire('users', 'web-2', '830', 1);

  await run('What is this ID?', ['inspect', '01941f29-7c00-7aaa-aaaa-aaaaaaaaaaaa']);
  await run('Who holds leases?', ['pool', 'list']);
  await run('Who made this ID?', ['whois', String(minIdAt(FIXED_NOW) + (3n << 8n))]);

  const watch = atTerminal(sandbox, ['pool', 'watch'], { environment });
  await watch.shows(/are for fallback/);
  await acquire('billing', 'web-3', '77', 2);
  await watch.shows(/billing on web-3 got/);
  await kazahana(sandbox, ['pool', 'revoke', '2', '--yes'], { environment });
  await watch.shows(/no longer holds 2/);
  watch.type('\u0003');
  await watch.ended;
  show('The pool, live', 'kazahana pool watch', screenOf(watch));

  server.type('\u0003');
  await server.ended;
  const [head = '', ...rest] = blocks;
  blocks.splice(0, blocks.length, head);
  show('Run a server', 'kazahana serve', screenOf(server));
  return [...blocks, ...rest].join('\n');
}

if (import.meta.main) writeFileSync(SESSION_FILE, await recordSession());
