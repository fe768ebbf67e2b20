// The lowest and the highest ID of an instant, for range queries: v7 and kazahana. A v1 does not sort by its time, and
// a v4 has none.
import { maxIdAt, minIdAt } from 'kazahana';
import { maxUuidV7At, minUuidV7At } from 'kazahana/uuid';
import { readTime } from '../state/written-time.js';

export interface Bounds {
  readonly lowest: string;
  readonly highest: string;
}

export type BoundsOf = { readonly bounds: Bounds } | { readonly problem: 'time' | 'range' };

const MAX_UNIX_MS = 2 ** 48 - 1;

export function boundsAt(kind: 'v7' | 'kazahana', text: string): BoundsOf {
  const unixMs = readTime(text);
  if (unixMs === undefined) return { problem: 'time' };
  if (kind === 'v7') {
    if (unixMs < 0 || unixMs > MAX_UNIX_MS) return { problem: 'range' };
    return { bounds: { lowest: minUuidV7At(unixMs), highest: maxUuidV7At(unixMs) } };
  }
  try {
    return { bounds: { lowest: String(minIdAt(unixMs)), highest: String(maxIdAt(unixMs)) } };
  } catch {
    return { problem: 'range' };
  }
}
