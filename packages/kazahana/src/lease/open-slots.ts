// Where free slots are looked for after a change to narrower slots (rule R4). The ends of the windows of former layouts are kept as
// floors, one for each former range, and not for each of the many slots in it. While some of them lie ahead, slots are granted
// from ranges whose floors have passed; afterwards, from all.
import type { LeaseDriver, ReadSlot, Wanted } from './driver.js';
import { NOTHING_WANTED, noChanges } from './new-pool.js';
import { type Floors, isFree, type PoolRecord, type SlotRange, slotRange } from './rules.js';

/** So many floors are read at a time. */
const FLOORS = 256;

/** Where free slots were looked for, and what is known of the others: when the next floor passes, if none has. */
export interface Looked extends Pick<Wanted, 'free'> {
  readonly rest: { readonly nextAt?: number } | undefined;
}

/** What the floors of a pool leave to grants. */
interface Opening {
  readonly floors: Floors;
  /** The slots that are open; undefined: none is. */
  readonly range?: SlotRange;
  /** The floors of these slots. */
  readonly pieces: readonly ReadSlot[];
  /** All of them have passed by then. */
  readonly openFrom: number;
  /** When the next floor passes, if none has. */
  readonly nextAt: number;
}

export class OpenSlots {
  readonly #driver: LeaseDriver;
  readonly #pool: string;
  #opening: Opening | undefined;

  constructor(driver: LeaseDriver, pool: string) {
    this.#driver = driver;
    this.#pool = pool;
  }

  /** The slots among which free ones are looked for; undefined: none is open. */
  range(pool: PoolRecord): SlotRange | undefined {
    const opening = this.#of(pool);
    return opening ? opening.range : slotRange(pool);
  }

  /** What is known of the slots outside the range; undefined when there are none. */
  rest(pool: PoolRecord): Looked['rest'] {
    const opening = this.#of(pool);
    return opening && (opening.range ? {} : { nextAt: opening.nextAt });
  }

  /** Whether the range is not that of this time. */
  isStale(pool: PoolRecord, now: number): boolean {
    const opening = this.#of(pool);
    if (!pool.floors || pool.floors.until <= now) return opening !== undefined;
    if (!opening) return true;
    // A clock that stepped back is before floors that had passed.
    return opening.range ? now < opening.openFrom : opening.nextAt <= now;
  }

  /** Looks for open slots. */
  async search(pool: PoolRecord, now: number): Promise<void> {
    const { floors } = pool;
    this.#opening = floors && now < floors.until ? await this.#open(pool, floors) : undefined;
  }

  /** Every slot of the range is held, the first of them until then: its floors pass no earlier. */
  async close(pool: PoolRecord, freeFrom: number): Promise<void> {
    const opening = this.#of(pool);
    if (!opening) return;
    const facts = await this.#driver.read(this.#pool, { ...NOTHING_WANTED, slots: opening.pieces });
    const known = new Map(facts.slots.map((slot) => [slot.slot, slot]));
    const slots = opening.pieces
      .map((piece) => known.get(piece.slot) ?? piece)
      .filter((before) => before.freeFrom < freeFrom)
      // It is no floor any more, and not counted as one: each slot above it has a record of its own.
      .map((before) => ({ before, after: { ...before, freeFrom, quotas: [] } }));
    // That another process was faster is found out by the next search.
    await this.#driver.write(this.#pool, { ...noChanges(facts), slots }, facts);
    this.#opening = await this.#open(pool, opening.floors);
  }

  #of({ floors }: PoolRecord): Opening | undefined {
    return floors && this.#opening?.floors.generation === floors.generation ? this.#opening : undefined;
  }

  async #open(pool: PoolRecord, floors: Floors): Promise<Opening> {
    const { bitId, bitSeq } = pool.layout;
    const range = slotRange({
      layout: { ...pool.layout, bitId: bitId + bitSeq - floors.bitSeq },
      share: pool.share,
    });
    const free = {
      generation: floors.generation,
      ...range,
      skip: 0,
      count: Math.min(FLOORS, range.to - range.from),
    };
    const facts = await this.#driver.read(this.#pool, { ...NOTHING_WANTED, free });
    await this.#driver.abandon?.(facts);
    const pieces = longestRun(facts.free.filter(({ freeFrom }) => isFree(freeFrom, facts.now)));
    const [first, last] = [pieces[0], pieces.at(-1)];
    const width = 2 ** (floors.bitSeq - bitSeq);
    return {
      floors,
      pieces,
      openFrom: Math.max(0, ...pieces.map(({ freeFrom }) => freeFrom)),
      nextAt: Math.max(facts.now + 1, facts.free[0]?.freeFrom ?? 0),
      ...(first && last && { range: { from: first.slot * width, to: (last.slot + 1) * width } }),
    };
  }
}

/** The longest run of neighbours. */
function longestRun(slots: readonly ReadSlot[]): ReadSlot[] {
  let longest: ReadSlot[] = [];
  let run: ReadSlot[] = [];
  for (const slot of slots.toSorted((a, b) => a.slot - b.slot)) {
    run = run.at(-1)?.slot === slot.slot - 1 ? [...run, slot] : [slot];
    if (run.length > longest.length) longest = run;
  }
  return longest;
}
