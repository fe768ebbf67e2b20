// The clients of a storm: every way to get an ID, through servers and on the store itself, each in a process of its own.
import type { KazahanaClientConfig } from 'kazahana';
import type { Kind } from '../checker/kinds.ts';
import { MINTED } from '../records.ts';
import type { Way } from '../ways.ts';

export interface Member {
  readonly name: string;
  /** Where its leases come from; `ids`: it gets IDs from `POST /ids`. */
  readonly from: 'server' | 'store' | 'ids';
  readonly way?: Way;
  readonly client?: Omit<KazahanaClientConfig, 'provider'>;
  readonly atOnce?: number;
  readonly staysMs?: number;
  /** Its clock can be moved: it does not decide which slots are free. */
  readonly hasClock?: boolean;
  /** Kinds of IDs that its settings forbid. */
  readonly forbidden?: readonly Kind[];
}

/** So many IDs a millisecond are two leases or more, in both layouts of a storm. */
const WIDE = { maxThroughputPerMs: 2 ** 16 };
const STRICT = { client: { disableFallback: true }, forbidden: ['fenced', 'random'] } as const;
const NO_RANDOM = { client: { disableRandomFallback: true }, forbidden: ['random'] } as const;
const BATCH = 60;

/** `storeHasClock`: the store's own clock decides, so that clocks of its direct users may be wrong. */
export const rosterOf = (storeHasClock: boolean): readonly Member[] => [
  { name: 'next', from: 'server', way: 'nextId', atOnce: BATCH },
  { name: 'next-clock', from: 'server', way: 'nextId', atOnce: BATCH, hasClock: true },
  { name: 'batch', from: 'server', way: 'nextIds', atOnce: 2 * BATCH },
  { name: 'batch-clock', from: 'server', way: 'nextIds', atOnce: 2 * BATCH, hasClock: true },
  { name: 'sync', from: 'server', way: 'nextIdSync', atOnce: BATCH },
  { name: 'sync-clock', from: 'server', way: 'nextIdSync', atOnce: BATCH, hasClock: true },
  { name: 'fill', from: 'server', way: 'fill', atOnce: 4 * BATCH },
  { name: 'strict', from: 'server', way: 'nextIds', atOnce: BATCH, ...STRICT },
  { name: 'no-random-clock', from: 'server', way: 'nextId', atOnce: BATCH, hasClock: true, ...NO_RANDOM },
  { name: 'wide', from: 'server', way: 'fill', atOnce: 4 * BATCH, client: WIDE },
  { name: 'short-clock', from: 'server', way: 'nextIds', atOnce: BATCH, staysMs: 700, hasClock: true },
  { name: `${MINTED}-1`, from: 'ids', atOnce: BATCH },
  { name: `${MINTED}-2`, from: 'ids', atOnce: 2 * BATCH },
  { name: 'direct', from: 'store', way: 'nextId', atOnce: BATCH, hasClock: storeHasClock },
  { name: 'direct-batch', from: 'store', way: 'nextIds', atOnce: 2 * BATCH },
  { name: 'direct-sync', from: 'store', way: 'nextIdSync', atOnce: BATCH },
  { name: 'direct-strict', from: 'store', way: 'nextIds', atOnce: BATCH, ...STRICT },
  {
    name: 'direct-short',
    from: 'store',
    way: 'nextIds',
    atOnce: BATCH,
    staysMs: 700,
    hasClock: storeHasClock,
  },
];
