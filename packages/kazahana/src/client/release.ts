// Sends a release: once, with a deadline. The lease is gone for the client whatever comes of it.
import { ENDED } from '../environment.js';
import type { ClientReport } from '../lease/report.js';
import { signRelease } from '../lease/signature.js';
import type { LeaseInfo, LeaseProvider } from '../lease/types.js';
import type { ClientSettings } from './config.js';

export async function sendRelease(
  provider: LeaseProvider,
  { id, secret }: Pick<LeaseInfo, 'id' | 'secret'>,
  timestamp: number,
  { serviceId, acquireTimeout, environment }: ClientSettings,
  report?: ClientReport,
): Promise<void> {
  const done = new AbortController();
  const deadline = environment.sleep(acquireTimeout, { signal: done.signal, background: true }).then(() => {
    if (!done.signal.aborted) throw new Error(`the provider did not answer within ${acquireTimeout} ms`);
  });
  const call = async () =>
    provider.release({
      id,
      timestamp,
      signature: signRelease(secret, id, timestamp),
      ...(serviceId !== undefined && { serviceId }),
      ...(report !== undefined && { report }),
    });
  try {
    await Promise.race([call(), deadline]);
  } finally {
    done.abort(ENDED);
  }
}
