// `kazahana pool`: what is in a pool, live if wanted, and the operator's verbs, each of which says what it will do and
// asks.

import { createInterface } from 'node:readline/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { DEFAULT_HOST, DEFAULT_PORT } from '@kazahana/server';
import type { LeaseInspector } from 'kazahana/lease';
import { HttpInspector } from '../http-inspector.js';
import { leaseTable, poolMap, poolSummary } from '../pool-map.js';
import { EXIT, type Terminal, UsageError } from '../terminal.js';
import { wholeNumber } from '../values.js';

export interface PoolFlags {
  readonly url?: string;
  readonly store?: string;
  readonly pool?: string;
  readonly json?: boolean;
  readonly yes?: boolean;
  /** Seconds between looks. */
  readonly interval?: string;
}

interface Access {
  readonly inspector: LeaseInspector;
  close(): Promise<void>;
}

async function open({ url, store, pool }: PoolFlags): Promise<Access> {
  if (url !== undefined && store !== undefined) throw new UsageError('take one of --url and --store');
  if (store === undefined) {
    const address = url ?? process.env.KAZAHANA_URL ?? `http://${DEFAULT_HOST}:${DEFAULT_PORT}`;
    if (!/^https?:\/\//.test(address)) throw new UsageError(`--url must begin with http:// or https://`);
    return { inspector: new HttpInspector(address, process.env.KAZAHANA_TOKEN), close: async () => {} };
  }
  const { openStore } = await import('../serve/open-store.js');
  const pools = pool === undefined ? {} : { pools: { [pool]: {} } };
  const opened = await openStore(store, pools, (message) => process.stderr.write(`${message}\n`));
  return { inspector: opened.store, close: () => opened.close() };
}

async function withInspector(
  flags: PoolFlags,
  use: (inspector: LeaseInspector) => Promise<number>,
): Promise<number> {
  const { inspector, close } = await open(flags);
  try {
    return await use(inspector);
  } finally {
    await close();
  }
}

const read = async (inspector: LeaseInspector, pool: string | undefined) => ({
  pool: await inspector.inspectPool(pool),
  leases: await inspector.listLeases(pool),
});

export function status(flags: PoolFlags, terminal: Terminal): Promise<number> {
  return withInspector(flags, async (inspector) => {
    const { pool, leases } = await read(inspector, flags.pool);
    if (flags.json) await terminal.json({ ...pool, held: leases.length });
    else await terminal.line(poolSummary(pool, leases).join('\n'));
    return EXIT.fine;
  });
}

export function list(flags: PoolFlags, terminal: Terminal): Promise<number> {
  return withInspector(flags, async (inspector) => {
    const { pool, leases } = await read(inspector, flags.pool);
    if (flags.json) for (const lease of leases) await terminal.json(lease);
    else await terminal.line(leaseTable(leases, pool.now).join('\n'));
    return EXIT.fine;
  });
}

/** Back to the top left, and everything below gone. */
const HOME = '\u001b[H\u001b[J';

export function watch(flags: PoolFlags, terminal: Terminal): Promise<number> {
  const seconds = wholeNumber('--interval', flags.interval ?? '1', 1, 3600);
  return withInspector(flags, async (inspector) => {
    let isStopped = false;
    process.once('SIGINT', () => {
      isStopped = true;
    });
    while (!isStopped) {
      const { pool, leases } = await read(inspector, flags.pool);
      if (flags.json) await terminal.json({ ...pool, held: leases.length });
      else {
        const picture = [...poolSummary(pool, leases), '', ...poolMap(pool, leases, terminal)].join('\n');
        await terminal.write(`${terminal.isTerminal ? HOME : ''}${picture}\n`);
      }
      // Without a terminal there is nobody to watch: one look, then the end.
      if (!terminal.isTerminal && !flags.json) break;
      await pause(seconds * 1000);
    }
    return EXIT.fine;
  });
}

/** Whether the user agrees; without a terminal only `--yes` is agreement. */
async function agrees(what: string, { yes }: PoolFlags): Promise<boolean> {
  process.stderr.write(`${what}\n`);
  if (yes) return true;
  if (!process.stdin.isTTY) throw new UsageError('nobody is there to ask: say --yes');
  const prompt = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await prompt.question('Go on? (yes/no) ');
  prompt.close();
  return answer.trim().toLowerCase() === 'yes';
}

const NOTHING_DONE = 'Nothing was done.';

export function quarantine(flags: PoolFlags, terminal: Terminal): Promise<number> {
  return withInspector(flags, async (inspector) => {
    const name = flags.pool ?? 'default';
    const what =
      `Pool ${name} will grant no leases until every lease that could be out has ended, fallback included.\n` +
      'Clients go on with the leases they have, then with fallback IDs. This is for after a restored backup.';
    if (!(await agrees(what, flags))) return refused(terminal);
    const pool = await inspector.quarantine(flags.pool);
    const until = new Date(pool.quarantinedUntil).toISOString();
    await (flags.json ? terminal.json(pool) : terminal.line(`pool ${name} is in quarantine until ${until}`));
    return EXIT.fine;
  });
}

export function revoke(id: string, flags: PoolFlags, terminal: Terminal): Promise<number> {
  const number = wholeNumber('the machine number', id, 0, 2 ** 30 - 1);
  return withInspector(flags, async (inspector) => {
    const what =
      `The lease of machine number ${number} will be forgotten: it can no longer be released.\n` +
      'Its holder is not told and goes on until its window ends; the number stays taken until then.';
    if (!(await agrees(what, flags))) return refused(terminal);
    await inspector.revoke({ id: number, ...(flags.pool !== undefined && { pool: flags.pool }) });
    await (flags.json
      ? terminal.json({ revoked: number })
      : terminal.line(`the lease of ${number} is revoked`));
    return EXIT.fine;
  });
}

export function changeLayout(
  bitId: string,
  bitSeq: string,
  flags: PoolFlags,
  terminal: Terminal,
): Promise<number> {
  const layout = { bitId: wholeNumber('bitId', bitId, 1, 31), bitSeq: wholeNumber('bitSeq', bitSeq, 0, 31) };
  return withInspector(flags, async (inspector) => {
    const before = await inspector.inspectPool(flags.pool);
    const what =
      `Pool ${before.name} will change from ${before.layout.bitId} + ${before.layout.bitSeq} to ${layout.bitId} + ${layout.bitSeq} bits:\n` +
      `${2 ** (layout.bitId - 1)} machine numbers with ${2 ** layout.bitSeq} IDs a millisecond each.\n` +
      'Leases that are out go on; numbers that overlap one of them become free when it ends.';
    if (!(await agrees(what, flags))) return refused(terminal);
    const pool = await inspector.changeLayout({
      ...layout,
      ...(flags.pool !== undefined && { pool: flags.pool }),
    });
    await (flags.json ? terminal.json(pool) : terminal.line(poolSummary(pool, []).slice(0, 1).join('\n')));
    return EXIT.fine;
  });
}

function refused(terminal: Terminal): number {
  terminal.say(NOTHING_DONE);
  return EXIT.invalid;
}
