// All IDs that any node made, so that every new one is compared with every other: for each millisecond the
// runs of suffixes. Nothing is ever dropped, since a clock may step back to any time.
import type { GrantedLease } from './granted-leases.ts';
import type { Run } from './id-runs.ts';

export type Kind = 'leased' | 'fenced' | 'random' | 'stray';

/** Who made a run, and what entitled it to. */
export interface Maker {
  readonly node: string;
  readonly kind: Kind;
  readonly lease: GrantedLease | undefined;
}

interface Made extends Maker {
  readonly start: number;
  end: number;
  /** Another run of the same millisecond. */
  readonly next: Made | undefined;
}

export class IdLedger {
  readonly #byTime = new Map<number, Made>();

  /** Adds a run, and tells who made some of its IDs before. */
  add({ t, start, end }: Run, maker: Maker): readonly Maker[] {
    const first = this.#byTime.get(t);
    // A busy client comes back to its millisecond; that is still one run.
    let run: Made | undefined;
    for (let made = first; made && !run; made = made.next) {
      if (made.end === start && isSameMaker(made, maker)) run = made;
    }
    const met: Maker[] = [];
    for (let made = first; made; made = made.next) {
      const hadMet = run && made !== run && run.start < made.end && made.start < run.end;
      if (start < made.end && made.start < end && !hadMet) met.push(made);
    }
    if (run) run.end = end;
    else this.#byTime.set(t, { ...maker, start, end, next: first });
    return met;
  }
}

function isSameMaker(a: Maker, b: Maker): boolean {
  return a.node === b.node && a.kind === b.kind && a.lease === b.lease;
}
