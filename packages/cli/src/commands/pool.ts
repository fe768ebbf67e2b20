// `kazahana pool`: what is in a pool, live if wanted, and the operator's verbs, each of which says what it will do and
// asks.
import { setTimeout as pause } from 'node:timers/promises';
import { kazahanaIdLayout } from 'kazahana/layout';
import type { LeaseInspector } from 'kazahana/lease';
import { exitCodeOf, messageOf } from '../failures.js';
import type { SourceFlags } from '../lease-source.js';
import { leasesOf, openPool, type PoolView, viewPool } from '../pool-access.js';
import { eventsBetween, type PoolEvent } from '../pool-events.js';
import { Holders, holderTable } from '../pool-holders.js';
import { leaseTable, poolBits, poolSummary, poolTitle, ServiceColors } from '../pool-map.js';
import { poolScreen } from '../pool-screen.js';
import { catchInterruption, EXIT, type Terminal, UsageError } from '../terminal.js';
import { wrap } from '../text-width.js';
import { wholeNumber } from '../values.js';
import { visible } from '../visible.js';

export interface PoolFlags extends SourceFlags {
  readonly pool?: string;
  readonly json?: boolean;
  /** Each lease, not each holder. */
  readonly all?: boolean;
  readonly yes?: boolean;
  readonly afterLoss?: boolean;
  /** Seconds between looks. */
  readonly interval?: string;
}

async function withPool(
  flags: PoolFlags,
  use: (inspector: LeaseInspector) => Promise<number>,
): Promise<number> {
  const { provider, close } = await openPool(flags, flags.pool);
  try {
    return await use(provider);
  } finally {
    await close();
  }
}

/** What does not go to a terminal need not fit into one. */
const columnsOf = (terminal: Terminal) => (terminal.isTerminal ? terminal.columns : Number.POSITIVE_INFINITY);

export function status(flags: PoolFlags, terminal: Terminal): Promise<number> {
  return withPool(flags, async (inspector) => {
    const view = await viewPool(inspector, flags.pool);
    await (flags.json
      ? terminal.json(view.pool)
      : terminal.line(poolSummary(view, columnsOf(terminal)).join('\n')));
    return EXIT.fine;
  });
}

export function list(flags: PoolFlags, terminal: Terminal): Promise<number> {
  return withPool(flags, async (inspector) => {
    if (flags.all) await listLeases(inspector, flags, terminal);
    else await listHolders(inspector, flags, terminal);
    return EXIT.fine;
  });
}

async function listLeases(inspector: LeaseInspector, flags: PoolFlags, terminal: Terminal): Promise<void> {
  if (flags.json) for await (const lease of leasesOf(inspector, flags.pool)) await terminal.json(lease);
  else {
    const view = await viewPool(inspector, flags.pool);
    await terminal.line(leaseTable(view, columnsOf(terminal)).join('\n'));
  }
}

async function listHolders(inspector: LeaseInspector, flags: PoolFlags, terminal: Terminal): Promise<void> {
  const { now, slots } = await inspector.inspectPool(flags.pool);
  const holders = new Holders();
  let held = 0;
  for await (const lease of leasesOf(inspector, flags.pool)) {
    holders.add(lease);
    held++;
  }
  const { all } = holders;
  if (flags.json) for (const holder of all) await terminal.json(holder);
  else {
    await terminal.line(holderTable(all, now, columnsOf(terminal)).join('\n'));
    if (terminal.isTerminal) terminal.say(`\n${held} of ${slots} machine IDs; --all lists each lease`);
  }
}

/** Back to the top left, and everything below gone. */
const HOME = '\u001b[H\u001b[J';
/** More never fit. */
const KEPT_EVENTS = 20;

export function watch(flags: PoolFlags, terminal: Terminal): Promise<number> {
  const seconds = wholeNumber('--interval', flags.interval ?? '1', 1, 3600);
  const { signal } = catchInterruption();
  const colors = new ServiceColors();
  return withPool(flags, async (inspector) => {
    let view: PoolView | undefined;
    let events: readonly PoolEvent[] = [];
    while (!signal.aborted) {
      let trouble: string | undefined;
      try {
        const next = await viewPool(inspector, flags.pool);
        if (view) events = [...eventsBetween(view, next), ...events].slice(0, KEPT_EVENTS);
        colors.meet(next.leases);
        view = next;
      } catch (error) {
        // A server that is away for a while may come back; one that was never there is a mistake.
        if (!view || exitCodeOf(error) !== EXIT.unreachable) throw error;
        trouble = `${messageOf(error)}; this is what was last seen`;
      }
      if (flags.json) {
        if (trouble === undefined) await terminal.json(view.pool);
      } else {
        const lines = poolScreen({ view, events, colors, now: Date.now(), trouble }, terminal);
        await terminal.write(`${terminal.isTerminal ? HOME : ''}${lines.join('\n')}\n`);
      }
      // Without a terminal, look once and end.
      if (!terminal.isTerminal && !flags.json) break;
      await pause(seconds * 1000, undefined, { signal }).catch(() => {});
    }
    return EXIT.fine;
  });
}

