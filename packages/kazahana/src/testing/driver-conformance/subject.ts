// What the suite for drivers works on: a driver on an empty store, and short ways to read and to write.
import { defaultEnvironment } from '../../environment.js';
import type {
  Changes,
  Facts,
  LeaseDriver,
  QuotaCount,
  ReadSlot,
  StoredResponse,
  StoredSlot,
  Wanted,
} from '../../lease/driver.js';
import { type ConformanceCase, type ConformanceRule, conformanceCase, skip } from '../conformance/case.js';
import { check, equal } from '../conformance/checks.js';

/** A driver under test. It is made anew for every case, on a store in which nothing was ever written. */
export interface DriverSubject {
  readonly driver: LeaseDriver;
  /** A second driver on the same store, as another process has it. Left out where a store has one process. */
  readonly other?: LeaseDriver;
  /** The store's time. Left out, the suite believes the `now` of facts. */
  now?(): number | Promise<number>;
  /** Moves the store's time. Left out when the store's clock cannot be moved: cases that need it are skipped. */
  advance?(ms: number): Promise<void>;
  /** True when a read locks the pool until its write or abandon, so that nothing can change in between. */
  readonly locks?: boolean;
  /**
   * Copies the store. What it returns puts the copy in place as another life of the store, as a fail-over to a replica or a
   * restored backup does. Left out where a test cannot do that.
   */
  backup?(): Promise<() => Promise<void>>;
  /** Ends connections and removes what the case has stored. */
  dispose?(): Promise<void>;
}

export type DriverFactory = () => Promise<DriverSubject>;

/** The pool and the generation of most cases. */
export const POOL = 'pool';
export const GENERATION = 'generation';
/** Long enough that no slot ends while a case runs on a slow store in real time. */
export const LONG = 600_000;
/** Enough slots for most cases. */
export const SLOTS = 16;

export const NOTHING: Wanted = { slots: [], requests: [], quotas: [] };

export interface FreeOptions {
  readonly from?: number;
  readonly to?: number;
  readonly skip?: number;
  readonly count?: number;
  readonly generation?: string;
}

/** The first slots in the order of granting; all of them, unless told otherwise. */
export function free({ generation = GENERATION, from = 0, to = SLOTS, ...rest }: FreeOptions = {}) {
  return { free: { generation, from, to, skip: 0, count: to - from, ...rest } };
}

/** How a slot looks that was never written. */
export function unwritten(slot: number, generation = GENERATION): ReadSlot {
  return { generation, slot, freeFrom: 0, quotas: [], data: '', version: null };
}

export interface SlotChange {
  readonly before: ReadSlot;
  readonly after: StoredSlot;
}

/** A slot as it is to become. */
export function become(before: ReadSlot, after: Partial<StoredSlot>): SlotChange {
  const { generation, slot, freeFrom, quotas, data } = before;
  return { before, after: { generation, slot, freeFrom, quotas, data, ...after } };
}

/** The first write of a slot. */
export function firstWrite(slot: number, after: Partial<StoredSlot> = {}, generation?: string): SlotChange {
  return become(unwritten(slot, generation), { freeFrom: 1, data: `slot ${slot}`, ...after });
}

/** What was written of a slot; a driver may keep the quotas in any order. */
export function withoutVersion({ version: _, ...slot }: ReadSlot): StoredSlot {
  return { ...slot, quotas: slot.quotas.toSorted() };
}
export const numbersOf = (slots: readonly ReadSlot[]): number[] => slots.map(({ slot }) => slot);
export const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

/** Facts have slots in no order, apart from that of granting. */
export function byNumber(slots: readonly ReadSlot[]): ReadSlot[] {
  const key = ({ slot, generation }: ReadSlot) => `${String(slot).padStart(10, '0')} ${generation}`;
  return [...slots].sort((a, b) => (key(a) < key(b) ? -1 : 1));
}

type Change = Partial<Changes> | ((facts: Facts) => Partial<Changes>);

interface Turn {
  readonly wanted?: Partial<Wanted>;
  readonly pool?: string;
  readonly driver?: LeaseDriver;
}

/** The means of a case. */
export class DriverTrial {
  readonly driver: LeaseDriver;
  readonly #subject: DriverSubject;

  constructor(subject: DriverSubject) {
    this.#subject = subject;
    this.driver = subject.driver;
  }

  get locks(): boolean {
    return this.#subject.locks ?? false;
  }

  /** A driver for what happens elsewhere at the same time: the second one, or the same where that does not wait. */
  get other(): LeaseDriver {
    const { driver, other } = this.#subject;
    return other ?? (this.locks ? skip('a driver that locks needs `other`, which is left out') : driver);
  }

  get separate(): LeaseDriver {
    return this.#subject.other ?? skip('it needs `other`, a second driver on the same store');
  }

  /** For cases in which something is written between a read and its write. */
  needsNoLocks(): void {
    if (this.locks) skip('a driver that locks lets nothing change between a read and its write');
  }

