// Mutants that no test can notice, because the program does the same with them. Each says why. An entry that no longer
// matches a survivor is reported, so that the list stays true.

export interface Equivalent {
  /** Within packages/kazahana/src. */
  readonly file: string;
  /** The text that is replaced, and by what; white space as one blank. */
  readonly original: string;
  readonly replacement: string;
  readonly reason: string;
}

export const EQUIVALENT: readonly Equivalent[] = [];
