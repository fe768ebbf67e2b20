// Mutants that no test can notice, because the program does the same with them. Each says why. An entry that no longer
// matches a survivor is reported, so that the list stays true.

export interface Equivalent {
  /** Within packages/kazahana/src. */
  readonly file: string;
  /** The line on which the text begins that is replaced. */
  readonly line: string;
  /** The text that is replaced, and by what; white space as one blank. */
  readonly original: string;
  readonly replacement: string;
  readonly reason: string;
}

const ALWAYS_READ = 'every free slot that was read is among the slots; the filter is for the compiler';
const FILTERED = 'the filter before it leaves out null; the question mark is for the compiler';

export const EQUIVALENT: readonly Equivalent[] = [
  {
    file: 'lease/rules.ts',
    line: "const NO_SECRET = '0'.repeat(32);",
    original: "'0'",
    replacement: '""',
    reason: 'the signature with it is never the right one; only the time that it takes matters',
  },
  {
    file: 'lease/rules.ts',
    line: 'const { lease = null, past = [] } = slot ?? {};',
    original: '[]',
    replacement: '["Stryker was here"]',
    reason: 'a window without times covers no claim, and one is fewer than a slot remembers',
  },
  {
    file: 'lease/rules.ts',
    line: 'return oldest === undefined || oldest.created < claim.created;',
    original: 'oldest.created < claim.created',
    replacement: 'oldest.created <= claim.created',
    reason: 'a claim that begins with the oldest window was found among the windows before',
  },
  {
    file: 'lease/view.ts',
    line: 'if (!this.#slots.has(key))',
    original: '!this.#slots.has(key)',
    replacement: 'true',
    reason: 'a slot that was read twice is of one moment: both are equal',
  },
  {
    file: 'lease/view.ts',
    line: 'this.#order = facts.free',
    original:
      'facts.free .map((slot) => this.#slots.get(keyOf(slot))) .filter((state) => state !== undefined)',
    replacement: 'facts.free.map(slot => this.#slots.get(keyOf(slot)))',
    reason: ALWAYS_READ,
  },
  {
    file: 'lease/view.ts',
    line: '.filter((state) => state !== undefined);',
    original: 'state !== undefined',
    replacement: 'true',
    reason: ALWAYS_READ,
  },
  {
    file: 'lease/view.ts',
    line: ".map((lease) => ({ request: lease?.request ?? '', created: lease?.granted ?? 0 })),",
    original: "''",
    replacement: '"Stryker was here!"',
    reason: FILTERED,
  },
  {
    file: 'lease/view.ts',
    line: ".map((lease) => ({ request: lease?.request ?? '', created: lease?.granted ?? 0 })),",
    original: 'lease?.request',
    replacement: 'lease.request',
    reason: FILTERED,
  },
  {
    file: 'lease/view.ts',
    line: ".map((lease) => ({ request: lease?.request ?? '', created: lease?.granted ?? 0 })),",
    original: 'lease?.granted',
    replacement: 'lease.granted',
    reason: FILTERED,
  },
  {
    file: 'lease/view.ts',
    line: 'count: this.#facts.quotas.find((read) => read.quota === quota)?.count ?? 0,',
    original: 'this.#facts.quotas.find((read) => read.quota === quota)?.count',
    replacement: 'this.#facts.quotas.find(read => read.quota === quota).count',
    reason: 'a quota that was relied on was read: `count` throws otherwise',
  },
  {
    file: 'lease/view.ts',
    line: 'if (isCut && last !== undefined && !isFree(last.freeFrom, this.now)) return skip > 0;',
    original: 'last !== undefined',
    replacement: 'true',
    reason: 'a list that was cut has a last slot; the comparison is for the compiler',
  },
  {
    file: 'lease/view.ts',
    line: 'if (isCut && last !== undefined && !isFree(last.freeFrom, this.now)) return skip > 0;',
    original: 'isCut && last !== undefined',
    replacement: 'isCut || last !== undefined',
    reason: 'where the list was not cut, both returns are `skip > 0`',
  },
];
