// Random commands for lease stores, and one store's responses to them in a form in which all stores can be compared:
// times count from the beginning, leases and pools are called by their order, secrets are left out.
import { type LeaseInfo, type ReleaseOptions, signRelease } from 'kazahana/lease';
import type { ConformanceSubject, ConformingProvider } from 'kazahana/testing';
import type { Random } from '../../simulation/world.ts';

export const SERVICES = {
  default: { bitId: 4, bitSeq: 18, leaseDuration: 10_000 },
  orders: { leaseDuration: 3000, fallbackGrace: 500, maxLeases: 3 },
  mails: { leaseDuration: 20_000, fallbackGrace: 0, maxLeasesPerRequest: 2 },
  own: { bitId: 3, bitSeq: 19, leaseDuration: 5000, pool: 'own' },
} as const;

export type Command =
  | {
      readonly do: 'acquire';
      readonly serviceId: string | undefined;
      readonly slots: number;
      readonly requestId: string | undefined;
      /** What the client says to have seen: nothing, the response of so many acquires ago, more than that, another pool. */
      readonly seen: 'nothing' | 'a response' | 'more' | 'another pool';
      readonly account: { readonly name: string; readonly maxLeases: number } | undefined;
    }
  | {
      readonly do: 'release';
      /** Counts from the last lease that was granted. */
      readonly back: number;
      readonly offset: number;
      readonly isForged: boolean;
    }
  | { readonly do: 'advance'; readonly ms: number }
  | { readonly do: 'inspect' | 'list' | 'quarantine'; readonly pool: 'default' | 'own' }
  | { readonly do: 'revoke'; readonly id: number }
  | { readonly do: 'change layout'; readonly bitId: number };

/** The widths of both pools add up to this. */
const SUFFIX_BITS = 22;
const SLOT = 2 ** 18;

export function drawCommand(random: Random): Command {
  const dice = random.next();
  if (dice < 0.45) {
    const isAgain = random.chance(0.3);
    return {
      do: 'acquire',
      serviceId: random.pick([undefined, 'default', 'orders', 'orders', 'mails', 'unknown', 'own']),
      slots: random.pick([1, 1, 1, 2, 3, 5]),
      requestId: isAgain ? `request ${random.integer(1, 4)}` : undefined,
      seen: random.pick([
        'nothing',
        'a response',
        'a response',
        'a response',
        'a response',
        'a response',
        'a response',
      ]),
      account: random.chance(0.2)
        ? { name: random.pick(['a', 'b']), maxLeases: random.integer(1, 4) }
        : undefined,
    };
  }
  if (dice < 0.7) {
    return {
      do: 'release',
      back: random.integer(1, 6),
      offset: random.pick([0, 0, 0, -1, -5000, 200, 29_000, 40_000]),
      isForged: random.chance(0.1),
    };
  }
  if (dice < 0.9) return { do: 'advance', ms: random.pick([1, 10, 499, 500, 1000, 3000, 9999, 20_000]) };
  if (dice < 0.98)
    return { do: random.pick(['inspect', 'list']), pool: random.pick(['default', 'default', 'own']) };
  // Rare, for they stop everything else for a while.
  const rare = random.integer(0, 4);
  if (rare === 0) return { do: 'quarantine', pool: random.pick(['default', 'own']) };
  if (rare === 1) return { do: 'revoke', id: random.integer(0, 7) };
  if (rare === 2) return { do: 'change layout', bitId: random.integer(2, 5) };
  const seen = rare === 3 ? 'more' : 'another pool';
  return { do: 'acquire', serviceId: undefined, slots: 1, requestId: undefined, seen, account: undefined };
}

/** Members of errors by which callers decide. */
const TELLING = [
  'code',
  'reason',
  'retryAfterMs',
  'allowed',
  'requested',
  'id',
  'serviceId',
  'toleranceMs',
] as const;

