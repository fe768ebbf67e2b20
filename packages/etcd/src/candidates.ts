// In which order the free slots that were read are tried. Alone, in the order of granting. But all who take the head
// at once get in each other's way: within this process they leave out what another is about to take, and who has met
// somebody of another process takes any of those that have been free longest.
import type { FreeEntry } from './snapshot.js';

/** Among how many of those that have been free longest a conflict is avoided. */
export const SPREAD = 64;

export interface Choice {
  /** Whether another call of this process is about to take it, or has taken it since it was read. */
  readonly isContested: (entry: FreeEntry) => boolean;
  /** A number from 0 to below `limit`, by chance; undefined while there was no conflict. */
  readonly chance: ((limit: number) => number) | undefined;
}

export function inOrderOfTrying(
  free: readonly FreeEntry[],
  { isContested, chance }: Choice,
): readonly FreeEntry[] {
  const others = free.filter((entry) => !isContested(entry));
  // Last of all: the other call may fail, and "there is none" would be wrong then.
  const contested = free.filter(isContested);
  return [...(chance ? shuffled(others, chance) : others), ...contested];
}

function shuffled<T>(items: readonly T[], chance: (limit: number) => number): T[] {
  const result = [...items];
  for (let end = result.length - 1; end > 0; end--) {
    const other = chance(end + 1);
    [result[end], result[other]] = [result[other] as T, result[end] as T];
  }
  return result;
}

/** More than are taken while anything that was read is still under way. */
const MAX_REMEMBERED = 1000;

/** The slots that calls of this process are taking or have just taken. */
export class Reservations {
  readonly #reserved = new Set<number>();
  /** The revisions in which slots were taken, the longest ago first. */
  readonly #taken = new Map<number, number>();

  /** How many slots are being taken. */
  get size(): number {
    return this.#reserved.size;
  }

  readonly isContested = ({ slot, revision }: FreeEntry): boolean =>
    this.#reserved.has(slot) || revision < (this.#taken.get(slot) ?? 0);

  reserve(slots: readonly number[]): void {
    for (const slot of slots) this.#reserved.add(slot);
  }

  /** `revision` is the one in which they were taken, if they were. */
  settle(slots: readonly number[], revision: number | undefined): void {
    for (const slot of slots) {
      this.#reserved.delete(slot);
      if (revision === undefined) continue;
      this.#taken.delete(slot);
      this.#taken.set(slot, revision);
    }
    for (const slot of this.#taken.keys()) {
      if (this.#taken.size <= MAX_REMEMBERED) break;
      this.#taken.delete(slot);
    }
  }
}
