// Commits the changes of calls. Those of different calls that have nothing to do with each other go in one
// transaction: it costs etcd little more than one of them.

import type { Changes } from './changes.js';
import { type Commit, type CommitResult, carryOut } from './commit.js';
import type { Gateway } from './gateway.js';
import { Grouped } from './grouped.js';
import type { PoolKeys } from './keys.js';
import { isAt, isIn, type KeyRange, nothingSince, put, putAndGet, remove } from './kv.js';
import { beginsBelow } from './order.js';
import { MAX_GRANTS, serialsOf } from './serial.js';

export interface Traffic {
  tries: number;
  conflicts: number;
}

export type Committed =
  | {
      readonly isDone: true;
      readonly revision: number;
      /** Of a grant. */
      readonly serial: number | undefined;
    }
  | { readonly isDone: false };

/** etcd allows 128; the largest single call needs 106. */
const MAX_COMPARISONS = 110;

/** etcd takes 1.5 MB; a few may have much to say of themselves, and should not take others with them. */
const MAX_CHARACTERS = 250_000;
/** So that a few that go through do not wait for many that do not. */
const GROUPS_AT_ONCE = 4;

export class Committer {
  readonly #gateway: Gateway;
  readonly #keys: PoolKeys;
  readonly #traffic: Traffic;
  /** Grants may meet those of other processes, what is given back never does: it should not suffer with them. */
  readonly #grants: Grouped<Changes, Committed>;
  readonly #others: Grouped<Changes, Committed>;
  /** How many grants go together: fewer after a conflict, for all of them fail at once. */
  #grantsAtOnce = MAX_GRANTS;

  constructor(gateway: Gateway, keys: PoolKeys, traffic: Traffic) {
    this.#gateway = gateway;
    this.#keys = keys;
    this.#traffic = traffic;
    const send = (group: readonly Changes[]) => this.#send(group);
    this.#grants = new Grouped((waiting) => this.#choose(waiting, this.#grantsAtOnce), send, GROUPS_AT_ONCE);
    this.#others = new Grouped((waiting) => this.#choose(waiting, MAX_GRANTS), send, GROUPS_AT_ONCE);
  }

  commit(changes: Changes, signal?: AbortSignal): Promise<Committed> {
    return (changes.grantedBy ? this.#grants : this.#others).ask(changes, signal);
  }

  #choose(waiting: readonly Changes[], limit: number): ReadonlySet<Changes> {
    const group = new ChangesGroup(this.#keys.pool);
    for (const changes of waiting) {
      if (group.members.size === limit) break;
      group.addIfItFits(changes);
    }
    return group.members;
  }

  async #send(group: readonly Changes[]): Promise<readonly Committed[]> {
    this.#traffic.tries++;
    const result = await carryOut(this.#gateway, this.#keys, this.#together(group));
    if (!result.isDone) this.#traffic.conflicts++;
    const grants = group.filter(({ grantedBy }) => grantedBy).length;
    if (grants > 0) {
      const next = result.isDone ? this.#grantsAtOnce * 2 : Math.floor(this.#grantsAtOnce / 2);
      this.#grantsAtOnce = Math.min(MAX_GRANTS, Math.max(1, next));
    }
    return toEach(group, result, grants);
  }

  #together(group: readonly Changes[]): Commit {
    const [first] = group;
    const puts = group.flatMap((changes) => [...changes.puts]);
    const operations = [
      ...puts.map(([key, value]) => put(key, value)),
      ...group.flatMap(({ removals }) => [...removals]).map((key) => remove(key)),
    ];
    const key = first?.witness ?? '';
    return {
      compares: [
        isAt(this.#keys.pool, first?.poolRevision ?? 0),
        ...group.flatMap(({ unchanged }) => [...unchanged]).map(([other, revision]) => isAt(other, revision)),
        ...group.flatMap(({ quiet }) => quiet).map(({ range, revision }) => nothingSince(range, revision)),
        ...beginsBelow(group.flatMap(({ addition }) => addition ?? [])),
      ],
      operations: first?.grantedBy ? [putAndGet(this.#keys.serial, ''), ...operations] : operations,
      witness: { key, value: first?.puts.get(key) ?? '' },
    };
  }
}

/** What became of the group, as each of its calls sees it. */
function toEach(group: readonly Changes[], result: CommitResult, grants: number): readonly Committed[] {
  if (!result.isDone) return group.map(() => result);
  const { revision, serialVersion } = result;
  const [first] = group;
  const serials = first?.grantedBy ? serialsOf(first.grantedBy, serialVersion, grants) : [];
  return group.map((_, place) => ({ isDone: true, revision, serial: serials[place] }));
}

/** Changes that can go together: none touches what another has changed, or relies on. */
class ChangesGroup {
  readonly members = new Set<Changes>();
  readonly #poolKey: string;
  readonly #touched = new Set<string>();
  readonly #added: string[] = [];
  readonly #quiet: KeyRange[] = [];
  /** Of the pool's record, and of where the order of granting begins. */
  #comparisons = 2;
  #characters = 0;

  constructor(poolKey: string) {
    this.#poolKey = poolKey;
  }

  addIfItFits(changes: Changes): void {
    const { unchanged, quiet, puts, removals } = changes;
    const keys = [...unchanged.keys(), ...puts.keys(), ...removals];
    const comparisons = unchanged.size + quiet.length;
    const characters = [...keys, ...puts.values()].reduce((sum, { length }) => sum + length, 0);
    const isSmall =
      this.#comparisons + comparisons <= MAX_COMPARISONS && this.#characters + characters <= MAX_CHARACTERS;
    if (this.members.size > 0 && !(isSmall && this.#fits(changes, keys))) return;
    this.members.add(changes);
    for (const key of keys) this.#touched.add(key);
    this.#added.push(...puts.keys());
    this.#quiet.push(...quiet.map(({ range }) => range));
    this.#comparisons += comparisons;
    this.#characters += characters;
  }

  #fits({ poolRevision, puts, quiet }: Changes, keys: readonly string[]): boolean {
    if (this.#touched.has(this.#poolKey) || puts.has(this.#poolKey)) return false;
    for (const member of this.members) if (member.poolRevision !== poolRevision) return false;
    if (keys.some((key) => this.#touched.has(key))) return false;
    const added = [...puts.keys()];
    if (this.#quiet.some((range) => added.some((key) => isIn(key, range)))) return false;
    return !quiet.some(({ range }) => this.#added.some((key) => isIn(key, range)));
  }
}
