// Counters, gauges and histograms in Prometheus' text format. Nearly a dozen are written for every acquire, so each is
// found by a few texts that are compared by their place in memory; to sort and join labels every time costs more than
// the acquire itself.

/** What kind a metric is of, and its text at a scrape. */
interface Meter {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  samples(): Iterable<string>;
}

/** The metrics of one app. */
export class Meters {
  readonly #prefix: string;
  readonly #meters: Meter[] = [];

  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  /** Counts up; the labels are then given as values, in this order. */
  counter<const Labels extends readonly string[]>(
    name: string,
    help: string,
    labels: Labels,
  ): Counter<Labels> {
    const counter = new Counter(this.#prefix + name, labels);
    return this.#add(counter, help, 'counter');
  }

  /** Is set to whatever it is. */
  gauge<const Labels extends readonly string[]>(name: string, help: string, labels: Labels): Gauge<Labels> {
    const gauge = new Gauge(this.#prefix + name, labels);
    return this.#add(gauge, help, 'gauge');
  }

  /** Counts how many lie below each of some bounds, which rise. */
  histogram<const Labels extends readonly string[]>(
    name: string,
    help: string,
    labels: Labels,
    bounds: readonly number[],
  ): Histogram<Labels> {
    const histogram = new Histogram(this.#prefix + name, labels, bounds);
    return this.#add(histogram, help, 'histogram');
  }

  text(): string {
    return this.#meters
      .map(({ name, help, type, samples }) =>
        [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...samples(), ''].join('\n'),
      )
      .join('\n');
  }

  #add<M extends Series<readonly string[], unknown>>(meter: M, help: string, type: Meter['type']): M {
    this.#meters.push({ name: meter.name, help, type, samples: () => meter.samples() });
    meter.begin();
    return meter;
  }
}

/** One value for each name of a label. */
type Values<Labels extends readonly string[]> = { readonly [Index in keyof Labels]: string };

/** The series of a metric, as a tree: a level for each label, a branch for each of its values. */
interface Branch<State> {
  readonly branches: Map<string, Branch<State>>;
  state: State | undefined;
}

abstract class Series<Labels extends readonly string[], State> {
  readonly name: string;
  readonly #labels: Labels;
  readonly #root: Branch<State> = { branches: new Map(), state: undefined };

  constructor(name: string, labels: Labels) {
    this.name = name;
    this.#labels = labels;
  }

  /** What has no labels is there from the beginning. */
  begin(): void {
    if (this.#labels.length === 0) this.#root.state ??= this.create();
  }

  samples(): Iterable<string> {
    return this.#samplesOf(this.#root, []);
  }

  *#samplesOf({ branches, state }: Branch<State>, labels: readonly string[]): Iterable<string> {
    if (state !== undefined) yield* this.render(labels, state);
    for (const [value, branch] of branches) {
      const label = `${this.#labels[labels.length]}="${escaped(value)}"`;
      yield* this.#samplesOf(branch, [...labels, label]);
    }
  }

  protected abstract create(): State;
  protected abstract render(labels: readonly string[], state: State): Iterable<string>;

  protected at(values: Values<Labels>): State {
    let branch = this.#root;
    for (const value of values) {
      let next = branch.branches.get(value);
      if (!next) {
        next = { branches: new Map(), state: undefined };
        branch.branches.set(value, next);
      }
      branch = next;
    }
    branch.state ??= this.create();
    return branch.state;
  }
}

interface Single {
  value: number;
}

abstract class SingleSeries<Labels extends readonly string[]> extends Series<Labels, Single> {
  protected override create(): Single {
    return { value: 0 };
  }

  protected override render(labels: readonly string[], { value }: Single): string[] {
    return [`${this.name}${inBraces(labels)} ${value}`];
  }
}

export class Counter<Labels extends readonly string[]> extends SingleSeries<Labels> {
  /** With a count of 0 it is there from then on. */
  add(count: number, ...values: Values<Labels>): void {
    this.at(values).value += count;
  }
}

export class Gauge<Labels extends readonly string[]> extends SingleSeries<Labels> {
  set(value: number, ...values: Values<Labels>): void {
    this.at(values).value = value;
  }
}

interface Distribution {
  /** How many lie below each bound and above the one before; the last is above all. */
  readonly counts: number[];
  sum: number;
}

export class Histogram<Labels extends readonly string[]> extends Series<Labels, Distribution> {
  readonly #bounds: readonly number[];

  constructor(name: string, labels: Labels, bounds: readonly number[]) {
    super(name, labels);
    this.#bounds = bounds;
  }

  observe(value: number, ...values: Values<Labels>): void {
    const state = this.at(values);
    state.sum += value;
    let place = 0;
    while (place < this.#bounds.length && value > (this.#bounds[place] ?? 0)) place++;
    state.counts[place] = (state.counts[place] ?? 0) + 1;
  }

  protected override create(): Distribution {
    return { counts: new Array(this.#bounds.length + 1).fill(0), sum: 0 };
  }

  protected override *render(labels: readonly string[], { counts, sum }: Distribution): Iterable<string> {
    let count = 0;
    for (const [place, bound] of [...this.#bounds, '+Inf'].entries()) {
      count += counts[place] ?? 0;
      yield `${this.name}_bucket${inBraces([`le="${bound}"`, ...labels])} ${count}`;
    }
    yield `${this.name}_sum${inBraces(labels)} ${sum}`;
    yield `${this.name}_count${inBraces(labels)} ${count}`;
  }
}

function inBraces(labels: readonly string[]): string {
  return labels.length === 0 ? '' : `{${labels.join(',')}}`;
}

function escaped(value: string): string {
  return value.replace(/["\\\n]/g, (character) => (character === '\n' ? '\\n' : `\\${character}`));
}
