// The leases of a pool, as Redis keeps them: found by machine number, forgotten one by one, listed in pages so that a
// large pool does not keep Redis from its other work.
import type { LeaseRecord } from 'kazahana/lease';
import { fieldOf, fieldsOf, layoutMark } from './layouts.js';
import type { KnownPool, OpenedPool, PoolBook } from './pool-book.js';
import { decodeGrant, slotText } from './records.js';
import type { RunOptions, ScriptRunner } from './script-runner.js';
import { FIND, FORGET, SCAN } from './scripts.js';

/** A lease, and the serial of the grant that it came in. */
export interface FoundLease {
  readonly lease: LeaseRecord;
  readonly serial: string;
}

export interface ForgetOptions extends RunOptions {
  /** From when on its slot is free; it stays taken when left out. */
  readonly freeFrom?: number | undefined;
  /** True to leave a lease alone when the answer that it is a part of has been given a second time. */
  readonly unlessShared?: boolean;
}

const PAGE = 200;

export class LeaseBook {
  readonly #scripts: ScriptRunner;
  readonly #pools: PoolBook;

  constructor(scripts: ScriptRunner, pools: PoolBook) {
    this.#scripts = scripts;
    this.#pools = pools;
  }

  /** The leases of a machine number that are not released; those that have ended may be among them. */
  async find(
    name: string,
    id: number,
    options?: RunOptions,
  ): Promise<{ readonly known: KnownPool; readonly now: number; readonly found: readonly FoundLease[] }> {
    for (;;) {
      const known = this.#pools.known(name) ?? (await this.#pools.open(name, undefined, options));
      const fields = fieldsOf(known.pool, id);
      const reply = await this.#scripts.run(FIND, [known.keys.pool], [known.version, ...fields], options);
      if (reply === 'changed') {
        this.#pools.forget(name);
        continue;
      }
      const [now, ...grants] = reply as readonly string[];
      const found = grants.flatMap((grant, at) => {
        if (grant === '') return [];
        const { serial, leases } = decodeGrant(grant.split('\n'));
        return leases
          .filter((lease) => lease.id === id && fieldOf(known.pool, lease, id) === fields[at])
          .map((lease) => ({ lease, serial }));
      });
      return { known, now: Number(now), found };
    }
  }

  /** Forgets a lease: `gone` when it is no longer there, `changed` when the pool is no longer what was known of it. */
  async forget(
    { keys, version, pool }: KnownPool,
    { lease, serial }: FoundLease,
    { freeFrom, unlessShared = false, signal }: ForgetOptions = {},
  ): Promise<'done' | 'gone' | 'changed' | 'shared'> {
    const { id, serviceId, account, fallbackUntil } = lease;
    const all = [keys.pool, keys.slots, keys.held('service', serviceId)];
    if (account !== null) all.push(keys.held('account', account));
    const args = [
      version,
      fieldOf(pool, lease, id),
      slotText(id),
      serial,
      String(fallbackUntil),
      freeFrom === undefined ? '' : String(freeFrom),
      layoutMark(lease) + slotText(id),
      unlessShared ? 'alone' : '',
    ];
    const reply = await this.#scripts.run(FORGET, all, args, { signal });
    return reply as 'done' | 'gone' | 'changed' | 'shared';
  }

  /** All leases whose windows have not ended, in order. */
  async list({ keys, now }: OpenedPool): Promise<readonly LeaseRecord[]> {
    const found = new Map<string, LeaseRecord>();
    let cursor = '0';
    do {
      const reply = (await this.#scripts.run(SCAN, [keys.pool], [cursor, String(PAGE)])) as string[];
      const [, next = '0', ...grants] = reply;
      for (const lease of grants.flatMap((grant) => decodeGrant(grant.split('\n')).leases)) {
        const place = layoutMark(lease) + lease.id;
        // A slot that was given away again between two pages shows both leases.
        if (lease.created >= (found.get(place)?.created ?? 0)) found.set(place, lease);
      }
      cursor = next;
    } while (cursor !== '0');
    return [...found.values()]
      .filter(({ fallbackUntil }) => fallbackUntil > now)
      .sort((a, b) => a.id - b.id || a.bitSeq - b.bitSeq);
  }
}
