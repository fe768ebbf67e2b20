// What makers write down, and how that is read: `<maker>.jsonl` has the events of a maker, `<maker>.ids` its IDs.
import { openSync, readdirSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { DEFAULT_ID_LAYOUT } from 'kazahana';
import type { LeaseProvider } from 'kazahana/lease';
import type { Maker, SlotWindow } from './check.ts';

export type MakerEvent =
  | ({ readonly kind: 'lease'; readonly customEpoch: number } & SlotWindow)
  | { readonly kind: 'release'; readonly holder: string; readonly slot: number; readonly timestamp: number }
  /**
   * A loss of the store that the provider has noticed; a request that has failed; the first fallback ID of several; a
   * warning of the client, by its kind.
   */
  | { readonly kind: 'loss' | 'failed' | 'fallback' | 'warning'; readonly why: string }
  /** A call for so many IDs was rejected, with this code and that of its cause. */
  | { readonly kind: 'refused'; readonly ids: number; readonly why: string };
export type NotedEvent = MakerEvent & { readonly at: number; readonly by: string };

/** Writes at once: the process may be killed at any moment. */
export function openRecord(folder: string, name: string) {
  const [events = -1, ids = -1] = ['jsonl', 'ids'].map((ending) =>
    openSync(join(folder, `${name}.${ending}`), 'a'),
  );
  return {
    note: (event: MakerEvent) => void writeSync(events, `${JSON.stringify({ at: Date.now(), ...event })}\n`),
    add: (made: readonly bigint[]) => void writeSync(ids, new Uint8Array(BigUint64Array.from(made).buffer)),
  };
}
export type MakerRecord = ReturnType<typeof openRecord>;

/** The provider, with every lease and every release of a holder noted. */
export function recorded(provider: LeaseProvider, note: MakerRecord['note'], holder: string): LeaseProvider {
  return {
    async acquire(options, call) {
      const response = await provider.acquire(options, call);
      for (const { id, created, expired, fallbackUntil = expired, customEpoch } of response.leases)
        note({ kind: 'lease', holder, slot: id, created, expired, end: fallbackUntil, customEpoch });
      return response;
    },
    release(options, call) {
      note({ kind: 'release', holder, slot: options.id, timestamp: options.timestamp });
      return provider.release(options, call);
    },
  };
}

export function readEvents(folder: string, name: string): NotedEvent[] {
  const lines = readFileSync(join(folder, `${name}.jsonl`), 'utf8').split('\n');
  // A process that is killed may leave half a line, and behind the last whole one is nothing.
  return lines.slice(0, -1).map((line) => ({ ...JSON.parse(line), by: name }));
}

export const makerNames = (folder: string): string[] =>
  readdirSync(folder).flatMap((file) => (file.endsWith('.jsonl') ? [file.slice(0, -'.jsonl'.length)] : []));

/** What a maker held, by its leases and releases. */
export function windowsOf(events: readonly MakerEvent[]): SlotWindow[] {
  let windows: SlotWindow[] = [];
  const known = new Set<string>();
  for (const event of events) {
    if (event.kind === 'lease') {
      const key = `${event.holder} ${event.slot} ${event.created}`;
      // A response that comes again grants nothing new (rule R8), released or not.
      if (!known.has(key)) windows.push(event);
      known.add(key);
    }
    if (event.kind !== 'release') continue;
    // It ends all windows of the slot: earlier ones were renewed.
    const shorten = ({ created, end }: SlotWindow) => Math.min(end, Math.max(created, event.timestamp + 1));
    const isReleased = (one: SlotWindow) => one.holder === event.holder && one.slot === event.slot;
    windows = windows.map((one) => (isReleased(one) ? { ...one, end: shorten(one) } : one));
  }
  return windows;
}

/** Leases of pools with another epoch are none that a maker may use: they are left out (rule R4). */
export function readMakers(folder: string, epoch = DEFAULT_ID_LAYOUT.customEpoch): Maker[] {
  const isUsable = (event: MakerEvent) => event.kind !== 'lease' || event.customEpoch === epoch;
  return makerNames(folder).map((name) => {
    const bytes = readFileSync(join(folder, `${name}.ids`));
    const ids = new BigUint64Array(
      Uint8Array.from(bytes.subarray(0, bytes.length - (bytes.length % 8))).buffer,
    );
    return { name, windows: windowsOf(readEvents(folder, name).filter(isUsable)), ids };
  });
}
