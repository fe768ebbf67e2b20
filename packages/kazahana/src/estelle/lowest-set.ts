// A set of numbers that knows its lowest member: a binary heap, with the place of every member noted so that
// any of them can leave. Add and delete are O(log n), `has` and `lowest` O(1).

export class LowestSet implements Iterable<number> {
  // heap[i] is below heap[2i + 1] and heap[2i + 2].
  readonly #heap: number[] = [];
  readonly #places = new Map<number, number>();

  get size(): number {
    return this.#heap.length;
  }

  /** Undefined when the set is empty. */
  get lowest(): number | undefined {
    return this.#heap[0];
  }

  has(member: number): boolean {
    return this.#places.has(member);
  }

  add(member: number): void {
    if (!this.has(member)) this.#rise(member, this.#heap.length);
  }

  /** Whether there was such a member. */
  delete(member: number): boolean {
    const place = this.#places.get(member);
    if (place === undefined) return false;
    this.#places.delete(member);
    const last = this.#heap.pop();
    // The last leaf fills the hole. From another branch than the hole's, it may belong above it or below.
    if (last !== undefined && last !== member) this.#rise(last, this.#sink(last, place));
    return true;
  }

  /** In no particular order. */
  [Symbol.iterator](): IterableIterator<number> {
    return this.#places.keys();
  }

  #put(member: number, place: number): void {
    this.#heap[place] = member;
    this.#places.set(member, place);
  }

  /** Moves parents down into the hole until the member may stand there. */
  #rise(member: number, hole: number): void {
    let place = hole;
    while (place > 0) {
      const above = Math.floor((place - 1) / 2);
      const parent = this.#heap[above];
      if (parent === undefined || parent < member) break;
      this.#put(parent, place);
      place = above;
    }
    this.#put(member, place);
  }

  /** Moves children up into the hole until none is below the member; gives the place of the hole. */
  #sink(member: number, hole: number): number {
    let place = hole;
    for (;;) {
      const below = 2 * place + 1;
      const [left, right] = [this.#heap[below], this.#heap[below + 1]];
      const goRight = left !== undefined && right !== undefined && right < left;
      const child = goRight ? right : left;
      if (child === undefined || child > member) return place;
      this.#put(child, place);
      place = goRight ? below + 1 : below;
    }
  }
}
