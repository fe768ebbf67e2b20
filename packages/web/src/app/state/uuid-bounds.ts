// The lowest and the highest ID of an instant, for range queries: v7 and kazahana. A v1 does not sort by its time, and
// a v4 has none.
import { maxIdAt, minIdAt } from 'kazahana';
import { maxUuidV7At, minUuidV7At } from 'kazahana/uuid';

export interface Bounds {
  readonly lowest: string;
  readonly highest: string;
}

export type BoundsOf = { readonly bounds: Bounds } | { readonly problem: 'time' | 'range' };

/** Unix milliseconds of what a person writes: a number, or a date and time, UTC when no zone is said. */
export function readTime(text: string): number | undefined {
  const trimmed = text.trim();
  if (/^-?\d{5,16}$/.test(trimmed)) return Number(trimmed);
  const match = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?)\s*(Z|[+-]\d\d:?\d\d)?)?$/i.exec(
    trimmed,
  );
  if (!match) return undefined;
  const [, day, time = '00:00', zone = 'Z'] = match;
  const unixMs = Date.parse(`${day}T${time}${zone}`);
  if (Number.isNaN(unixMs)) return undefined;
  // Date would take the 30th of February for a day in March.
  return new Date(`${day}T00:00Z`).toISOString().startsWith(day ?? '') ? unixMs : undefined;
}

export function boundsAt(kind: 'v7' | 'kazahana', text: string): BoundsOf {
  const unixMs = readTime(text);
  if (unixMs === undefined) return { problem: 'time' };
  try {
    return kind === 'v7'
      ? { bounds: { lowest: minUuidV7At(unixMs), highest: maxUuidV7At(unixMs) } }
      : { bounds: { lowest: String(minIdAt(unixMs)), highest: String(maxIdAt(unixMs)) } };
  } catch {
    return { problem: 'range' };
  }
}
