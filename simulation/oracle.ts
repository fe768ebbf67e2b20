// The judge: sees every lease that the store granted and every ID that was made, and knows the true windows. It
// checks uniqueness, R1, R6, and that no two leases were used, or could be, for the same suffixes at the same time.
// Equal IDs alone are a weak oracle: overlapping intervals of use show a broken rule long before two IDs meet.
import type { IdLayout } from 'kazahana';
import { type LeaseInfo, type ReleaseOptions, signRelease } from 'kazahana/lease';

/** A lease as it was granted, and what became of it. */
export interface GrantedLease {
  readonly id: number;
  readonly secret: string;
  readonly node: string;
  readonly start: number;
  readonly end: number;
  readonly created: number;
  readonly expired: number;
  readonly fallbackUntil: number;
  /** Where the slot's next window may begin: earlier than `fallbackUntil` once the store has accepted a release. */
  freeFrom: number;
  /** From here on its holder may not use it: it has signed a release with the timestamp before. */
  givenUpFrom: number;
  /** The store forgot this grant; whether another lease overlaps it is then a matter of R7. */
  isLost: boolean;
  /** Granted by a store that had forgotten something and had not yet been told so. */
  isUnaware: boolean;
  firstUse: number;
  lastUse: number;
  firstFallbackUse: number;
  lastFallbackUse: number;
}

export interface Violation {
  readonly rule: 'duplicate' | 'R1' | 'R6' | 'overlap' | 'window';
  readonly text: string;
}

const SUFFIX_OF = (layout: IdLayout) => layout.bitId + layout.bitSeq;

export class Oracle {
  readonly violations: Violation[] = [];
  readonly ids = { leased: 0, fenced: 0, random: 0, stray: 0 };
  /** Random IDs that met another ID, and the pairs of random IDs that could have met. */
  randomCollisions = 0;
  readonly leases = new Map<string, GrantedLease>();

  readonly #layout: IdLayout;
  readonly #allowsRandom: boolean;
  readonly #seen = new Map<bigint, string>();
  readonly #last = new Map<string, bigint>();
  /** Leases by the node that holds them. */
  readonly #held = new Map<string, GrantedLease[]>();

  /** `allowsRandom`: an ID in the fallback half that no lease explains may be a random one. */
  constructor(layout: IdLayout, allowsRandom: boolean) {
    this.#layout = layout;
    this.#allowsRandom = allowsRandom;
  }

  /** The store has granted a lease to a node; a repeated answer changes nothing. */
  granted(node: string, info: LeaseInfo, isUnaware: boolean): void {
    if (this.leases.has(info.secret)) return;
    const { secret, created, expired, fallbackUntil = expired, id, bitSeq } = info;
    const lease: GrantedLease = {
      id,
      secret,
      node,
      start: id * 2 ** bitSeq,
      end: (id + 1) * 2 ** bitSeq,
      created,
      expired,
      fallbackUntil,
      freeFrom: fallbackUntil,
      givenUpFrom: Number.POSITIVE_INFINITY,
      isLost: false,
      isUnaware,
      firstUse: Number.POSITIVE_INFINITY,
      lastUse: Number.NEGATIVE_INFINITY,
      firstFallbackUse: Number.POSITIVE_INFINITY,
      lastFallbackUse: Number.NEGATIVE_INFINITY,
    };
    this.leases.set(secret, lease);
    this.#held.set(node, [...(this.#held.get(node) ?? []), lease]);
  }

  /** The store has accepted a release. */
  released(options: ReleaseOptions): void {
    const lease = signedLease([...this.leases.values()], options);
    if (lease) lease.freeFrom = Math.min(lease.fallbackUntil, Math.max(lease.created, options.timestamp + 1));
  }

