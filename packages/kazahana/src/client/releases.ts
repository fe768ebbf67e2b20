// A release of a lease: sent once, with a deadline. A failure is an event; the lease is gone for the client either way.
import { within } from '../deadline.js';
import type { ClientReport } from '../lease/report.js';
import { signRelease } from '../lease/signature.js';
import type { LeaseInfo, LeaseProvider } from '../lease/types.js';
import { timeLimit } from './attempts.js';
import type { ClientSettings } from './config.js';
import type { CorrectedClock } from './corrected-clock.js';
import type { Emitter } from './events.js';
import type { Sequencer } from './sequencer.js';

export interface ReleaseContext {
  readonly settings: ClientSettings;
  readonly sequencer: Sequencer;
  readonly clock: CorrectedClock;
  readonly events: Emitter;
}

export async function sendRelease(
  provider: LeaseProvider,
  { settings, sequencer, clock, events }: ReleaseContext,
  { id, secret }: Pick<LeaseInfo, 'id' | 'secret'>,
  timeoutMs: number,
  report?: ClientReport,
): Promise<void> {
  const { serviceId, environment } = settings;
  // Not below any timestamp that was used (rule R2).
  const timestamp = Math.max(clock.now(), sequencer.t, 0);
  const options = {
    id,
    timestamp,
    signature: signRelease(secret, id, timestamp),
    ...(serviceId !== undefined && { serviceId }),
    ...(report !== undefined && { report }),
  };
  try {
    await within(timeLimit(environment, timeoutMs), async () => provider.release(options));
    events.emit('release', { machineId: id });
  } catch (error) {
    events.emit('releaseFailed', { machineId: id, error });
  }
}
