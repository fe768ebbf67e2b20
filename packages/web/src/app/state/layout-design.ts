// A layout as it is being designed: what its bits give, or why they do not hold together.
import { type IdLayout, kazahanaIdLayout } from 'kazahana/layout';

export interface Design extends IdLayout {
  readonly years: number;
  /** The last instant that its timestamps can hold. */
  readonly endsAt: number;
  /** Machine numbers that can be leased, half of all. */
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

export type DesignOf =
  | { readonly design: Design }
  | { readonly problem: 'sum' | 'range'; readonly sum: number };

export function design(layout: IdLayout): DesignOf {
  const { customEpoch, bitReserve, bitTs, bitId, bitSeq } = layout;
  const sum = bitReserve + bitTs + bitId + bitSeq;
  if (sum !== 64) return { problem: 'sum', sum };
  try {
    kazahanaIdLayout(layout);
  } catch {
    return { problem: 'range', sum };
  }
  const suffix = bitId + bitSeq - 1;
  return {
    design: {
      ...layout,
      years: 2 ** bitTs / YEAR_MS,
      endsAt: customEpoch + 2 ** bitTs - 1,
      machines: 2 ** bitId,
      leasable: 2 ** (bitId - 1),
      idsPerMs: 2 ** bitSeq,
      idsPerMsOfAll: 2 ** suffix,
      randomPlaces: suffix >= RANDOM_BITS ? 2 ** suffix : null,
    },
  };
}

/** As a pool is configured; what is the default is said all the same, since a pool keeps it for ever. */
export function toConfiguration({ customEpoch, bitReserve, bitTs, bitId, bitSeq }: IdLayout): string {
  return JSON.stringify({ pools: { default: { customEpoch, bitReserve, bitTs, bitId, bitSeq } } }, null, 2);
}
