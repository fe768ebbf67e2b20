// The slots of a pool in the order in which they are granted: never used first, in order, then those that have been
// free longest. A heap that knows where each slot stands, so that taking, giving and freeing are O(log n).

export class SlotQueue {
  /** Slots from here on were never used. */
  #unused = 0;
  readonly #size: number;
  /** The used slots, as a heap by `freeFrom`, then by number. */
  readonly #heap: number[] = [];
  readonly #place = new Map<number, number>();
  readonly #freeFrom = new Map<number, number>();

  constructor(size: number, used: Iterable<readonly [slot: number, freeFrom: number]> = []) {
    this.#size = size;
    for (const [slot, freeFrom] of used) this.set(slot, freeFrom);
  }

  /** Every used slot with its `freeFrom`. */
  used(): IterableIterator<[slot: number, freeFrom: number]> {
    return this.#freeFrom.entries();
  }

  /** When a slot becomes free; 0 when it was never used. */
  freeFrom(slot: number): number {
    return this.#freeFrom.get(slot) ?? 0;
  }

  /** The slot that becomes free first and when; undefined when there is none at all. */
  first(): { readonly slot: number; readonly freeFrom: number } | undefined {
    while (this.#unused < this.#size && this.#freeFrom.has(this.#unused)) this.#unused++;
    if (this.#unused < this.#size) return { slot: this.#unused, freeFrom: 0 };
    const slot = this.#heap[0];
    return slot === undefined ? undefined : { slot, freeFrom: this.freeFrom(slot) };
  }

  /** Writes down when a slot becomes free. */
  set(slot: number, freeFrom: number): void {
    this.#freeFrom.set(slot, freeFrom);
    let at = this.#place.get(slot);
    if (at === undefined) {
      at = this.#heap.length;
      this.#heap.push(slot);
      this.#place.set(slot, at);
    }
    this.#sink(this.#rise(at));
  }

  #isBefore(a: number, b: number): boolean {
    const difference = this.freeFrom(a) - this.freeFrom(b);
    return difference < 0 || (difference === 0 && a < b);
  }

  #put(slot: number, at: number): void {
    this.#heap[at] = slot;
    this.#place.set(slot, at);
  }

  #rise(start: number): number {
    const slot = this.#heap[start] as number;
    let at = start;
    while (at > 0) {
      const above = (at - 1) >> 1;
      const other = this.#heap[above] as number;
      if (!this.#isBefore(slot, other)) break;
      this.#put(other, at);
      at = above;
    }
    this.#put(slot, at);
    return at;
  }

  #sink(start: number): void {
    const slot = this.#heap[start] as number;
    let at = start;
    for (;;) {
      const left = 2 * at + 1;
      if (left >= this.#heap.length) break;
      const right = left + 1;
      const isRight =
        right < this.#heap.length && this.#isBefore(this.#heap[right] as number, this.#heap[left] as number);
      const below = isRight ? right : left;
      const other = this.#heap[below] as number;
      if (!this.#isBefore(other, slot)) break;
      this.#put(other, at);
      at = below;
    }
    this.#put(slot, at);
  }
}
