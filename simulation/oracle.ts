// The judge: sees every lease that the store granted and every ID that was made, and knows the true windows. It
// checks uniqueness, R1, R6, and that no two leases were used, or could be, for the same suffixes at the same time.
// Equal IDs alone are a weak oracle: overlapping intervals of use show a broken rule long before two IDs meet.
import type { IdLayout } from 'kazahana';
import { type LeaseInfo, type ReleaseOptions, signRelease } from 'kazahana/lease';
import { findClashes, type GrantedLease, grantedLease, isOutsidePromise, isValidAt, use } from './leases.ts';
import { type Kind, MadeIds } from './made.ts';
import { type Call, MakingOrder } from './order.ts';
import type { Run } from './runs.ts';

export interface Violation {
  readonly rule: 'duplicate' | 'R1' | 'R6' | 'overlap' | 'window';
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
  readonly #made = new MadeIds();
  readonly #secrets = new Set<string>();
  readonly #nodes = new Map<string, NodeRecord>();
  /** The lease of every release that was signed, by its signature. */
  readonly #signed = new Map<string, GrantedLease>();

  /** `allowsRandom`: an ID in the fallback half that no lease explains may be a random one. */
  constructor({ bitId, bitSeq }: IdLayout, allowsRandom: boolean) {
    this.#half = 2 ** (bitId + bitSeq - 1);
    this.#allowsRandom = allowsRandom;
  }

  /** The store has granted a lease to a node; a repeated answer changes nothing. */
  granted(node: string, info: LeaseInfo, isUnaware: boolean): void {
    if (this.#secrets.has(info.secret)) return;
    this.#secrets.add(info.secret);
    const lease = grantedLease(node, info, isUnaware);
    this.leases.push(lease);
    this.#record(node).leases.push(lease);
  }

  /** A node has signed a release: from then on it has no lease there, whether or not the store hears of it. */
  givenUp(node: string, { id, timestamp, signature }: ReleaseOptions): void {
    // Whose release it is, the signature tells, as it tells the store.
    const lease = this.#record(node).leases.findLast(
      (one) => one.id === id && signRelease(one.secret, id, timestamp) === signature,
    );
    if (!lease) return;
    this.#signed.set(signature, lease);
    lease.givenUpFrom = Math.min(lease.givenUpFrom, timestamp + 1);
  }

  /** The store has accepted a release. */
  released({ timestamp, signature }: ReleaseOptions): void {
    const lease = this.#signed.get(signature);
    if (lease) lease.freeFrom = Math.min(lease.fallbackUntil, Math.max(lease.created, timestamp + 1));
  }

  /** The store has forgotten every lease but the first so many. */
  forgotten(kept: number): void {
    for (const lease of this.leases.slice(kept)) lease.isLost = true;
  }

  /** A node calls `nextId` or `nextIds`. */
  called(node: string): Call {
    return this.#record(node).order.called();
  }

  failed(node: string): void {
    this.#record(node).order.failed();
  }

  answered(node: string, call: Call, runs: readonly Run[]): void {
    this.#check(node, runs, this.#record(node).order.answered(call, runs));
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
