// The store: the driver that keeps pools in memory, with members whose clocks differ, fail-overs to a replica that may
// lag, and worse. It knows which grants it has lost and whether anything has shown that yet; the judge looks there.
import { MemoryDriver, type MemorySnapshot } from 'kazahana';
import {
  type Changes,
  DEFAULT_POOL,
  type Facts,
  type Incarnation,
  type RenewalClaim,
  type Wanted,
} from 'kazahana/lease';
import { Clock } from './clock.ts';
import type { World } from './world.ts';

const MEMBERS = 3;

/** What became of a grant. */
export interface Grant {
  /** The store has lost it; whether another lease overlaps it is then a matter of R7. */
  isLost: boolean;
  /** Granted by a store that had forgotten something, before anything could show that. */
  readonly isUnaware: boolean;
  /** When the first lease began of which it is a renewal. */
  readonly since: number;
}

/** The state at one moment, as a backup or a lagging replica has it. */
export interface Backup {
  readonly state: MemorySnapshot;
  readonly record: KnownRecord;
  readonly grants: number;
}

/** What is known of the pool's record. */
export interface KnownRecord {
  readonly id: string;
  readonly lostIds: readonly string[];
  readonly quarantinedFrom: number;
  readonly quarantinedUntil: number;
  readonly layout: { readonly bitId: number; readonly bitSeq: number };
}

const NO_RECORD: KnownRecord = {
  ...{ id: '', lostIds: [], quarantinedFrom: 0, quarantinedUntil: 0 },
  layout: { bitId: 0, bitSeq: 0 },
};

/** The lease in the data of a slot. */
interface KnownLease {
  readonly secret: string;
  readonly created: number;
  readonly since: number;
}

export class Store {
  isAway = false;
  /** How often something was lost. */
  losses = 0;
  record = NO_RECORD;
  readonly #members: readonly Clock[];
  #member = 0;
  readonly #driver: MemoryDriver;
  #incarnations = 0;
  /** Whether it has forgotten something without a sign, and nothing has shown it yet. */
  #isUnaware = false;
  /** In the order of the writes, and by the secrets of their leases. */
  readonly #grants: Grant[] = [];
  readonly #bySecret = new Map<string, Grant>();
  readonly #byWindow = new Map<string, Grant>();
  readonly #bySlot = new Map<string, Grant[]>();

