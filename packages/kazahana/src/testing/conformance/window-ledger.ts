// What was granted, kept apart from any provider: the suffixes and the times of every lease ever seen. Two leases
// that share a suffix must never share a moment (rules R2 and R4); that is all that uniqueness needs of a store.
import type { LeaseInfo } from '../../lease/types.js';
import { check } from './checks.js';

interface Entry {
  readonly lease: LeaseInfo;
  /** The suffixes of its IDs, as a half-open range. */
  readonly from: number;
  readonly to: number;
  /** Until here, exclusively, it may have been used. */
  end: number;
}

const show = ({ lease, from, to, end }: Entry) =>
  `machine ID ${lease.id} (suffixes ${from} to ${to}) for times ${lease.created} to ${end}`;

export class WindowLedger {
  readonly #entries: Entry[] = [];

  /** Writes a lease down; throws when it shares suffix and time with another. */
  granted(lease: LeaseInfo): void {
    const { id, bitSeq, created, expired, fallbackUntil = expired } = lease;
    const entry = { lease, from: id * 2 ** bitSeq, to: (id + 1) * 2 ** bitSeq, end: fallbackUntil };
    for (const other of this.#entries) {
      const sharesSuffix = entry.from < other.to && other.from < entry.to;
      const sharesTime = created < other.end && other.lease.created < entry.end;
      check(!(sharesSuffix && sharesTime), `granted twice: ${show(other)}, and ${show(entry)}`);
    }
    this.#entries.push(entry);
  }

  /** The holder has given a lease back and promises to have used no time beyond this one. */
  released(lease: LeaseInfo, timestamp: number): void {
    const entry = this.#entries.find((other) => other.lease.secret === lease.secret);
    if (entry) entry.end = Math.min(entry.end, Math.max(lease.created, timestamp + 1));
  }
}
