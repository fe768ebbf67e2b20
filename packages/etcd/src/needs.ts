// What a transaction asks about a pool. It is found out by running it: what is not known yet is guessed, noted here,
// and read, all at once, before the next run.
import type { Quota } from 'kazahana/lease';

export class Needs {
  readonly answers = new Set<string>();
  readonly quotas = new Map<string, Quota>();
  /** Machine numbers, with their slots and leases. */
  readonly ids = new Set<number>();
  #isPool = false;
  #slots = 0;
  #isFresh = false;
  #isNextEnd = false;
  #isEverything = false;

  /** How many slots that are free, from the head of the order of granting. */
  get slots(): number {
    return this.#slots;
  }

  /** More slots that were never used than there are in the order of granting so far. */
  get isFresh(): boolean {
    return this.#isFresh;
  }

  /** When the first slot becomes free of those that are taken. */
  get isNextEnd(): boolean {
    return this.#isNextEnd;
  }

  /** Every slot and every lease. */
  get isEverything(): boolean {
    return this.#isEverything;
  }

  get isNothing(): boolean {
    const { answers, quotas, ids } = this;
    const isNone = answers.size + quotas.size + ids.size + this.#slots === 0;
    return isNone && !this.#isPool && !this.#isFresh && !this.#isNextEnd && !this.#isEverything;
  }

  /** The record of the pool, which is read with everything else. */
  addPool(): void {
    this.#isPool = true;
  }

  addSlots(count: number): void {
    this.#slots = Math.max(this.#slots, count);
  }

  addFresh(): void {
    this.#isFresh = true;
  }

  addNextEnd(): void {
    this.#isNextEnd = true;
  }

  addEverything(): void {
    this.#isEverything = true;
  }

  addQuota(quota: Quota): void {
    this.quotas.set(quotaKey(quota), quota);
  }

  /** All that others need, too. Slots that were never used are not read but made. */
  addAll(others: Needs): void {
    this.addSlots(others.slots);
    this.#addRest(others);
  }

  /** All that another call needs beside this one: not the same slots. */
  addCall(other: Needs): void {
    this.addSlots(this.slots + other.slots);
    this.#addRest(other);
  }

  #addRest(others: Needs): void {
    if (others.isNextEnd) this.addNextEnd();
    if (others.isEverything) this.addEverything();
    for (const answer of others.answers) this.answers.add(answer);
    for (const quota of others.quotas.values()) this.addQuota(quota);
    for (const id of others.ids) this.ids.add(id);
  }
}

export function quotaKey({ of, name }: Quota): string {
  return `${of}\n${name}`;
}
