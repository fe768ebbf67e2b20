// Virtual time and seeded chance: everything that happens is an event in one queue, so that the same seed is the
// same run, to the last bit. Nothing here knows about leases.

/** mulberry32: small, fast, seeded. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** From 0, inclusively, to 1, exclusively. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let word = this.#state;
    word = Math.imul(word ^ (word >>> 15), word | 1);
    word ^= word + Math.imul(word ^ (word >>> 7), word | 61);
    return ((word ^ (word >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number from `min` to `max`, both included. */
  integer(min: number, max: number): number {
    return min + Math.floor(this.next() * (max - min + 1));
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<Value>(values: readonly Value[]): Value {
    return values[this.integer(0, values.length - 1)] as Value;
  }

  /** A waiting time with the given mean, as independent events have it. */
  wait(mean: number): number {
    return -Math.log(1 - this.next()) * mean;
  }

  fill(bytes: Uint8Array): Uint8Array {
    for (let i = 0; i < bytes.length; i++) bytes[i] = this.integer(0, 255);
    return bytes;
  }
}

interface Event {
  readonly at: number;
  readonly order: number;
  readonly run: () => void;
  isCancelled: boolean;
}

export class World {
  /** Milliseconds since the beginning; the true time, which no node can read. */
  time = 0;
  readonly random: Random;
  /** The last things that happened, for the report of a failure. */
  readonly log: string[] = [];
  #order = 0;
  readonly #heap: Event[] = [];
  #afterwards: (() => void)[] = [];
  // FNV-1a over all that is noted: equal hashes are equal runs.
  #hash = 0x811c9dc5;

  constructor(seed: number) {
    this.random = new Random(seed);
  }

  get hash(): string {
    return (this.#hash >>> 0).toString(16).padStart(8, '0');
  }

  /** Notes what happened: into the log and into the hash. */
  note(text: string): void {
    const line = `${(this.time / 1000).toFixed(3)} s  ${text}`;
    for (let i = 0; i < line.length; i++) this.#hash = Math.imul(this.#hash ^ line.charCodeAt(i), 0x01000193);
    this.log.push(line);
    if (this.log.length > 60) this.log.shift();
  }

  /** Takes a number into the hash that would be too much for the log. */
  mix(value: number): void {
    this.#hash = Math.imul(this.#hash ^ value, 0x01000193);
  }

  /** Does something after so much true time; the returned function calls it off. */
  after(ms: number, run: () => void): () => void {
    const event: Event = { at: this.time + Math.max(0, ms), order: this.#order++, run, isCancelled: false };
    this.#push(event);
    return () => {
      event.isCancelled = true;
    };
  }

  /** Does something again and again, with so much time between on average. */
  every(mean: number, act: () => void): void {
    this.after(this.random.wait(mean), () => {
      act();
      this.every(mean, act);
    });
  }

  /** Does something when all that the present event started is done. */
  afterwards(run: () => void): void {
    this.#afterwards.push(run);
  }

  /** Lets time pass until `end`. After every event, all that it started runs before the next. */
  async run(end: number): Promise<void> {
    // From a microtask on: elsewhere the next tick would come before the microtasks.
    await null;
    await settle();
    for (let event = this.#heap[0]; event && event.at <= end; event = this.#heap[0]) {
      this.#pop();
      if (event.isCancelled) continue;
      this.time = event.at;
      event.run();
      await settle();
      if (this.#afterwards.length === 0) continue;
      const runs = this.#afterwards;
      this.#afterwards = [];
      for (const run of runs) run();
    }
    this.time = end;
  }

  #isBefore(a: Event, b: Event): boolean {
    return a.at < b.at || (a.at === b.at && a.order < b.order);
  }

  #push(event: Event): void {
    const heap = this.#heap;
    let at = heap.push(event) - 1;
    while (at > 0) {
      const above = (at - 1) >> 1;
      if (!this.#isBefore(event, heap[above] as Event)) break;
      heap[at] = heap[above] as Event;
      at = above;
    }
    heap[at] = event;
  }

  #pop(): void {
    const heap = this.#heap;
    const last = heap.pop() as Event;
    if (heap.length === 0) return;
    let at = 0;
    for (;;) {
      let below = 2 * at + 1;
      if (below >= heap.length) break;
      if (below + 1 < heap.length && this.#isBefore(heap[below + 1] as Event, heap[below] as Event)) below++;
      if (!this.#isBefore(heap[below] as Event, last)) break;
      heap[at] = heap[below] as Event;
      at = below;
    }
    heap[at] = last;
  }
}

/** Ends when no promise has anything left to do: Node's next tick comes when the microtasks are all done. */
function settle(): Promise<void> {
  return new Promise((resolve) => process.nextTick(resolve));
}
