// What the functions of the schema answer, and what we make of it. Numbers come in JSON, exact up to 2^53; names come
// as they are stored (text.ts).
import {
  type AcquireResponse,
  type InspectedLease,
  type LeaseRecord,
  type PoolRecord,
  type ResolvedService,
  takenUntil,
} from 'kazahana/lease';
import { fromStored } from './text.js';

/** A pool; `version` rises when its layout changes. */
export interface StoredPool extends PoolRecord {
  readonly version: number;
}

/** Where the next search for free slots starts: nothing but the functions of the schema knows what it means. */
export type Place = readonly number[];

export type AcquireAnswer =
  | {
      readonly is: 'granted';
      readonly now: number;
      readonly serial: number;
      readonly slots: readonly number[];
      readonly place: Place;
    }
  | {
      readonly is: 'repeated';
      readonly now: number;
      readonly serial: number;
      readonly leases: readonly Pick<
        LeaseRecord,
        'id' | 'secret' | 'created' | 'expired' | 'fallbackUntil'
      >[];
    }
  | { readonly is: 'quarantined' | 'over quota'; readonly waitMs: number }
  | { readonly is: 'exhausted'; readonly waitMs: number; readonly place: Place }
  | { readonly is: 'too many' }
  /** Not the pool that the server remembers. */
  | { readonly is: 'outdated' }
  /** The pool itself must change for this, which one does alone. */
  | { readonly is: 'crowded' }
  /** The last free slots are in others' hands, who may yet give them back. */
  | { readonly is: 'contended' };

type AnsweredLease = Extract<AcquireAnswer, { is: 'repeated' }>['leases'][number];

/** The leases of slots that were granted, as the function has just written them. */
export function grantedLeases(
  { slots, now }: Extract<AcquireAnswer, { is: 'granted' }>,
  secrets: readonly string[],
  service: ResolvedService,
): AnsweredLease[] {
  return slots.map((id, i) => ({
    id,
    secret: secrets[i] as string,
    created: now,
    expired: now + service.leaseDuration,
    fallbackUntil: takenUntil(service, now),
  }));
}

/** Each lease carries all that is needed to make IDs. */
export function toResponse(
  { id, layout }: StoredPool,
  { now, serial }: { readonly now: number; readonly serial: number },
  leases: readonly AnsweredLease[],
  requestId: string | undefined,
): AcquireResponse {
  const infos = leases.map((lease) => ({ ...lease, ...layout }));
  return { leases: infos, now, pool: id, serial, ...(requestId !== undefined && { requestId }) };
}

/** A lease of a machine number, as far as a release needs to know it. */
export interface Candidate extends LeaseRecord {
  readonly serial: number;
  readonly isFormer: boolean;
}

export interface LeasesAnswer {
  readonly now: number;
  readonly pool: StoredPool | null;
  readonly leases: readonly Omit<Candidate, 'serviceId' | 'holder' | 'request' | 'account'>[];
}

/** The rest of a lease's record stays where it is: no rule of a release asks for it. */
export function toCandidate(lease: LeasesAnswer['leases'][number]): Candidate {
  return { ...lease, serviceId: '', holder: {}, request: null, account: null };
}

export interface PoolAnswer {
  readonly now: number;
  readonly pool: StoredPool;
  readonly held: number;
}

export type ListedLease = Omit<InspectedLease, 'holder'> & { readonly holder: string };

export function toListed({ serviceId, holder, ...lease }: ListedLease): InspectedLease {
  return { ...lease, serviceId: fromStored(serviceId), holder: JSON.parse(holder) };
}
