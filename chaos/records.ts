// What makers and servers write down, and how the checker gets it: `<maker>.jsonl` has the events of a maker, `<maker>.ids` its
// IDs, `<server>.grants` what the client inside a server was granted. All times are the machine's, though a maker's own clock is wrong.
import { closeSync, existsSync, openSync, readdirSync, readFileSync, readSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { DEFAULT_ID_LAYOUT } from 'kazahana';
import { type AcquireResponse, type LeaseProvider, type ReleaseOptions, signRelease } from 'kazahana/lease';
import type { CheckedClient, Maker } from './checker/check.ts';
import type { Pieces } from './checker/id.ts';
import type { SlotWindow } from './checker/kinds.ts';

export type MakerEvent =
  | ({ readonly kind: 'lease'; readonly customEpoch: number } & SlotWindow)
  | ({ readonly kind: 'release'; readonly timestamp: number } & Pick<
      SlotWindow,
      'holder' | 'slot' | 'bitSeq'
    >)
  /** From the next ID on, they are of this client. */
  | { readonly kind: 'client'; readonly holder: string; readonly from: number }
  /** So many IDs have been written down. */
  | { readonly kind: 'made'; readonly ids: number }
  /** A request for leases is under way, or over. */
  | { readonly kind: 'acquiring' | 'acquired' }
  /**
   * A loss of the store that the provider has noticed; a request that has failed; the first fallback ID of several; a
   * warning of the client, by its kind.
   */
  | { readonly kind: 'loss' | 'failed' | 'fallback' | 'warning'; readonly why: string }
  /** A call for so many IDs was rejected, with this code and that of its cause. */
  | { readonly kind: 'refused'; readonly ids: number; readonly why: string };
export type NotedEvent = MakerEvent & { readonly at: number; readonly by: string };

/** Of the monotonic clock against the time, in milliseconds; the same for all processes of a machine. */
export const clockOffset = (): number => Date.now() - monotonicMs();
const monotonicMs = () => Number(process.hrtime.bigint() / 1000n) / 1000;

/** Set for processes that may have a clock of their own. */
const OFFSET_VARIABLE = 'CHAOS_CLOCK_OFFSET';
export const withClockOffset = (): Record<string, string> => ({ [OFFSET_VARIABLE]: String(clockOffset()) });

/** The machine's time, also where libfaketime moves the process's. */
export function machineNow(): number {
  const { [OFFSET_VARIABLE]: offset } = process.env;
  return offset === undefined ? Date.now() : Math.round(Number(offset) + monotonicMs());
}

/** Marks when how many IDs were made are this far apart. */
const MARK_MS = 250;

/** Writes at once: the process may be killed at any moment. */
export function openRecord(folder: string, name: string) {
  const [events = -1, file = -1] = ['jsonl', 'ids'].map((ending) =>
    openSync(join(folder, `${name}.${ending}`), 'a'),
  );
  let [ids, markAt] = [0, 0];
  const note = (event: MakerEvent) =>
    void writeSync(events, `${JSON.stringify({ at: machineNow(), ...event })}\n`);
  return {
    note,
    /** From now on, IDs are of this client. */
    begin: (holder: string) => note({ kind: 'client', holder, from: ids }),
    add(made: readonly bigint[] | BigUint64Array<ArrayBuffer>) {
      const words = made instanceof BigUint64Array ? made : BigUint64Array.from(made);
      writeSync(file, new Uint8Array(words.buffer, words.byteOffset, words.byteLength));
      ids += words.length;
      const now = machineNow();
      if (now < markAt) return;
      markAt = now + MARK_MS;
      note({ kind: 'made', ids });
    },
    /** The last mark. */
    end: () => note({ kind: 'made', ids }),
  };
}
export type MakerRecord = ReturnType<typeof openRecord>;

const windowsIn = ({ leases }: AcquireResponse, holder: string) =>
  leases.map(({ id, bitSeq, created, expired, fallbackUntil = expired, customEpoch }) => ({
    ...{
      kind: 'lease' as const,
      holder,
      slot: id,
      bitSeq,
      created,
      expired,
      end: fallbackUntil,
      customEpoch,
    },
  }));

/** A client releases none of the leases that it had before so many others. */
const MOST_REMEMBERED = 100;

/** Notes leases and releases of a holder. */
export function windowNotes(note: (event: MakerEvent) => void, holder: string) {
  /** Two slots of different widths may have one number: the signature of a release tells which of them it is. */
  const bitSeqOf = new Map<string, number>();
  return {
    granted(response: AcquireResponse) {
      for (const { secret, bitSeq } of response.leases) bitSeqOf.set(secret, bitSeq);
      for (const oldest of bitSeqOf.keys()) if (bitSeqOf.size > MOST_REMEMBERED) bitSeqOf.delete(oldest);
      for (const window of windowsIn(response, holder)) note(window);
    },
    released({ id, timestamp, signature }: ReleaseOptions) {
      const isOf = ([secret]: readonly [string, number]) => signRelease(secret, id, timestamp) === signature;
      const [secret = '', bitSeq = 0] = [...bitSeqOf].find(isOf) ?? [];
      bitSeqOf.delete(secret);
      note({ kind: 'release', holder, slot: id, bitSeq, timestamp });
    },
  };
}

/** The provider, with every lease and every release of a holder noted. */
export function recorded(provider: LeaseProvider, note: MakerRecord['note'], holder: string): LeaseProvider {
  const windows = windowNotes(note, holder);
  return {
    async acquire(options, call) {
      const response = await provider.acquire(options, call);
      // Leases in the response to another client's request are none of this one's (rule R8).
      if ((response.requestId ?? options.requestId) === options.requestId) windows.granted(response);
      return response;
    },
    release(options, call) {
      windows.released(options);
      return provider.release(options, call);
    },
  };
}

/** A process that is killed may leave half a line, and behind the last whole one is nothing. */
function readLines(file: string): Record<string, unknown>[] {
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line));
}