  constructor(world: World, memberSkewMs: number) {
    const { random } = world;
    // The farthest that members may be apart is between the first two.
    this.#members = Array.from({ length: MEMBERS }, (_, i) => {
      const offset = i < 2 ? memberSkewMs * (1 - 2 * i) : random.integer(-memberSkewMs, memberSkewMs);
      return new Clock(world, offset, 0);
    });
    this.#member = random.integer(0, MEMBERS - 1);
    this.#driver = new MemoryDriver({
      environment: { now: () => this.clock.now(), sleep: async () => {}, random: (bytes) => bytes },
    });
    this.#begin(random.chance(0.5));
  }

  get incarnation(): Incarnation | undefined {
    return this.#driver.incarnation;
  }

  get clock(): Clock {
    return this.#members[this.#member] as Clock;
  }

  read(pool: string, wanted: Wanted): Promise<Facts> {
    return this.#driver.read(pool, wanted);
  }

  async write(pool: string, changes: Changes, facts: Facts): Promise<{ serial: number } | 'changed'> {
    const written = await this.#driver.write(pool, changes, facts);
    if (written !== 'changed') this.#note(changes);
    return written;
  }

  /** As `write`, comparing nothing. */
  async overwrite(pool: string, changes: Changes): Promise<{ serial: number } | 'changed'> {
    const keys = changes.slots.map(({ before }) => before);
    const requests = changes.responses.map(({ after }) => after.request);
    const present = await this.#driver.read(pool, { slots: keys, requests, quotas: [] });
    const versionOf = ({ generation, slot }: Facts['slots'][number]) =>
      present.slots.find((one) => one.generation === generation && one.slot === slot)?.version ?? null;
    const blind: Changes = {
      ...changes,
      poolVersion: present.pool?.version ?? null,
      slots: changes.slots.map(({ before, after }) => ({
        before: { ...before, version: versionOf(before) },
        after,
      })),
      responses: changes.responses.map(({ after }) => ({
        before: present.responses.find(({ request }) => request === after.request)?.created ?? null,
        after,
      })),
    };
    return this.write(pool, blind, present);
  }

  list(pool: string, generation: string, after: number, limit: number): Promise<Facts['slots']> {
    return this.#driver.list(pool, generation, after, limit);
  }

  drop(pool: string, generation: string): Promise<void> {
    return this.#driver.drop(pool, generation);
  }

  backup(): Backup {
    return { state: this.#driver.snapshot(), record: this.record, grants: this.#grants.length };
  }

  /** Another member takes over, with an older state if one is given. Returns how many grants are lost. */
  failOver(mayLose: boolean, older?: Backup): number {
    this.#member = (this.#member + 1) % MEMBERS;
    this.#begin(mayLose);
    return older ? this.#goBack(older) : 0;
  }

  /** An older state is put in place, and nothing tells. Returns how many grants are lost. */
  forget(older: Backup): number {
    this.#isUnaware = true;
    return this.#goBack(older);
  }

  /** Everything is gone. Returns how many grants are lost. */
  loseAll(): number {
    this.#begin(true);
    return this.#goBack({ state: { pools: new Map() }, record: NO_RECORD, grants: 0 });
  }

  /** Something has shown what was forgotten, or should have. */
  noticed(): void {
    this.#isUnaware = false;
  }

  grantOf(secret: string): Grant {
    return this.#bySecret.get(secret) ?? { isLost: false, isUnaware: false, since: 0 };
  }

  /**
   * Whether a lease that a holder claims was granted, is lost, and ought to be missed. A renewal that is lost, and was
   * granted once more because its request came twice, is not: the pool has a later lease of the same holder there.
   */
  isMissing({ id, bitId, bitSeq, created, fallbackUntil }: RenewalClaim): boolean {
    const { layout } = this.record;
    if (layout.bitId !== bitId || layout.bitSeq !== bitSeq || fallbackUntil <= this.clock.now()) return false;
    const grant = this.#byWindow.get(windowKey(id, bitId, created));
    const isRenewedSince = this.#bySlot
      .get(slotKey(id, bitId))
      ?.some(({ isLost, since }) => !isLost && since === grant?.since);
    return grant?.isLost === true && !isRenewedSince;
  }

  #begin(mayLose: boolean): void {
    this.#driver.incarnation = { id: `incarnation ${++this.#incarnations}`, mayLose };
  }

  #goBack({ state, record, grants }: Backup): number {
    this.losses++;
    this.#driver.restore(state);
    this.record = record;
    const lost = this.#grants.slice(grants).filter(({ isLost }) => !isLost);
    for (const grant of lost) grant.isLost = true;
    return lost.length;
  }

  #note({ pool, slots }: Changes): void {
    if (pool !== undefined) {
      const record = JSON.parse(pool) as KnownRecord;
      if (record.quarantinedUntil > this.record.quarantinedUntil) this.noticed();
      this.record = record;
    }
    for (const { after } of slots) {
      const lease = leaseIn(after.data);
      if (!lease || this.#bySecret.has(lease.secret) || lease.secret === '') continue;
      const grant = { isLost: false, isUnaware: this.#isUnaware, since: lease.since };
      const { bitId } = this.record.layout;
      const slot = slotKey(after.slot, bitId);
      this.#grants.push(grant);
      this.#bySecret.set(lease.secret, grant);
      this.#byWindow.set(windowKey(after.slot, bitId, lease.created), grant);
      this.#bySlot.set(slot, [...(this.#bySlot.get(slot) ?? []), grant]);
    }
  }
}

function slotKey(id: number, bitId: number): string {
  return `${id} of ${bitId} bits`;
}

function windowKey(id: number, bitId: number, created: number): string {
  return `${slotKey(id, bitId)} from ${created}`;
}

function leaseIn(data: string): KnownLease | null {
  return data === '' ? null : (JSON.parse(data) as { lease: KnownLease | null }).lease;
}

/** The pool that all of a world is about. */
export const POOL = DEFAULT_POOL;
