// What each line must reach, once, as data: ratios within one run, except where the unit says otherwise.

export interface Goal {
  readonly line: string;
  /** What it is measured against, or the unit of a line that stands alone. */
  readonly against: string;
  /** At least so many times as fast, or at least this share. */
  readonly atLeast?: number;
  /** At most so many times the time, or at most so many of the unit. */
  readonly atMost?: number;
}

export const GOALS: readonly Goal[] = [
  { line: 'v4', against: 'crypto.randomUUID', atLeast: 6 },
  { line: 'v4', against: '@napi-rs/uuid', atLeast: 2.4 },
  { line: 'v4', against: 'uniku', atLeast: 3.5 },
  { line: 'v7', against: 'uuid', atLeast: 20 },
  { line: 'v7', against: 'uuidv7', atLeast: 9 },
  { line: 'v7', against: 'uniku', atLeast: 3 },
  { line: 'v7', against: 'crypto.randomUUIDv7', atLeast: 3.5 },
  { line: 'v7', against: 'Date.now', atMost: 1.8 },
  { line: 'v7, many, strings', against: 'uuid', atLeast: 60 },
  { line: 'v7, many, bytes', against: 'uuid', atLeast: 200 },
  { line: 'v1', against: 'uuid', atLeast: 20 },
  { line: 'isUuid, valid', against: 'uuid', atLeast: 2 },
  { line: 'isUuid, invalid', against: 'uuid', atLeast: 2 },
  { line: 'validateUuid, valid', against: 'uuid', atLeast: 1 },
  { line: 'text to bytes', against: 'uuid', atLeast: 5 },
  { line: 'text into a buffer', against: 'uuid', atLeast: 7 },
  { line: 'bytes to text', against: 'uuid', atLeast: 6 },
  { line: 'nextIdSync', against: 'Date.now', atMost: 1.4 },
  { line: 'nextIdSync', against: 'the fastest peer', atLeast: 1.6 },
  { line: 'nextIdSync, 256 leases', against: 'Date.now', atMost: 1.4 },
  { line: 'nextId, awaited', against: 'nextIdSync', atMost: 2.2 },
  { line: 'fill', against: 'ns an ID', atMost: 2.5 },
  { line: '256 a ms, one by one', against: 'made ÷ allowed', atLeast: 0.995 },
  { line: '256 a ms, one by one', against: 'cores', atMost: 0.1 },
  { line: '4,096 a ms, one by one', against: 'made ÷ allowed', atLeast: 0.99 },
  { line: '4,096 a ms, one by one', against: 'cores', atMost: 0.45 },
  { line: '4,096 a ms, in batches', against: 'made ÷ allowed', atLeast: 0.99 },
  { line: '4,096 a ms, in batches', against: 'cores', atMost: 0.08 },
  { line: 'external ID, keyed, encode', against: 'hashids', atLeast: 10 },
  { line: 'external ID, keyed, decode', against: 'hashids', atLeast: 20 },
  { line: 'external ID, keyless, encode', against: 'hashids', atLeast: 25 },
  { line: 'external ID, keyless, decode', against: 'hashids', atLeast: 45 },
  { line: '10 M v7 through a pipe', against: 'yes', atLeast: 0.5 },
];

/** `bench:check` fails below this share of a goal: machines and their load differ. */
export const TOLERATED_SHARE = 0.75;

export function goalOf(line: string, against: string): Goal | undefined {
  return GOALS.find((goal) => goal.line === line && goal.against === against);
}

/** How far a goal is reached: 1 or more is all of it. */
export function shareOfGoal({ atLeast, atMost }: Goal, value: number): number {
  if (atLeast !== undefined) return value / atLeast;
  return (atMost ?? Number.NaN) / value;
}
