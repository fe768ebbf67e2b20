// Of which kind an ID is, by the windows that its client was granted.
import { HALF, SUFFIX_BITS } from './id.ts';

export const KINDS = ['leased', 'fenced', 'random', 'stray'] as const;
/** `stray`: outside of every window of its client, which breaks rule R1. */
export type Kind = (typeof KINDS)[number];
export type Counts = Record<Kind, number>;
export const noCounts = (): Counts => ({ leased: 0, fenced: 0, random: 0, stray: 0 });

/** A time in which a client held a slot. From `expired` to `end` it may make fenced IDs. */
export interface SlotWindow {
  readonly holder: string;
  readonly slot: number;
  /** A slot is a range of so many bits of suffixes. */
  readonly bitSeq: number;
  readonly created: number;
  readonly expired: number;
  /** The holder makes no ID from here on: the end of the grace, or the release. */
  readonly end: number;
}

/** Tells the kind of an ID of a client with these windows, by its time and suffix. */
export function kindIn(windows: readonly SlotWindow[]): (unixMs: number, suffix: number) => Kind {
  const sorted = windows.toSorted((a, b) => a.created - b.created);
  /** The latest end among a window and all that began before it. */
  let latest = Number.NEGATIVE_INFINITY;
  const ends = sorted.map(({ end }) => {
    latest = Math.max(latest, end);
    return latest;
  });
  const matches = (one: SlotWindow, t: number, suffix: number) => {
    const first = one.slot * 2 ** one.bitSeq + (suffix < HALF ? 0 : HALF);
    const isInTime = one.created <= t && t < one.end && suffix >= HALF === t >= one.expired;
    return isInTime && first <= suffix && suffix < first + 2 ** one.bitSeq;
  };
  // Most IDs are of the same window as the one before.
  let last: SlotWindow | undefined;
  return (t, suffix) => {
    const isFallback = suffix >= HALF;
    if (last && matches(last, t, suffix)) return isFallback ? 'fenced' : 'leased';
    for (let at = lastBegun(sorted, t); at >= 0 && (ends[at] ?? 0) > t; at--) {
      const one = sorted[at] as SlotWindow;
      if (!matches(one, t, suffix)) continue;
      last = one;
      return isFallback ? 'fenced' : 'leased';
    }
    return isFallback ? 'random' : 'stray';
  };
}

/** The place of the last window that has begun at `t`; -1 when none has. */
function lastBegun(sorted: readonly SlotWindow[], t: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] as SlotWindow).created <= t) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Pairs of windows of different holders that have a suffix and a time in common (rule R2); `show` gets each. */
export function sharedSlots(
  windows: readonly SlotWindow[],
  show: (one: SlotWindow, other: SlotWindow) => void,
): void {
  const held = windows.filter(({ created, end }) => created < end);
  // Layouts differ: in units of the narrowest slot, a window is one of several.
  const unitBits = held.reduce((least, { bitSeq }) => Math.min(least, bitSeq), SUFFIX_BITS);
  const byUnit = new Map<number, SlotWindow[]>();
  for (const one of held) {
    const units = 2 ** (one.bitSeq - unitBits);
    for (let unit = one.slot * units; unit < (one.slot + 1) * units; unit++) {
      const ofUnit = byUnit.get(unit);
      if (ofUnit) ofUnit.push(one);
      else byUnit.set(unit, [one]);
    }
  }
  for (const ofUnit of byUnit.values()) {
    let open: SlotWindow[] = [];
    for (const next of ofUnit.sort((a, b) => a.created - b.created)) {
      open = open.filter(({ end }) => next.created < end);
      // A client may renew: its own windows may overlap.
      for (const other of open) if (other.holder !== next.holder) show(other, next);
      open.push(next);
    }
  }
}
