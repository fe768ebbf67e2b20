// What a world is like: drawn from the seed, so that a hundred seeds are a hundred different worlds.
import { type IdLayout, type KazahanaClientConfig, LIB_DEFAULT_EPOCH } from 'kazahana';
import type { NetworkFaults } from './network.ts';
import type { Random } from './world.ts';

const SECOND = 1000;

/** How long leases are, for some of the nodes. */
export interface Service {
  readonly leaseDuration: number;
  readonly fallbackGrace: number;
}

export interface Settings {
  readonly layout: IdLayout;
  /** With room for random IDs. */
  readonly isWide: boolean;
  /** All of one pool. */
  readonly services: Readonly<Record<'default' | 'orders', Service>>;
  readonly isLossy: boolean;
  readonly hasWildStoreClock: boolean;
  readonly faults: NetworkFaults;
  readonly disableFallback: boolean;
}

export function drawSettings(random: Random): Settings {
  // Narrow: few slots of few suffixes, so that nodes compete and suffixes meet.
  const isWide = random.chance(0.3);
  const suffixBits = isWide ? 22 : random.integer(5, 8);
  const bitId = random.integer(3, isWide ? 5 : Math.min(5, suffixBits - 2));
  const layout: IdLayout = {
    customEpoch: LIB_DEFAULT_EPOCH,
    bitReserve: 64 - 41 - suffixBits,
    bitTs: 41,
    bitId,
    bitSeq: suffixBits - bitId,
  };
  // A store that forgets keeps a clock that its members agree on within the margin; any other may have any clock.
  const isLossy = random.chance(0.4);
  return {
    layout,
    isWide,
    services: { default: drawService(random), orders: drawService(random) },
    isLossy,
    hasWildStoreClock: !isLossy && random.chance(0.4),
    faults: {
      meanDelayMs: random.pick([2, 20, 200]),
      loss: random.pick([0, 0.02, 0.2]),
      duplicate: random.pick([0, 0.1, 0.3]),
      stale: random.pick([0, 0.05, 0.2]),
    },
    disableFallback: random.chance(0.15),
  };
}

/**
 * With a grace that is longer than another service's leases: a slot that was free before the grace is over could be
 * leased, and be in its own grace, while that of the lease before goes on.
 */
function drawService(random: Random): Service {
  const leaseDuration = random.pick([10, 20, 60, 300]) * SECOND;
  return { leaseDuration, fallbackGrace: leaseDuration * random.pick([0, 1, 1, 3]) };
}

/** How the client of a node is configured. */
export function drawClientConfig(random: Random, { layout, isWide, disableFallback }: Settings) {
  const perSlot = 2 ** layout.bitSeq;
  const nextIdTimeout = random.pick([200, 5000, 5000, undefined]);
  return {
    serviceId: random.pick(['default', 'default', 'orders'] as const),
    bitReserve: layout.bitReserve,
    // A wide slot is never used up; but so many random IDs are.
    maxThroughputPerMs: isWide ? random.pick([32, perSlot, 2 * perSlot]) : perSlot * random.pick([1, 1, 2]),
    disableFallback,
    disableRandomFallback: !isWide,
    maxBackwardMs: random.pick([0, 5000, -1]),
    ...(nextIdTimeout !== undefined && { nextIdTimeout }),
  } satisfies KazahanaClientConfig;
}
