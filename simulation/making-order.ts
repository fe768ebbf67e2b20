// Rule R6 for one process: its IDs rise in the order of making, and calls are served in their order. The judge does
// not see the making, only what callers get, and a batch may be made in several milliseconds, with a `fill` in between.
// What follows from R6 for that, exactly:
// - A `fill` is one step: its IDs are above all that any caller had got before.
// - A call's IDs rise; the first is above all that any caller had got when the call was made, and above the call before.
// - The last ID of a call is made when the call resolves: it is above all that any caller has got by then.
// - None of a call's IDs lies among those of one `fill`.
import type { Run } from './id-runs.ts';

/** A `nextId` or `nextIds` under way. */
export interface Call {
  readonly number: number;
  /** The highest ID that was known when it was made. */
  readonly after: Place;
}

/** An ID by its parts. */
interface Place {
  readonly t: number;
  readonly suffix: number;
}

interface Span {
  readonly first: Place;
  readonly last: Place;
}

const BEFORE_ALL: Place = { t: Number.NEGATIVE_INFINITY, suffix: 0 };

export class MakingOrder {
  /** The highest ID that any caller has got. */
  #latest = BEFORE_ALL;
  #calls = 0;
  #underWay = 0;
  /** The last call that resolved, and its last ID. */
  #resolved = -1;
  #lastReturned = BEFORE_ALL;
  /** What was filled while calls were under way. */
  #fills: Span[] = [];

  /** A call is made. */
  called(): Call {
    this.#underWay++;
    return { number: this.#calls++, after: this.#latest };
  }

  /** A call has failed; no caller gets what was made for it. */
  failed(): void {
    this.#end();
  }

  /** A `fill` has made these; says what is wrong with them. */
  filled(runs: readonly Run[]): string | undefined {
    const span = spanOf(runs);
    if (!span) return undefined;
    const wrong = whereNotRising(runs) ?? notAbove(span.first, this.#latest, 'the last one');
    if (isAbove(span.last, this.#latest)) this.#latest = span.last;
    if (this.#underWay > 0) this.#fills.push(span);
    return wrong;
  }

  /** A call resolves to these; says what is wrong with them. Calls of the same instant come in their order. */
  resolved({ number, after }: Call, runs: readonly Run[]): string | undefined {
    const fills = this.#fills;
    this.#end();
    const span = spanOf(runs);
    if (!span) return undefined;
    const wrong =
      whereNotRising(runs) ??
      (number < this.#resolved ? `resolved call ${number} after call ${this.#resolved}` : undefined) ??
      notAbove(span.first, this.#lastReturned, 'the call before') ??
      notAbove(span.first, after, 'the last one before the call') ??
      notAbove(span.last, this.#latest, 'the last one') ??
      whereAmong(runs, fills);
    this.#resolved = number;
    this.#lastReturned = span.last;
    if (isAbove(span.last, this.#latest)) this.#latest = span.last;
    return wrong;
  }

  #end(): void {
    this.#underWay--;
    if (this.#underWay === 0) this.#fills = [];
  }
}

function firstOf({ t, start }: Run): Place {
  return { t, suffix: start };
}

function lastOf({ t, end }: Run): Place {
  return { t, suffix: end - 1 };
}

function spanOf(runs: readonly Run[]): Span | undefined {
  const [first, last] = [runs[0], runs.at(-1)];
  return first && last && { first: firstOf(first), last: lastOf(last) };
}

function isAbove(a: Place, b: Place): boolean {
  return a.t > b.t || (a.t === b.t && a.suffix > b.suffix);
}

const show = ({ t, suffix }: Place) => `(t ${t}, suffix ${suffix})`;

function notAbove(place: Place, other: Place, what: string): string | undefined {
  return isAbove(place, other) ? undefined : `made ${show(place)} after ${what}, ${show(other)}`;
}

/** Within a run IDs rise, or it would not be one. */
function whereNotRising(runs: readonly Run[]): string | undefined {
  for (let i = 1; i < runs.length; i++) {
    const wrong = notAbove(firstOf(runs[i] as Run), lastOf(runs[i - 1] as Run), 'the one before');
    if (wrong) return wrong;
  }
  return undefined;
}

function whereAmong(runs: readonly Run[], fills: readonly Span[]): string | undefined {
  for (const { first, last } of fills) {
    const run = runs.find((one) => isAbove(lastOf(one), first) && isAbove(last, firstOf(one)));
    if (run) return `made ${show(firstOf(run))} for a call amid a fill from ${show(first)} to ${show(last)}`;
  }
  return undefined;
}
