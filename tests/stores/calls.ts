// Calls to a provider as tests make them.
import { type LeaseInfo, type LeaseProvider, signRelease } from 'kazahana/lease';

/** The first lease of a response. */
export async function leaseOf(provider: LeaseProvider): Promise<LeaseInfo> {
  const [lease] = (await provider.acquire({})).leases;
  if (!lease) throw new Error('a response has a lease');
  return lease;
}

/** Gives a lease back that was used in its first millisecond only. */
export function release(provider: LeaseProvider, { id, secret, created }: LeaseInfo): Promise<void> {
  return provider.release({ id, timestamp: created, signature: signRelease(secret, id, created) });
}