  needsLocks(): void {
    if (!this.locks) skip('the driver does not lock');
  }

  /** Moves the store's time. */
  get advance(): (ms: number) => Promise<void> {
    const subject = this.#subject;
    if (!subject.advance) return skip("the store's time cannot be moved");
    return (ms) => subject.advance?.(ms) ?? Promise.resolve();
  }

  /** Copies the store; what it returns puts the copy in place. */
  get backup(): () => Promise<() => Promise<void>> {
    const subject = this.#subject;
    return subject.backup?.bind(subject) ?? skip('it needs `backup`, to begin another life of the store');
  }

  /** Lets a little time pass in this process, and in the store. */
  async pause(ms: number): Promise<void> {
    await defaultEnvironment.sleep(ms);
    await this.#subject.advance?.(ms);
  }

  /** The store's time, where it can be read. */
  async now(): Promise<number | undefined> {
    return await this.#subject.now?.();
  }

  /** A read, and the end of it. */
  async look(wanted: Partial<Wanted> = {}, { pool = POOL, driver = this.driver }: Turn = {}): Promise<Facts> {
    const facts = await driver.read(pool, { ...NOTHING, ...wanted });
    await driver.abandon?.(facts);
    return facts;
  }

  /** A read that `attempt` follows. */
  read(wanted: Partial<Wanted> = {}, driver = this.driver): Promise<Facts> {
    return driver.read(POOL, { ...NOTHING, ...wanted });
  }

  /** A write of what is left out as it changes nothing. */
  attempt(
    facts: Facts,
    change: Change,
    { pool = POOL, driver = this.driver }: Turn = {},
  ): Promise<{ readonly serial: number } | 'changed'> {
    const changes: Changes = {
      poolVersion: facts.pool?.version ?? null,
      grants: 0,
      serialAtLeast: 0,
      slots: [],
      responses: [],
      forget: [],
      quotas: [],
      ...(typeof change === 'function' ? change(facts) : change),
    };
    return driver.write(pool, changes, facts);
  }

  /** A read and a write that must be kept. Returns the serial. */
  async change(
    change: Change,
    { wanted = {}, pool = POOL, driver = this.driver }: Turn = {},
  ): Promise<number> {
    const facts = await driver.read(pool, { ...NOTHING, ...wanted });
    const kept = await this.attempt(facts, change, { pool, driver });
    check(kept !== 'changed', 'a write must be kept when nothing changed since its read, it is not');
    return kept.serial;
  }

  /** Creates the pool, with slots that are written for the first time. */
  async create(...slots: readonly SlotChange[]): Promise<void> {
    await this.change({ pool: 'a pool' });
    await this.fill(slots);
  }

  /** Writes slots for the first time, in as few writes as the driver allows; more than a hundred never go together. */
  async fill(slots: readonly SlotChange[]): Promise<void> {
    const most = Math.min(this.driver.maxSlotsPerWrite, 100);
    for (let at = 0; at < slots.length; at += most) await this.change({ slots: slots.slice(at, at + most) });
  }

  /** Changes slots that may have been written before. */
  async put(slots: readonly (Partial<StoredSlot> & { slot: number })[], turn: Turn = {}): Promise<void> {
    const keys = slots.map(({ slot, generation = GENERATION }) => ({ slot, generation }));
    await this.change(
      (facts) => ({
        slots: slots.map(({ slot, generation = GENERATION, ...after }) => {
          const found = facts.slots.find((other) => other.slot === slot && other.generation === generation);
          return become(found ?? unwritten(slot, generation), after);
        }),
      }),
      { ...turn, wanted: { slots: keys } },
    );
  }

  /** The numbers of slots in the order of granting. */
  async order(options: FreeOptions = {}): Promise<number[]> {
    return numbersOf((await this.look(free(options))).free);
  }

  async response(request: string, turn?: Turn): Promise<StoredResponse | undefined> {
    const { responses } = await this.look({ requests: [request] }, turn);
    check(responses.length <= 1, `a request has one response, ${responses.length} came`);
    return responses[0];
  }

  /** The counts of quotas, in the order of these names. */
  async counts(...names: string[]): Promise<QuotaCount[]> {
    const { quotas } = await this.look({ quotas: names });
    equal('the number of counts', quotas.length, names.length);
    return quotas.toSorted((a, b) => names.indexOf(a.quota) - names.indexOf(b.quota));
  }

  async count(quota: string): Promise<number | undefined> {
    const [count] = await this.counts(quota);
    return count?.count;
  }
}

/** A case: its name says what a driver must do. */
export interface DriverCase {
  readonly name: string;
  readonly rule: ConformanceRule;
  readonly run: (trial: DriverTrial) => Promise<void>;
}

export function toDriverCase(factory: DriverFactory, definition: DriverCase): ConformanceCase {
  return conformanceCase(definition, factory, (subject) => definition.run(new DriverTrial(subject)));
}
