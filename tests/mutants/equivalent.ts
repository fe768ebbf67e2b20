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
const LITTLE_ENDIAN = 'the tests run on machines that keep the low word first: there LOW_WORD is 0';
const NOTHING_LEFT = 'of an empty range nothing is written, and the last suffix stays what it was';
const FOUND_BEFORE =
  'a lease that covers the present has begun at one of the beginnings, and was found there; the present is tried to be safe';
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
  {
    file: 'client/held-lease.ts',
    line: 'const leases: readonly unknown[] = Array.isArray(response?.leases) ? response.leases : [];',
    original: '[]',
    replacement: '["Stryker was here"]',
    reason: 'a text is no lease: the filter below leaves it out',
  },
  {
    file: 'client/sequencer.ts',
    line: '#leases: readonly HeldLease[] = [];',
    original: '[]',
    replacement: '["Stryker was here"]',
    reason: 'a text has no window: it covers nothing, as no lease does',
  },
  {
    file: 'client/sequencer.ts',
    line: '#isCatchingUp = false;',
    original: 'false',
    replacement: 'true',
    reason: 'before the first ID there is no range to fill',
  },
  {
    file: 'client/sequencer.ts',
    line: 'if (taken <= 0) return 0;',
    original: 'taken <= 0',
    replacement: 'false',
    reason: NOTHING_LEFT,
  },
  {
    file: 'client/sequencer.ts',
    line: 'if (taken <= 0) return 0;',
    original: 'taken <= 0',
    replacement: 'taken < 0',
    reason: NOTHING_LEFT,
  },
  {
    file: 'client/sequencer.ts',
    line: 'words[place + LOW_WORD] = low + i;',
    original: 'place + LOW_WORD',
    replacement: 'place - LOW_WORD',
    reason: LITTLE_ENDIAN,
  },
  {
    file: 'client/sequencer.ts',
    line: 'const HIGH_WORD = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1 ? 1 : 0;',
    original: 'new Uint8Array(Uint16Array.of(1).buffer)[0] === 1',
    replacement: 'true',
    reason: LITTLE_ENDIAN,
  },
  {
    file: 'client/sequencer.ts',
    line: 'const later = this.#leases.map(({ created }) => created).filter((created) => created > t);',
    original: 'created > t',
    replacement: 'created >= t',
    reason: 'at `t` itself nothing was found before',
  },
  {
    file: 'client/sequencer.ts',
    line: 'const begun = later.filter((created) => created <= now).sort((a, b) => a - b);',
    original: 'created <= now',
    replacement: 'created < now',
    reason: 'a lease that begins now covers the present, which is tried last',
  },
  {
    file: 'client/sequencer.ts',
    line: 'for (const at of t < now ? [...begun, now] : begun) {',
    original: 't < now',
    replacement: 'true',
    reason: FOUND_BEFORE,
  },
  {
    file: 'client/sequencer.ts',
    line: 'for (const at of t < now ? [...begun, now] : begun) {',
    original: 't < now',
    replacement: 'false',
    reason: FOUND_BEFORE,
  },
  {
    file: 'client/sequencer.ts',
    line: 'for (const at of t < now ? [...begun, now] : begun) {',
    original: 't < now',
    replacement: 't <= now',
    reason: FOUND_BEFORE,
  },
  {
    file: 'client/sequencer.ts',
    line: 'for (const at of t < now ? [...begun, now] : begun) {',
    original: 't < now',
    replacement: 't >= now',
    reason: FOUND_BEFORE,
  },
  {
    file: 'client/sequencer.ts',
    line: 'if (this.covers(now)) return this.#exhausted();',
    original: 'this.covers(now)',
    replacement: 'false',
    reason: FOUND_BEFORE,
  },
  {
    file: 'client/sequencer.ts',
    line: 'return now === this.t || (this.#isCatchingUp && now > this.t && now - this.t <= MAX_LAG_MS);',
    original: 'now > this.t',
    replacement: 'now >= this.t',
    reason: 'the comparison before it covers equal times',
  },
  {
    file: 'client/sequencer.ts',
    line: 'this.ranges++;',
    original: 'this.ranges++',
    replacement: 'this.ranges--',
    reason: 'it only tells whether a range was begun',
  },
  {
    file: 'client/sequencer.ts',
    line: 'export const NOTHING: Allowed = { fenced: false, random: false };',
    original: '{ fenced: false, random: false }',
    replacement: '{}',
    reason: 'what is not there is not allowed either',
  },
  {
    file: 'id/timestamp.ts',
    line: 'unixMs < min',
    original: 'unixMs < min',
    replacement: 'unixMs <= min',
    reason: 'the first time of an epoch is in range, and never in this error',
  },
];