/** Whether the user agrees; without a terminal only `--yes` is agreement. */
async function agrees(what: string, { yes }: PoolFlags, terminal: Terminal): Promise<boolean> {
  terminal.say(wrap(what, terminal.columns).join('\n'));
  if (yes) return true;
  if (!process.stdin.isTTY) throw new UsageError('no terminal to ask at: say --yes');
  const { ask } = await import('../prompt.js');
  const typed = await ask('Go on? (yes/no) ');
  return typed?.trim().toLowerCase() === 'yes';
}

function refused(terminal: Terminal): number {
  terminal.say('Nothing was done.');
  return EXIT.invalid;
}

const named = ({ pool }: PoolFlags) => (pool === undefined ? {} : { pool });

export function create(flags: PoolFlags, terminal: Terminal): Promise<number> {
  return withPool(flags, async (inspector) => {
    const name = flags.pool ?? 'default';
    const { afterLoss = false } = flags;
    const what = afterLoss
      ? `Pool ${visible(name)} will be created in quarantine: it grants new leases when every lease of the lost pool has ended.`
      : `Pool ${visible(name)} will be created and grants leases at once. If a pool of this name was lost, its leases may still ` +
        'be in use, and IDs could repeat: say --after-loss then.';
    if (!(await agrees(what, flags, terminal))) return refused(terminal);
    const pool = await inspector.createPool({ ...named(flags), afterLoss });
    await (flags.json
      ? terminal.json(pool)
      : terminal.line(`pool ${visible(name)} is created: ${poolBits(pool)}`));
    return EXIT.fine;
  });
}

export function quarantine(flags: PoolFlags, terminal: Terminal): Promise<number> {
  return withPool(flags, async (inspector) => {
    const name = flags.pool ?? 'default';
    const what =
      `Pool ${visible(name)} will grant no new machine ID until every lease that could be held has ended, fallback included. ` +
      'Clients that hold a lease renew it. This is for after a restored backup.';
    if (!(await agrees(what, flags, terminal))) return refused(terminal);
    const pool = await inspector.quarantine(flags.pool);
    const until = new Date(pool.quarantinedUntil).toISOString();
    await (flags.json
      ? terminal.json(pool)
      : terminal.line(`pool ${visible(name)} is in quarantine until ${until}`));
    return EXIT.fine;
  });
}

export function revoke(id: string, flags: PoolFlags, terminal: Terminal): Promise<number> {
  const number = wholeNumber('the machine ID', id, 0, 2 ** 30 - 1);
  return withPool(flags, async (inspector) => {
    const what =
      `The lease of machine ID ${number} will be forgotten: it can no longer be released. ` +
      'Its holder is not told and goes on until its window ends; the machine ID stays held until then.';
    if (!(await agrees(what, flags, terminal))) return refused(terminal);
    await inspector.revoke({ id: number, ...named(flags) });
    await (flags.json
      ? terminal.json({ revoked: number })
      : terminal.line(`the lease of machine ID ${number} is revoked`));
    return EXIT.fine;
  });
}

export function changeLayout(
  bitId: string,
  bitSeq: string,
  flags: PoolFlags,
  terminal: Terminal,
): Promise<number> {
  const layout = { bitId: wholeNumber('bitId', bitId, 1, 30), bitSeq: wholeNumber('bitSeq', bitSeq, 1, 30) };
  return withPool(flags, async (inspector) => {
    const before = await inspector.inspectPool(flags.pool);
    // Refuse bad widths before the question.
    kazahanaIdLayout({ ...before.layout, ...layout });
    const what =
      `Pool ${visible(before.name)} will change from ${before.layout.bitId} + ${before.layout.bitSeq} to ${layout.bitId} + ${layout.bitSeq} bits: ` +
      `${2 ** (layout.bitId - 1)} machine IDs with ${2 ** layout.bitSeq} IDs a millisecond each. ` +
      'Leases that are held go on; machine IDs that overlap one of them become free when it ends.';
    if (!(await agrees(what, flags, terminal))) return refused(terminal);
    const pool = await inspector.changeLayout({ ...layout, ...named(flags) });
    await (flags.json ? terminal.json(pool) : terminal.line(poolTitle(pool)));
    return EXIT.fine;
  });
}
