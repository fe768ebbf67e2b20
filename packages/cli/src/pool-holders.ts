// The leases of a pool by who holds them: a service, on a host, in a process. For people, who have some processes with many
// leases each.
import type { InspectedLease } from 'kazahana/lease';
import { padEnd, padStart, truncate, widthOf, wrap } from './text-width.js';
import { relativeText } from './time-text.js';
import { visible } from './visible.js';

export interface HolderOfLeases {
  readonly serviceId: string;
  readonly host: string;
  readonly process: string;
  readonly machineIds: readonly number[];
  /** When the first of its leases expires, and when the last of its machine IDs is free. */
  readonly expired: number;
  readonly free: number;
}

/** What a holder tells of itself; a host or a process that is not told is "–". */
const UNTOLD = '–';

const keyOf = ({ serviceId, holder }: InspectedLease) =>
  JSON.stringify([serviceId, holder.host ?? UNTOLD, holder.process ?? holder.pid ?? UNTOLD]);

/** Gathers leases one by one; there are fewer holders than leases. */
export class Holders {
  readonly #byKey = new Map<string, { machineIds: number[]; expired: number; free: number }>();

  add(lease: InspectedLease): void {
    const key = keyOf(lease);
    const { id, expired, fallbackUntil } = lease;
    const known = this.#byKey.get(key);
    if (!known) this.#byKey.set(key, { machineIds: [id], expired, free: fallbackUntil });
    else {
      known.machineIds.push(id);
      known.expired = Math.min(known.expired, expired);
      known.free = Math.max(known.free, fallbackUntil);
    }
  }

  /** By service, host and process. */
  get all(): HolderOfLeases[] {
    return [...this.#byKey]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, held]) => {
        const [serviceId, host, process] = JSON.parse(key) as [string, string, string];
        return { serviceId, host, process, ...held };
      });
  }
}

/** Machine IDs in a few characters: `0–2, 5, 9–12`. */
export function rangesText(machineIds: readonly number[]): string {
  const ranges: { from: number; to: number }[] = [];
  for (const id of machineIds.toSorted((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last && id === last.to + 1) last.to = id;
    else if (last?.to !== id) ranges.push({ from: id, to: id });
  }
  return ranges.map(({ from, to }) => (from === to ? String(from) : `${from}–${to}`)).join(', ');
}

/** The columns before the count are names. */
const HEADER = ['service', 'host', 'process', 'count', 'machine IDs', 'expires'];
const COUNT = 3;
const IDS = 4;
/** Columns for the machine IDs, whatever is left for them. */
const LEAST_IDS = 11;
/** Longer names are cut. */
const LONGEST_NAME = 24;
const GAP = '  ';

function cellsOf({ serviceId, host, process, machineIds, expired }: HolderOfLeases, now: number): string[] {
  const count = String(machineIds.length);
  return [serviceId, host, process, count, rangesText(machineIds), relativeText(expired, now)].map(visible);
}

/** A row each; on a terminal that is too narrow for the columns, two lines each. */
export function holderTable(holders: readonly HolderOfLeases[], now: number, columns: number): string[] {
  const rows = holders.map((holder) => cellsOf(holder, now));
  const cut = (row: readonly string[]) =>
    row.map((cell, column) => (column < COUNT && columns < Infinity ? truncate(cell, LONGEST_NAME) : cell));
  const all = [HEADER, ...rows.map(cut)];
  const widths = HEADER.map((_, column) => Math.max(...all.map((row) => widthOf(row[column] ?? ''))));
  const others = widths.reduce((sum, width, column) => (column === IDS ? sum : sum + width + GAP.length), 0);
  const room = columns - others;
  if (room < LEAST_IDS) return rows.flatMap((row) => narrow(row, columns));
  const idsWidth = Math.min(widths[IDS] ?? 0, room);
  return all.map((row) =>
    row
      .map((cell, column) => {
        if (column === IDS) return padEnd(truncate(cell, idsWidth), idsWidth);
        return column === COUNT ? padStart(cell, widths[column] ?? 0) : padEnd(cell, widths[column] ?? 0);
      })
      .join(GAP)
      .trimEnd(),
  );
}

function narrow(
  [service = '', host = '', process = '', count, ids, expires]: readonly string[],
  columns: number,
) {
  return [
    truncate(`${service}  ${host}  ${process}`, columns),
    ...wrap(`${count}: ${ids}`, columns - 2).map((line) => `  ${line}`),
    `  expires ${expires}`,
  ];
}
