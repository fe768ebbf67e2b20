// The slots of a pool in the order in which they are granted: never used first, in order, then those that have been
// free longest. A heap that knows where each slot stands, so that taking, giving and freeing are O(log n).

/** A slot that was used. */
interface Entry {
  readonly slot: number;
  freeFrom: number;
  /** Its place in the heap. */
  at: number;
}

export class SlotQueue {
  /** Slots from here on were never used. */
  #unused = 0;
  readonly #size: number;
  /** The used slots, by `freeFrom`, then by number. */
  readonly #heap: Entry[] = [];
  readonly #entries = new Map<number, Entry>();

  constructor(size: number, used: Iterable<readonly [slot: number, freeFrom: number]> = []) {
    this.#size = size;
    for (const [slot, freeFrom] of used) this.set(slot, freeFrom);
  }

  /** Every used slot with its `freeFrom`. */
  *used(): Iterable<readonly [slot: number, freeFrom: number]> {
    for (const { slot, freeFrom } of this.#entries.values()) yield [slot, freeFrom];
  }

  /** When a slot becomes free; 0 when it was never used. */
  freeFrom(slot: number): number {
    return this.#entries.get(slot)?.freeFrom ?? 0;
  }

  /** The slot that becomes free first and when; undefined when there is none at all. */
  first(): { readonly slot: number; readonly freeFrom: number } | undefined {
    while (this.#unused < this.#size && this.#entries.has(this.#unused)) this.#unused++;
    if (this.#unused < this.#size) return { slot: this.#unused, freeFrom: 0 };
    const first = this.#heap[0];
    return first && { slot: first.slot, freeFrom: first.freeFrom };
  }

  /** Writes down when a slot becomes free. */
  set(slot: number, freeFrom: number): void {
    let entry = this.#entries.get(slot);
    if (entry) {
      entry.freeFrom = freeFrom;
    } else {
      entry = { slot, freeFrom, at: this.#heap.length };
      this.#heap.push(entry);
      this.#entries.set(slot, entry);
    }
    this.#rise(entry);
    this.#sink(entry);
  }

  #put(entry: Entry, at: number): void {
    this.#heap[at] = entry;
    entry.at = at;
  }

  #rise(entry: Entry): void {
    let { at } = entry;
    while (at > 0) {
      const above = (at - 1) >> 1;
      const other = this.#heap[above] as Entry;
      if (!isBefore(entry, other)) break;
      this.#put(other, at);
      at = above;
    }
    this.#put(entry, at);
  }

  #sink(entry: Entry): void {
    const heap = this.#heap;
    let { at } = entry;
    for (;;) {
      const left = 2 * at + 1;
      if (left >= heap.length) break;
      const right = left + 1;
      const isRight = right < heap.length && isBefore(heap[right] as Entry, heap[left] as Entry);
      const below = isRight ? right : left;
      const other = heap[below] as Entry;
      if (!isBefore(other, entry)) break;
      this.#put(other, at);
      at = below;
    }
    this.#put(entry, at);
  }
}

function isBefore(a: Entry, b: Entry): boolean {
  return a.freeFrom < b.freeFrom || (a.freeFrom === b.freeFrom && a.slot < b.slot);
}
