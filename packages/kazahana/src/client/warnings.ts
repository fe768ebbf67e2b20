// What a client warns of: once in each episode, and once when it is over. An episode begins with the first fallback ID or
// the first refusal, and ends with the next lease.
import { callListener } from '../call-listener.js';

export interface ClientWarning {
  /** What happened: IDs are fenced or random now, the provider refuses, it limits the throughput, or all is well again. */
  readonly kind: 'fenced' | 'random' | 'refused' | 'limited' | 'recovered';
  /** The provider's error. */
  readonly cause?: unknown;
}

/** Gets a sentence for people, and what it says for programs. */
export type OnClientWarning = (message: string, warning: ClientWarning) => void;

const reasonOf = (cause: unknown) => (cause instanceof Error ? cause.message : String(cause));

const SENTENCES: Readonly<Record<ClientWarning['kind'], (reason: string) => string>> = {
  fenced: (reason) =>
    `no lease could be renewed (${reason}): IDs come from the fallback half of the expired lease, for the time of its grace. They are still unique`,
  random: (reason) =>
    `there is no lease (${reason}): IDs are random, and two of them may be equal. docs/uniqueness.md has the odds; disableRandomFallback refuses them`,
  refused: (reason) =>
    `the provider refuses to lease (${reason}): nextId rejects, or makes fenced IDs while the grace of a lease lasts`,
  limited: (reason) => `the client asks for fewer leases at once than maxThroughputPerMs needs (${reason})`,
  recovered: () => 'there is a lease again: IDs are leased',
};

export class Warnings {
  readonly #onWarning: OnClientWarning;
  readonly #told = new Set<ClientWarning['kind']>();
  #limit: number | undefined;

  constructor(onWarning: OnClientWarning) {
    this.#onWarning = onWarning;
  }

  /** Once in each episode. */
  once(kind: 'fenced' | 'random' | 'refused', cause: unknown): void {
    if (this.#told.has(kind)) return;
    this.#told.add(kind);
    this.#tell({ kind, cause });
  }

  limited(throughputPerMs: number, cause: unknown): void {
    if (this.#limit === throughputPerMs) return;
    this.#limit = throughputPerMs;
    this.#tell({ kind: 'limited', cause });
  }

  recovered(): void {
    if (this.#told.size === 0) return;
    this.#told.clear();
    this.#tell({ kind: 'recovered' });
  }

  #tell(warning: ClientWarning): void {
    const sentence = SENTENCES[warning.kind](reasonOf(warning.cause));
    const message = `kazahana: ${sentence} (docs/ids.md, "When there is no lease").`;
    callListener((event: ClientWarning) => this.#onWarning(message, event), warning);
  }
}
