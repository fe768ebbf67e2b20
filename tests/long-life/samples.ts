// What is measured of a long life, and whether it stays flat: over the second half, the last quarter is no higher than the one
// before it, but for a little.

export interface Sample {
  /** Seconds since the beginning. */
  readonly at: number;
  /** Bytes of the heap after a collection. */
  readonly heap: number;
  /** Sockets, servers and timers of the process. */
  readonly handles: number;
  /** Rows or keys in the store. */
  readonly records: number;
  readonly renewals: number;
}

export interface Life {
  readonly name: string;
  readonly samples: readonly Sample[];
  /** How many leases clients took that crashed, and how many they were refused. */
  readonly crashes: { readonly granted: number; readonly refused: number };
  /** How often healthy clients of another service were refused a lease, by the reason. */
  readonly healthyRefused: Readonly<Record<string, number>>;
  readonly layoutChanges: number;
  readonly fallbackIds: number;
  readonly ids: number;
}

export const MEASURES = ['heap', 'handles', 'records'] as const;
export type Measure = (typeof MEASURES)[number];

/** What a measure may rise by in the last quarter: a part of itself, or a little where it is small. */
const ALLOWED: Readonly<Record<Measure, { readonly part: number; readonly least: number }>> = {
  heap: { part: 0.05, least: 512 * 1024 },
  handles: { part: 0.1, least: 8 },
  records: { part: 0.1, least: 32 },
};

const median = (values: readonly number[]) => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;

/** The medians of the third and of the fourth quarter of a life. */
export function quarters(
  samples: readonly Sample[],
  measure: Measure,
): readonly [third: number, fourth: number] {
  const values = samples.map((sample) => sample[measure]);
  const part = Math.floor(values.length / 4);
  return [median(values.slice(2 * part, 3 * part)), median(values.slice(3 * part))];
}

export function isFlat(samples: readonly Sample[], measure: Measure): boolean {
  const [third, fourth] = quarters(samples, measure);
  const { part, least } = ALLOWED[measure];
  return fourth - third <= Math.max(third * part, least);
}
