// The checker sees every window that a maker was granted and every ID that it made, after the run. It is pure. It decides
// of which kind each ID is, and finds IDs that were made twice (docs/uniqueness.md), IDs outside of every window
// (rule R1), slots with two holders at a time (R2), and IDs that do not rise (R6).
import { decodeId, type IdLayout } from 'kazahana';

export const KINDS = ['leased', 'fenced', 'random', 'stray'] as const;
export type Kind = (typeof KINDS)[number];

/** A time in which a client held a slot. From `expired` to `end` it may make fenced IDs. */
export interface SlotWindow {
  readonly holder: string;
  readonly slot: number;
  readonly created: number;
  readonly expired: number;
  /** The holder makes no ID from here on: the end of the grace, or the release. */
  readonly end: number;
}

/** A client, or one after another, and all that they did. */
export interface Maker {
  readonly name: string;
  readonly windows: readonly SlotWindow[];
  /** In the order of making. */
  readonly ids: BigUint64Array;
}

export interface Violation {
  readonly rule: 'equal IDs' | 'R1' | 'R2' | 'R6';
  readonly text: string;
}

export interface Verdict {
  readonly ids: Readonly<Record<Kind, number>>;
  readonly violations: readonly Violation[];
  /** Equal IDs of which all but one are random ones: these have odds. */
  readonly randomMeetings: number;
}

export function check(makers: readonly Maker[], layout: IdLayout): Verdict {
  const ids: Record<Kind, number> = { leased: 0, fenced: 0, random: 0, stray: 0 };
  const violations = sharedSlots(makers);
  const equal = equalIds(makers);
  for (const { name, windows, ids: made } of makers) {
    const kindOf = kindIn(windows, layout);
    made.forEach((id, at) => {
      const kind = kindOf(id);
      ids[kind]++;
      equal.get(id)?.push({ name, kind });
      const before = made[at - 1] ?? 0n;
      if (kind === 'stray')
        violations.push({ rule: 'R1', text: `${name} made ${id} outside of its windows` });
      if (at > 0 && id <= before) violations.push({ rule: 'R6', text: `${name} made ${id} after ${before}` });
    });
  }
  const clashes = [...equal].filter(([, made]) => made.filter(({ kind }) => kind !== 'random').length > 1);
  for (const [id, made] of clashes) {
    const who = made.map(({ name, kind }) => `${name} (${kind})`).join(', ');
    violations.push({ rule: 'equal IDs', text: `${id} by ${who}` });
  }
  return { ids, violations, randomMeetings: equal.size - clashes.length };
}

/** Tells the kind of IDs of a maker with these windows. IDs mostly rise, so windows that have ended are passed once. */
export function kindIn(windows: readonly SlotWindow[], layout: IdLayout): (id: bigint) => Kind {
  const half = 2 ** (layout.bitId - 1);
  const sorted = windows.toSorted((a, b) => a.created - b.created);
  let [passed, lastT] = [0, 0];
  return (id) => {
    const { unixMs: t, machineId, fallback } = decodeId(id, layout);
    if (t < lastT) passed = 0;
    lastT = t;
    while ((sorted[passed]?.end ?? Number.POSITIVE_INFINITY) <= t) passed++;
    const slot = fallback ? machineId - half : machineId;
    for (let i = passed; i < sorted.length; i++) {
      const { created, expired, end, slot: held } = sorted[i] as SlotWindow;
      if (created > t) break;
      if (held === slot && t < end && fallback === t >= expired) return fallback ? 'fenced' : 'leased';
    }
    return fallback ? 'random' : 'stray';
  };
}

/** The IDs that were made more than once; by whom is to be filled in. */
function equalIds(makers: readonly Maker[]): Map<bigint, { readonly name: string; readonly kind: Kind }[]> {
  const all = new BigUint64Array(makers.reduce((sum, { ids }) => sum + ids.length, 0));
  let start = 0;
  for (const { ids } of makers) {
    all.set(ids, start);
    start += ids.length;
  }
  all.sort();
  const equal = new Map<bigint, { name: string; kind: Kind }[]>();
  for (let at = 1; at < all.length; at++) if (all[at] === all[at - 1]) equal.set(all[at] as bigint, []);
  return equal;
}

/** Slots that two clients held at a time. A client may renew: its own windows may overlap. */
function sharedSlots(makers: readonly Maker[]): Violation[] {
  const windows = makers.flatMap((maker) => maker.windows).filter(({ created, end }) => created < end);
  const show = ({ holder, created, end }: SlotWindow) => `${holder} from ${created} to ${end}`;
  return [...Map.groupBy(windows, ({ slot }) => slot)].flatMap(([slot, ofSlot]) => {
    let open: SlotWindow[] = [];
    return ofSlot
      .sort((a, b) => a.created - b.created)
      .flatMap((next) => {
        open = open.filter(({ end }) => next.created < end);
        const others = open.filter(({ holder }) => holder !== next.holder);
        open.push(next);
        return others.map((one) => ({
          rule: 'R2' as const,
          text: `slot ${slot}: ${show(one)}, ${show(next)}`,
        }));
      });
  });
}
