// A layout as it is being designed: what its bits give.
import { DEFAULT_ID_LAYOUT, type IdLayout } from 'kazahana/layout';
import { isAllowed } from './dividers.js';

export interface Design {
  readonly years: number;
  /** The last instant that its timestamps can hold. */
  readonly endsAt: number;
  /** Machine IDs that can be leased, half of all. */
  readonly leasable: number;
  readonly machines: number;
  readonly idsPerMs: number;
  /** What all leases make together in a millisecond. */
  readonly idsPerMsOfAll: number;
  /** Where a random suffix can start; null when the layout is too narrow for random fallback (rule R5). */
  readonly randomPlaces: number | null;
}

const YEAR_MS = 365.25 * 24 * 3600 * 1000;
/** The random fallback needs this many bits below the fallback bit. */
const RANDOM_BITS = 21;

/** Layouts to start from. */
export const PRESETS = {
  default: DEFAULT_ID_LAYOUT,
  manyMachines: { ...DEFAULT_ID_LAYOUT, bitId: 18, bitSeq: 4 },
  fewMachines: { ...DEFAULT_ID_LAYOUT, bitId: 8, bitSeq: 14 },
  longLife: { ...DEFAULT_ID_LAYOUT, bitTs: 45, bitId: 12, bitSeq: 6 },
  twitter: { customEpoch: 1_288_834_974_657, bitReserve: 1, bitTs: 41, bitId: 10, bitSeq: 12 },
} as const satisfies Readonly<Record<string, IdLayout>>;
export type PresetName = keyof typeof PRESETS;

export function designOf({ customEpoch, bitTs, bitId, bitSeq }: IdLayout): Design {
  const suffix = bitId + bitSeq - 1;
  return {
    years: 2 ** bitTs / YEAR_MS,
    endsAt: customEpoch + 2 ** bitTs - 1,
    machines: 2 ** bitId,
    leasable: 2 ** (bitId - 1),
    idsPerMs: 2 ** bitSeq,
    idsPerMsOfAll: 2 ** suffix,
    randomPlaces: suffix >= RANDOM_BITS ? 2 ** suffix : null,
  };
}

/** What is wrong with the values of a link; nothing is guessed from a link that is wrong. */
export type LinkProblem = 'epoch' | 'bits';

const numberOf = (text: string | undefined, otherwise: number): number =>
  text === undefined ? otherwise : /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;

/** The layout of a link. */
export function fromLink(
  values: Readonly<Record<string, string>>,
): { readonly layout: IdLayout } | { readonly problem: LinkProblem } {
  const layout = {
    customEpoch: numberOf(values.epoch, DEFAULT_ID_LAYOUT.customEpoch),
    bitReserve: numberOf(values.reserve, DEFAULT_ID_LAYOUT.bitReserve),
    bitTs: numberOf(values.ts, DEFAULT_ID_LAYOUT.bitTs),
    bitId: numberOf(values.machine, DEFAULT_ID_LAYOUT.bitId),
    bitSeq: numberOf(values.seq, DEFAULT_ID_LAYOUT.bitSeq),
  };
  if (isAllowed(layout)) return { layout };
  const isEpoch = isAllowed({ ...layout, customEpoch: DEFAULT_ID_LAYOUT.customEpoch });
  return { problem: isEpoch ? 'epoch' : 'bits' };
}

export function toLink({ customEpoch, bitReserve, bitTs, bitId, bitSeq }: IdLayout): Record<string, string> {
  return {
    epoch: String(customEpoch),
    reserve: String(bitReserve),
    ts: String(bitTs),
    machine: String(bitId),
    seq: String(bitSeq),
  };
}

/** As a pool is configured; what is the default is said all the same, since a pool keeps it for ever. */
export function toConfiguration({ customEpoch, bitReserve, bitTs, bitId, bitSeq }: IdLayout): string {
  return JSON.stringify({ pools: { default: { customEpoch, bitReserve, bitTs, bitId, bitSeq } } }, null, 2);
}
