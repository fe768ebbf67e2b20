// Proofs that servers give to clients, and that survive the loss of the store (rule R7): what a client claims to have
// seen or to hold is believed when a server that knows the same key has said so before.
import { equalInConstantTime, hmacHex } from './signature.js';
import type { AcquireResponse, RenewalClaim, SeenPool } from './types.js';

type LeaseWindow = Pick<RenewalClaim, 'id' | 'bitId' | 'bitSeq' | 'created' | 'expired' | 'fallbackUntil'>;

/** The key for the proofs of one pool: they prove nothing to another. */
export function keyOfPool(lossKey: string, name: string): string {
  return hmacHex(lossKey, JSON.stringify(['pool', name]));
}

/** The keys of pools by their names, each computed once; undefined when there is no `lossKey`. */
export function keysOfPools(lossKey: string | undefined): (name: string) => string | undefined {
  const keys = new Map<string, string>();
  return (name) => {
    if (lossKey === undefined) return undefined;
    const key = keys.get(name) ?? keyOfPool(lossKey, name);
    keys.set(name, key);
    return key;
  };
}

export function proveSerial(lossKey: string, pool: string, serial: number): string {
  return hmacHex(lossKey, JSON.stringify(['serial', pool, serial]));
}

export function proveLease(lossKey: string, pool: string, lease: LeaseWindow): string {
  const { id, bitId, bitSeq, created, expired, fallbackUntil } = lease;
  return hmacHex(
    lossKey,
    JSON.stringify(['lease', pool, id, bitId, bitSeq, created, expired, fallbackUntil]),
  );
}

export function isProvenSerial(lossKey: string, { pool, serial, proof = '' }: SeenPool): boolean {
  return equalInConstantTime(proveSerial(lossKey, pool, serial), proof);
}

export function isProvenLease(lossKey: string, claim: RenewalClaim): boolean {
  return equalInConstantTime(proveLease(lossKey, claim.pool, claim), claim.proof ?? '');
}

/** Why a caller may be believed: it is trusted, or it has a proof for this key. */
export interface Trust {
  readonly isTrusted: boolean;
  readonly lossKey: string | undefined;
}

/**
 * Whether what a caller says of the pool is believed. A proof that does not fit is of another pool, from which the service has
 * moved, so that a trusted caller is not believed with it either.
 */
export function isBelieved<Claim extends { readonly proof?: string }>(
  claim: Claim,
  { isTrusted, lossKey }: Trust,
  isProven: (lossKey: string, claim: Claim) => boolean,
): boolean {
  return lossKey !== undefined && claim.proof !== undefined ? isProven(lossKey, claim) : isTrusted;
}

/** The response with proofs of its serial and of its leases. */
export function proveResponse<Response extends Required<Pick<AcquireResponse, 'leases' | 'pool' | 'serial'>>>(
  lossKey: string,
  response: Response,
): Response {
  const { pool, serial, leases } = response;
  const proven = leases.map((lease) => ({
    ...lease,
    proof: proveLease(lossKey, pool, { fallbackUntil: lease.expired, ...lease }),
  }));
  return { ...response, leases: proven, proof: proveSerial(lossKey, pool, serial) };
}
