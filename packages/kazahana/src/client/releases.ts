// Releases: each is sent once, with a deadline. A failure is an event; the lease is gone for the client either way.
import { within } from '../deadline.js';
import type { ClientReport } from '../lease/report.js';
import { signRelease } from '../lease/signature.js';
import type { LeaseInfo, LeaseProvider } from '../lease/types.js';
import { timeLimit } from './attempts.js';
import type { ClientSettings } from './config.js';
import type { CorrectedClock } from './corrected-clock.js';
import type { Emitter } from './events.js';
import type { Sequencer } from './sequencer.js';

export interface ReleasesContext {
  readonly settings: ClientSettings;
  readonly sequencer: Sequencer;
  readonly clock: CorrectedClock;
  readonly events: Emitter;
}

export class Releases {
  readonly #provider: LeaseProvider;
  readonly #context: ReleasesContext;
  readonly #underWay = new Set<Promise<void>>();

  constructor(provider: LeaseProvider, context: ReleasesContext) {
    this.#provider = provider;
    this.#context = context;
  }

  get areUnderWay(): boolean {
    return this.#underWay.size > 0;
  }

  /** Resolves when all have ended. */
  async settled(): Promise<void> {
    await Promise.all(this.#underWay);
  }

  send(
    { id, secret }: Pick<LeaseInfo, 'id' | 'secret'>,
    timeoutMs: number,
    report?: ClientReport,
  ): Promise<void> {
    const { settings, clock, sequencer, events } = this.#context;
    // Not below any timestamp that was used (rule R2).
    const timestamp = Math.max(clock.now(), sequencer.t, 0);
    const { serviceId, environment } = settings;
    const call = async () =>
      this.#provider.release({
        id,
        timestamp,
        signature: signRelease(secret, id, timestamp),
        ...(serviceId !== undefined && { serviceId }),
        ...(report !== undefined && { report }),
      });
    const release = within(timeLimit(environment, timeoutMs), call)
      .then(
        () => events.emit('release', { machineId: id }),
        (error: unknown) => events.emit('releaseFailed', { machineId: id, error }),
      )
      .finally(() => this.#underWay.delete(release));
    this.#underWay.add(release);
    return release;
  }
}