/** One store, driven by commands. */
export class Driven {
  readonly #provider: Required<ConformingProvider>;
  readonly #subject: ConformanceSubject;
  readonly #start: number;
  readonly #granted: { readonly lease: LeaseInfo; readonly serviceId: string | undefined }[] = [];
  readonly #pools: string[] = [];
  #highest: { pool: string; serial: number } | undefined;

  constructor(subject: ConformanceSubject, start: number) {
    this.#subject = subject;
    this.#provider = subject.provider as Required<ConformingProvider>;
    this.#start = start;
  }

  /** Does it, and tells the outcome in comparable form. */
  async perform(command: Command): Promise<unknown> {
    try {
      return await this.#perform(command);
    } catch (error) {
      const all = error as Readonly<Record<string, unknown>>;
      return { refused: Object.fromEntries(TELLING.map((name) => [name, all[name]])) };
    }
  }

  async #perform(command: Command): Promise<unknown> {
    switch (command.do) {
      case 'acquire':
        return this.#acquire(command);
      case 'release':
        return this.#release(command);
      case 'advance':
        return this.#subject.advance?.(command.ms);
      case 'inspect':
        return this.#comparable(await this.#provider.inspectPool(command.pool));
      case 'list':
        return this.#comparable(await this.#provider.listLeases(command.pool));
      case 'quarantine':
        return this.#comparable(await this.#provider.quarantine(command.pool));
      case 'revoke':
        return this.#provider.revoke({ id: command.id });
      case 'change layout': {
        const { bitId } = command;
        return this.#comparable(await this.#provider.changeLayout({ bitId, bitSeq: SUFFIX_BITS - bitId }));
      }
    }
  }

  async #acquire({
    serviceId,
    slots,
    requestId,
    seen,
    account,
  }: Command & { do: 'acquire' }): Promise<unknown> {
    const isOwn = serviceId === 'own';
    const known = isOwn ? undefined : this.#highest;
    const said = {
      nothing: undefined,
      'a response': known,
      more: known && { ...known, serial: known.serial + 1_000_000 },
      'another pool': { pool: `lost ${this.#granted.length}`, serial: 1 },
    }[seen];
    const response = await this.#provider.acquire(
      {
        throughputPerMs: slots * SLOT,
        meta: { host: `h${slots}` },
        ...(serviceId !== undefined && { serviceId }),
        ...(requestId !== undefined && { requestId }),
        ...(said && { seen: said }),
      },
      account && { account },
    );
    const { pool = '', serial = 0 } = response;
    if (!isOwn) this.#highest = { pool, serial: Math.max(serial, this.#highest?.serial ?? 0) };
    for (const lease of response.leases) this.#granted.push({ lease, serviceId });
    return this.#comparable(response);
  }

  async #release({ back, offset, isForged }: Command & { do: 'release' }): Promise<unknown> {
    const entry = this.#granted.at(-back);
    if (!entry) return 'nothing to release';
    const { id, secret } = entry.lease;
    const timestamp = Math.max(0, ((await this.#subject.now?.()) ?? 0) + offset);
    const signature = signRelease(isForged ? 'forged' : secret, id, timestamp);
    const options: ReleaseOptions = { id, signature, timestamp };
    return this.#provider.release({ ...options, ...(entry.serviceId && { serviceId: entry.serviceId }) });
  }

  /** A copy in which nothing is left that may differ from store to store. */
  #comparable(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((item) => this.#comparable(item));
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value).map(([name, part]) => {
      // A serial need only rise.
      if (name === 'secret' || name === 'serial') return [name, typeof part];
      if (name === 'pool' || (name === 'id' && typeof part === 'string'))
        return [name, this.#poolNumber(part)];
      const isTime = ['created', 'expired', 'fallbackUntil', 'now', 'quarantinedUntil'].includes(name);
      if (isTime && part !== 0) return [name, (part as number) - this.#start];
      return [name, this.#comparable(part)];
    });
    return Object.fromEntries(entries.sort(([a], [b]) => (String(a) < String(b) ? -1 : 1)));
  }

  #poolNumber(id: string): number {
    if (!this.#pools.includes(id)) this.#pools.push(id);
    return this.#pools.indexOf(id);
  }
}
