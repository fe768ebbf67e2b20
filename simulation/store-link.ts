// A server's way to the store: a driver whose reads and writes take time, so that those of other servers get in between,
// respond late, fail before they happened and after, happen after they failed, and meet conflicts that are none.
import { type Changes, type Facts, type LeaseDriver, StoreError, type Wanted } from 'kazahana/lease';
import type { Rule } from './rules-off.ts';
import { type KnownRecord, POOL, type Store } from './store.ts';
import type { World } from './world.ts';

export interface StoreFaults {
  readonly meanDelayMs: number;
  /** How often a write is said to have met another one, and has not. */
  readonly spurious: number;
  /** How often a response takes much longer. */
  readonly late: number;
  /** How often a write fails and does not happen … */
  readonly failsBefore: number;
  /** … fails and has happened … */
  readonly failsAfter: number;
  /** … fails and happens later. */
  readonly happensLater: number;
}

export const NO_STORE_FAULTS: StoreFaults = {
  ...{ meanDelayMs: 0.3, spurious: 0, late: 0 },
  ...{ failsBefore: 0, failsAfter: 0, happensLater: 0 },
};

/** So much longer than usual does a late response take. */
const LATE = 100;

/** What a server has been told by its own writes. */
interface Told {
  readonly id: string;
  readonly serial: number;
}

export class StoreLink implements LeaseDriver {
  // Small, so that a request for many slots does not fit.
  readonly maxSlotsPerWrite = 16;
  #isCut = false;
  #told: Told | undefined;
  /** Facts that show that the store has forgotten what this server was told before it read them. */
  readonly #behind = new WeakSet<Facts>();
  readonly #world: World;
  readonly #store: Store;
  readonly #faults: StoreFaults;
  readonly #off: Rule | undefined;
  readonly #longestWindow: number;
  readonly #missed: (what: string) => void;

  /** `missed` is told when the server overlooks that the store has forgotten what the server itself has written. */
  constructor(
    world: World,
    store: Store,
    faults: StoreFaults,
    off: Rule | undefined,
    longestWindow: number,
    missed: (what: string) => void,
  ) {
    this.#world = world;
    this.#store = store;
    this.#faults = faults;
    this.#off = off;
    this.#longestWindow = longestWindow;
    this.#missed = missed;
  }

  /** The server is gone: what is on its way to the store arrives, responses do not. */
  cut(): void {
    this.#isCut = true;
  }

  async read(pool: string, wanted: Wanted): Promise<Facts> {
    const told = this.#told;
    const facts = await this.#call(() => this.#store.read(pool, wanted));
    // What the store knows to be lost needs no notice.
    if (this.#told && this.#store.record.lostIds.includes(this.#told.id)) this.#told = undefined;
    if (told && pool === POOL && isBehind(facts, told)) this.#behind.add(facts);
    return facts;
  }

  write(pool: string, changes: Changes, facts: Facts): Promise<{ serial: number } | 'changed'> {
    const { random } = this.#world;
    const { spurious, failsBefore, failsAfter, happensLater } = this.#faults;
    return this.#call(async () => {
      if (random.chance(spurious)) return 'changed';
      if (random.chance(failsBefore)) throw lostWrite();
      if (random.chance(happensLater)) {
        this.#after(() => void this.#apply(pool, changes, facts), LATE);
        throw lostWrite();
      }
      const written = await this.#apply(pool, changes, facts);
      if (random.chance(failsAfter)) throw lostWrite();
      if (written !== 'changed' && !this.#isCut)
        this.#told = { id: this.#store.record.id, serial: written.serial };
      return written;
    });
  }

  list(pool: string, generation: string, after: number, limit: number): Promise<Facts['slots']> {
    return this.#call(() => this.#store.list(pool, generation, after, limit));
  }

  drop(pool: string, generation: string): Promise<void> {
    return this.#call(() => this.#store.drop(pool, generation));
  }

  /** Rule R7: a server whose own writes are gone must notice that before it grants. A change of layout also writes slots of a generation that is not in use yet. */
  async #apply(pool: string, changes: Changes, facts: Facts): Promise<{ serial: number } | 'changed'> {
    const isBehind = this.#behind.has(facts) && changes.grants > 0;
    if (isBehind) this.#store.noticed();
    const written =
      this.#off === 'compare'
        ? await this.#store.overwrite(pool, changes)
        : await this.#store.write(
            pool,
            changes,
            this.#off === 'compare-incarnation' ? this.#asOfNow(facts) : facts,
          );
    if (
      isBehind &&
      written !== 'changed' &&
      this.#store.record.quarantinedUntil < facts.now + this.#longestWindow
    ) {
      this.#missed(`a server wrote to a store whose serial is ${facts.serial}, after ${this.#told?.serial}`);
    }
    return written;
  }

  /** Facts that say that they are of the present incarnation. */
  #asOfNow(facts: Facts): Facts {
    const { incarnation } = this.#store;
    return { ...facts, ...(incarnation && { incarnation }) };
  }

  /** Runs something in the store, some time from now, and responds, perhaps later. */
  #call<Result>(run: () => Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      const respond = (settle: () => void) => {
        const settleIfAlive = () => {
          if (!this.#isCut) settle();
        };
        if (this.#world.random.chance(this.#faults.late)) this.#after(settleIfAlive, LATE);
        else settleIfAlive();
      };
      this.#after(() => {
        if (this.#store.isAway) {
          respond(() => reject(new StoreError('STORE_UNAVAILABLE', 'the store is away')));
          return;
        }
        run().then(
          (result) => respond(() => resolve(result)),
          (error: unknown) => respond(() => reject(error)),
        );
      }, 1);
    });
  }

  #after(run: () => void, times: number): void {
    this.#world.after(this.#world.random.wait(this.#faults.meanDelayMs * times), run);
  }
}

/** Whether the store, as it was read, has forgotten what the reader was told. */
function isBehind({ pool, serial }: Facts, told: Told): boolean {
  if (!pool) return true;
  const { id, lostIds } = JSON.parse(pool.data) as KnownRecord;
  return id === told.id ? told.serial > serial : !lostIds.includes(told.id);
}

function lostWrite(): StoreError {
  return new StoreError('STORE_UNAVAILABLE', 'the connection to the store broke');
}
