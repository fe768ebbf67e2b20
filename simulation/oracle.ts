// The judge: sees every lease that the store granted and every ID that was made, and knows the true windows. It
// checks uniqueness, R1, R6, and that no two leases were used, or could be, for the same suffixes at the same time.
// Equal IDs alone are a weak oracle: overlapping intervals of use show a broken rule long before two IDs meet.
import type { IdLayout } from 'kazahana';
import { type AcquireOptions, type LeaseInfo, type ReleaseOptions, signRelease } from 'kazahana/lease';
import {
  findClashes,
  type GrantedLease,
  grantedLease,
  isClaimOf,
  isOutsidePromise,
  isValidAt,
  markReleased,
  use,
} from './granted-leases.ts';
import { IdLedger, type Kind } from './id-ledger.ts';
import type { Run } from './id-runs.ts';
import { type Call, MakingOrder } from './making-order.ts';
import type { Grant } from './store.ts';

export interface Violation {
  readonly rule: 'duplicate' | 'R1' | 'R6' | 'overlap' | 'window' | 'fallback' | 'unnoticed';
  readonly text: string;
}

/** What is known of a node (one run of a process). */
class NodeRecord {
  readonly order = new MakingOrder();
  /** The leases that it was granted. */
  readonly leases: GrantedLease[] = [];
}

export class Oracle {
  readonly violations: Violation[] = [];
  readonly ids: Record<Kind, number> = { leased: 0, fenced: 0, random: 0, stray: 0 };
  /** How often a run of random IDs met another run: by chance, as the documents say. */
  randomMeetings = 0;
  /** In the order of the grants. */
  readonly leases: GrantedLease[] = [];

  /** Where the fallback half begins. */
  readonly #half: number;
  readonly #allowsRandom: boolean;
  readonly #steady: ReadonlySet<string>;
  readonly #made = new IdLedger();
  readonly #secrets = new Set<string>();
  readonly #nodes = new Map<string, NodeRecord>();

  /**
   * `allowsRandom`: an ID in the fallback half that no lease explains may be a random one.
   * `steady`: nodes that must make no fallback ID.
   */
  constructor({ bitId, bitSeq }: IdLayout, allowsRandom: boolean, steady: ReadonlySet<string>) {
    this.#half = 2 ** (bitId + bitSeq - 1);
    this.#steady = steady;
    this.#allowsRandom = allowsRandom;
  }

  /** The store has granted a lease to a node; a repeated response changes nothing. */
  granted(node: string, info: LeaseInfo, grant: Grant): void {
    if (this.#secrets.has(info.secret)) return;
    this.#secrets.add(info.secret);
    const { leases } = this.#record(node);
    const lease = grantedLease(node, info, grant, leases);
    this.leases.push(lease);
    leases.push(lease);
  }

  /** A node requests leases, and perhaps to renew some. */
  requested(node: string, { renew = [] }: AcquireOptions): void {
    const { leases } = this.#record(node);
    for (const claim of renew)
      for (const lease of leases) if (isClaimOf(claim, lease)) lease.isClaimed = true;
  }

  /** A node has signed a release: from then on it has no lease there, whether or not the store hears of it. */
  released(node: string, { id, timestamp, signature }: ReleaseOptions): void {
    const { leases } = this.#record(node);
    // Whose release it is, the signature tells, as it tells the store.
    const at = leases.findLastIndex(
      (one) => one.id === id && signRelease(one.secret, id, timestamp) === signature,
    );
    if (at >= 0) markReleased(leases[at] as GrantedLease, leases.slice(0, at), timestamp);
  }

  /** A server should have noticed that the store forgot, and has not. */
  missed(what: string): void {
    this.#fail('unnoticed', what);
  }

  /** A node calls `nextId` or `nextIds`. */
  called(node: string): Call {
    return this.#record(node).order.called();
  }

  failed(node: string): void {
    this.#record(node).order.failed();
  }

  resolved(node: string, call: Call, runs: readonly Run[]): void {
    this.#check(node, runs, this.#record(node).order.resolved(call, runs));
  }

  filled(node: string, runs: readonly Run[]): void {
    this.#check(node, runs, this.#record(node).order.filled(runs));
  }

  /** After the run: no two leases of overlapping suffixes may have had, or used, the same time. */
  finish(): void {
    findClashes(this.leases, (rule, text) => this.#fail(rule, text));
  }

  #check(node: string, runs: readonly Run[], disorder: string | undefined): void {
    if (disorder) this.#fail('R6', `${node} ${disorder}`);
    for (const run of runs) this.#checkRun(node, run);
  }

  /** Rules R1 and R5, by the windows that the store gave, whatever the client believes; and uniqueness. */
  #checkRun(node: string, { t, start, end }: Run): void {
    const { leases } = this.#record(node);
    for (let from = start; from < end; ) {
      const isFallback = from >= this.#half;
      const offset = isFallback ? this.#half : 0;
      // The lease that explains the suffix `from`, and up to where that is so.
      let lease: GrantedLease | undefined;
      let to = isFallback ? end : Math.min(end, this.#half);
      for (const one of leases) {
        if (!isValidAt(one, t, isFallback) || one.end + offset <= from) continue;
        const begin = one.start + offset;
        if (begin <= from) lease = one;
        to = Math.min(to, begin <= from ? one.end + offset : begin);
      }
      const kind = kindOf(lease, isFallback, this.#allowsRandom);
      if (lease) use(lease, t, isFallback);
      if (kind === 'stray') this.#useOutside(leases, t, from - offset, isFallback);
      this.#checkPart(node, { t, start: from, end: to }, kind, lease);
      from = to;
    }
  }

  /** An ID that is outside of every window still shows with whom it could meet. */
  #useOutside(leases: readonly GrantedLease[], t: number, place: number, isFallback: boolean): void {
    const outside = leases.findLast(({ start, end }) => start <= place && place < end);
    if (outside) use(outside, t, isFallback);
  }

  /** A run, or a part of one, that is all of a kind. */
  #checkPart(node: string, run: Run, kind: Kind, lease: GrantedLease | undefined): void {
    this.ids[kind] += run.end - run.start;
    const place = `at ${run.t}, suffixes ${run.start}–${run.end},`;
    if ((kind === 'fenced' || kind === 'random') && this.#steady.has(node)) {
      this.#fail('fallback', `${node} made ${kind} IDs ${place} though nothing kept it from renewing`);
    }
    if (kind === 'stray') {
      this.#fail('R1', `${node} made IDs ${place} outside of every window that it was given`);
    }
    for (const other of this.#made.add(run, { node, kind, lease })) {
      if (kind === 'random' || other.kind === 'random') this.randomMeetings++;
      else if (!lease || !other.lease || !isOutsidePromise(lease, other.lease)) {
        this.#fail(
          'duplicate',
          `${node} made ${kind} IDs ${place} some of which were ${other.kind} ${other.node}`,
        );
      }
    }
  }

  #record(node: string): NodeRecord {
    let record = this.#nodes.get(node);
    if (!record) {
      record = new NodeRecord();
      this.#nodes.set(node, record);
    }
    return record;
  }

  #fail(rule: Violation['rule'], text: string): void {
    this.violations.push({ rule, text });
  }
}

function kindOf(lease: GrantedLease | undefined, isFallback: boolean, allowsRandom: boolean): Kind {
  if (lease) return isFallback ? 'fenced' : 'leased';
  return isFallback && allowsRandom ? 'random' : 'stray';
}
