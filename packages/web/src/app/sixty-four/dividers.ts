// The dividers between the four parts of a layout. A divider moves bits from one part to its neighbour, and stops where the
// library would refuse the layout: whatever is done with it, the layout holds.
import type { IdLayout } from 'kazahana/layout';

/** From the most significant bits to the least. */
export const PARTS = ['bitReserve', 'bitTs', 'bitId', 'bitSeq'] as const;
export type LayoutPart = (typeof PARTS)[number];
/** Between a part and the next one. */
export const DIVIDERS = [0, 1, 2] as const;
export type Divider = (typeof DIVIDERS)[number];

/** What the library allows for each part, and for machine and sequence together. */
const LIMITS: Readonly<Record<LayoutPart, readonly [min: number, max: number]>> = {
  bitReserve: [1, 32],
  bitTs: [1, 52],
  bitId: [1, 30],
  bitSeq: [1, 30],
};
const MAX_SUFFIX = 31;
const MAX_UNIX_MS = 8_640_000_000_000_000;

const isWithin = (layout: IdLayout, part: LayoutPart) =>
  layout[part] >= LIMITS[part][0] && layout[part] <= LIMITS[part][1];

export function isAllowed(layout: IdLayout): boolean {
  const { customEpoch, bitReserve, bitTs, bitId, bitSeq } = layout;
  return (
    PARTS.every((part) => Number.isInteger(layout[part]) && isWithin(layout, part)) &&
    bitId + bitSeq <= MAX_SUFFIX &&
    bitReserve + bitTs + bitId + bitSeq === 64 &&
    Number.isInteger(customEpoch) &&
    customEpoch >= 0 &&
    customEpoch <= MAX_UNIX_MS - 2 ** bitTs
  );
}

/** So many bits to the right; to the left when negative. It goes as far as it may. */
export function moveDivider(layout: IdLayout, divider: Divider, by: number): IdLayout {
  const left = PARTS[divider] as LayoutPart;
  const right = PARTS[divider + 1] as LayoutPart;
  let moved = layout;
  for (let steps = Math.abs(Math.trunc(by)); steps > 0; steps--) {
    const next = { ...moved, [left]: moved[left] + Math.sign(by), [right]: moved[right] - Math.sign(by) };
    if (!isAllowed(next)) break;
    moved = next;
  }
  return moved;
}

/** How many bits stand before a divider. */
export function placeOf(layout: IdLayout, divider: Divider): number {
  return PARTS.slice(0, divider + 1).reduce((sum, part) => sum + layout[part], 0);
}
