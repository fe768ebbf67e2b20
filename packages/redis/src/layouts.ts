// The layouts that a pool has and had (rule R4): leases of former ones live on beside those of the present one.
import type { LeaseRecord, PoolRecord } from 'kazahana/lease';
import type { ChangeScript } from './pool-book.js';
import { slotText } from './records.js';
import { RELAYOUT } from './scripts.js';

type Widths = Pick<LeaseRecord, 'bitSeq'>;

/** What stands before the slots of a layout where leases of several layouts are kept together. */
export const layoutMark = ({ bitSeq }: Widths): string => `${bitSeq}:`;

/** Where a lease of a slot is kept, in a pool that may have had other layouts. */
export function fieldOf({ layout }: Pick<PoolRecord, 'layout'>, { bitSeq }: Widths, slot: number): string {
  return bitSeq === layout.bitSeq ? slotText(slot) : layoutMark({ bitSeq }) + slotText(slot);
}

/** Where leases of a slot may be kept, whatever layout they are of. */
export function fieldsOf(pool: Pick<PoolRecord, 'layout' | 'former'>, slot: number): readonly string[] {
  const layouts = [pool.layout, ...pool.former];
  return [...new Set(layouts.map((layout) => fieldOf(pool, layout, slot)))];
}

/** How a change of layout is written: with all slots and leases. */
export function relayoutScript(before: PoolRecord, after: PoolRecord): ChangeScript {
  const args = [before, after].map(({ layout }) => String(layout.bitSeq));
  return { script: RELAYOUT, args };
}
