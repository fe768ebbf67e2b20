// What a machine lacks is skipped loudly; where no developer reads along (CI=true) skipping is a failure.

export interface Skipped {
  readonly name: string;
  readonly missing: string;
  readonly install: string;
}

/** Lists what was skipped and what to install for it; returns whether that is acceptable here. */
export function reportSkipped(skipped: readonly Skipped[]): boolean {
  for (const { name, missing, install } of skipped) {
    console.error(`SKIPPED: ${name} (${missing}). To run it: ${install}.`);
  }
  const { CI } = process.env;
  return skipped.length === 0 || CI !== 'true';
}