export const readEvents = (folder: string, name: string): NotedEvent[] =>
  readLines(join(folder, `${name}.jsonl`)).map((event) => ({ ...(event as NotedEvent), by: name }));

const namesOf = (folder: string, ending: string) =>
  readdirSync(folder).flatMap((file) => (file.endsWith(ending) ? [file.slice(0, -ending.length)] : []));
export const makerNames = (folder: string): string[] => namesOf(folder, '.jsonl');

/** What makers held, by their leases and releases. */
export function windowsOf(events: readonly MakerEvent[]): SlotWindow[] {
  const windows = new Map<string, SlotWindow[]>();
  const known = new Set<string>();
  for (const event of events) {
    if (event.kind !== 'lease' && event.kind !== 'release') continue;
    const place = `${event.holder} ${event.slot} ${event.bitSeq}`;
    const ofSlot = windows.get(place) ?? [];
    if (event.kind === 'lease') {
      const key = `${place} ${event.created}`;
      // A response that comes again grants nothing new (rule R8), released or not.
      if (!known.has(key)) windows.set(place, [...ofSlot, event]);
      known.add(key);
      continue;
    }
    // It ends all windows of the slot: earlier ones were renewed.
    const shorten = ({ created, end }: SlotWindow) => Math.min(end, Math.max(created, event.timestamp + 1));
    windows.set(
      place,
      ofSlot.map((one) => ({ ...one, end: shorten(one) })),
    );
  }
  return [...windows.values()].flat();
}

const PIECE_BYTES = 2 ** 20;

/** IDs in a file; a whole number of them, whatever a killed process has left. */
function piecesOfFile(path: string): Pieces {
  return function* () {
    if (!existsSync(path)) return;
    const file = openSync(path, 'r');
    const words = new Uint32Array(PIECE_BYTES / 4);
    try {
      for (let rest = 0; ; ) {
        const bytes = rest + readSync(file, new Uint8Array(words.buffer, rest));
        if (bytes === rest) return;
        const whole = bytes - (bytes % 8);
        yield words.subarray(0, whole / 4);
        new Uint8Array(words.buffer).copyWithin(0, whole, bytes);
        rest = bytes - whole;
      }
    } finally {
      closeSync(file);
    }
  };
}

/** Windows of the clients inside servers, which make IDs for `POST /ids`. */
export function grantedInServers(folder: string): SlotWindow[] {
  return namesOf(folder, '.grants').flatMap((name) =>
    windowsOf(readLines(join(folder, `${name}.grants`)) as unknown as MakerEvent[]),
  );
}

/** Leases of pools with another epoch are none that a maker may use: they are left out (rule R4). */
export function readMakers(folder: string, epoch = DEFAULT_ID_LAYOUT.customEpoch): Maker[] {
  const inServers = grantedInServers(folder);
  return makerNames(folder).map((name) => {
    const events = readEvents(folder, name);
    const isUsable = (event: MakerEvent) => event.kind !== 'lease' || event.customEpoch === epoch;
    const windows = Map.groupBy(windowsOf(events.filter(isUsable)), ({ holder }) => holder);
    const clients = events.flatMap((event): CheckedClient[] =>
      event.kind === 'client'
        ? [{ holder: event.holder, from: event.from, windows: windows.get(event.holder) ?? [] }]
        : [],
    );
    const marks = events.flatMap((event) =>
      event.kind === 'made' ? [{ at: event.at, ids: event.ids }] : [],
    );
    const pieces = piecesOfFile(join(folder, `${name}.ids`));
    const isMixed = name.startsWith(MINTED);
    return isMixed
      ? { name, pieces, marks, isMixed, clients: clients.map((one) => ({ ...one, windows: inServers })) }
      : { name, pieces, marks, clients };
  });
}

/** Names of makers that get IDs from `POST /ids` begin with this. */
export const MINTED = 'mint';