  /** A node has signed a release: from then on it has no lease there, whether or not the store hears of it. */
  givenUp(node: string, options: ReleaseOptions): void {
    const lease = signedLease(this.#held.get(node) ?? [], options);
    if (lease) lease.givenUpFrom = Math.min(lease.givenUpFrom, options.timestamp + 1);
  }

  /** The store has forgotten every lease but the first so many. */
  forgotten(kept: number): void {
    for (const lease of [...this.leases.values()].slice(kept)) lease.isLost = true;
  }

  /** A node (one run of a process) has made an ID. */
  made(node: string, id: bigint): void {
    const last = this.#last.get(node) ?? -1n;
    if (id <= last) this.#fail('R6', `${node} made ${id} after ${last}`);
    this.#last.set(node, id);

    const bits = SUFFIX_OF(this.#layout);
    const half = 2 ** (bits - 1);
    const t = Number(id >> BigInt(bits)) + this.#layout.customEpoch;
    const suffix = Number(BigInt.asUintN(bits, id));
    const isFallback = suffix >= half;
    const place = isFallback ? suffix - half : suffix;
    const lease = this.#leaseFor(node, t, place, isFallback);
    const kind = lease
      ? isFallback
        ? 'fenced'
        : 'leased'
      : isFallback && this.#allowsRandom
        ? 'random'
        : 'stray';
    this.ids[kind]++;
    if (lease) use(lease, t, isFallback);
    if (kind === 'stray') {
      this.#fail(
        'R1',
        `${node} made an ID at ${t}, suffix ${suffix}, outside of every window that it was given`,
      );
      // It still shows with whom it could meet.
      const outside = this.#held.get(node)?.findLast(({ start, end }) => start <= place && place < end);
      if (outside) use(outside, t, isFallback);
    }
    const other = this.#seen.get(id);
    this.#seen.set(id, `${kind} ${node}`);
    if (other === undefined) return;
    if (kind === 'random' || other.startsWith('random')) this.randomCollisions++;
    else this.#fail('duplicate', `${node} made ${id} (t ${t}, suffix ${suffix}), which was ${other}`);
  }

  /** After the run: no two leases of overlapping suffixes may have had, or used, the same time. */
  finish(): void {
    const leases = [...this.leases.values()].sort((a, b) => a.created - b.created);
    leases.forEach((a, i) => {
      const end = Math.max(a.freeFrom, a.lastUse, a.lastFallbackUse);
      for (let j = i + 1; j < leases.length; j++) {
        const b = leases[j] as GrantedLease;
        // Sorted by their beginnings: nobody further on can meet this one.
        if (b.created > end) break;
        this.#checkPair(a, b);
      }
    });
  }

  #checkPair(a: GrantedLease, b: GrantedLease): void {
    if (a.end <= b.start || b.end <= a.start) return;
    // What a store grants after it forgot and before anyone could tell it so, is outside the promise.
    if ((a.isLost && b.isUnaware) || (b.isLost && a.isUnaware)) return;
    const names = `${a.node} and ${b.node} (suffixes ${a.start}–${a.end} and ${b.start}–${b.end})`;
    const meets = (fromA: number, toA: number, fromB: number, toB: number) => fromA <= toB && fromB <= toA;
    if (
      meets(a.firstUse, a.lastUse, b.firstUse, b.lastUse) ||
      meets(a.firstFallbackUse, a.lastFallbackUse, b.firstFallbackUse, b.lastFallbackUse)
    ) {
      this.#fail('overlap', `${names} were used for overlapping times`);
    } else if (a.created < b.freeFrom && b.created < a.freeFrom) {
      this.#fail(
        'window',
        `${names} have windows from ${a.created} to ${a.freeFrom} and ${b.created} to ${b.freeFrom}`,
      );
    }
  }

  /** Rules R1 and R5, by the windows that the store gave, whatever the client believes. */
  #leaseFor(node: string, t: number, place: number, isFallback: boolean): GrantedLease | undefined {
    return this.#held
      .get(node)
      ?.findLast(
        ({ start, end, created, expired, fallbackUntil, givenUpFrom }) =>
          start <= place &&
          place < end &&
          t < givenUpFrom &&
          (isFallback ? expired <= t && t < fallbackUntil : created <= t && t < expired),
      );
  }

  #fail(rule: Violation['rule'], text: string): void {
    this.violations.push({ rule, text });
  }
}

/** Whose release it is, the signature tells, as it tells the store. */
function signedLease(leases: readonly GrantedLease[], { id, timestamp, signature }: ReleaseOptions) {
  return leases.findLast(
    (lease) => lease.id === id && signRelease(lease.secret, id, timestamp) === signature,
  );
}

function use(lease: GrantedLease, t: number, isFallback: boolean): void {
  if (isFallback) {
    lease.firstFallbackUse = Math.min(lease.firstFallbackUse, t);
    lease.lastFallbackUse = Math.max(lease.lastFallbackUse, t);
  } else {
    lease.firstUse = Math.min(lease.firstUse, t);
    lease.lastUse = Math.max(lease.lastUse, t);
  }
}

/** A part of an ID for the hash of a run. */
export function digest(id: bigint): number {
  return Number(BigInt.asIntN(32, id));
}
