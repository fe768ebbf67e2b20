// What a world is like: drawn from the seed, so that a hundred seeds are a hundred different worlds.
import { type IdLayout, type KazahanaClientConfig, LIB_DEFAULT_EPOCH } from 'kazahana';
import type { Share } from 'kazahana/lease';
import type { NetworkFaults } from './network.ts';
import type { StoreFaults } from './store-link.ts';
import type { Random } from './world.ts';

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;

/** How long leases are, for some of the nodes. */
export interface Service {
  readonly leaseDuration: number;
  readonly fallbackGrace: number;
}

/**
 * What becomes of what the store acknowledged. `keeps`: it stays. `loses`: a fail-over may lose it, and the store tells that it
 * is another incarnation. `forgets`: an older state is put in place, and nothing tells.
 */
export type History = 'keeps' | 'loses' | 'forgets';

/** What goes wrong, and how much time is between on average; nothing that is left out. */
export interface Incidents {
  /** Clocks, pauses, crashes, stops and partitions of nodes. */
  readonly nodes?: number;
  readonly layoutChange?: number;
  readonly serverRestart?: number;
  readonly storeAway?: number;
  readonly storeClockStep?: number;
  /** Another member takes over; in a store that loses or forgets, with an older state. */
  readonly failOver?: number;
  /** The store is empty. */
  readonly totalLoss?: number;
}

export interface Settings {
  readonly nodes: number;
  readonly layout: IdLayout;
  /** With room for random IDs. */
  readonly isWide: boolean;
  /** All of one pool. */
  readonly services: Readonly<Record<'default' | 'orders', Service>>;
  /** Each has a store and servers of its own. */
  readonly regions: readonly Share[];
  readonly servers: number;
  /** Whether servers believe what clients claim without a proof. */
  readonly isTrusted: boolean;
  readonly history: History;
  /** How long before a loss the older state was taken that replaces the present one. */
  readonly lagMs: number;
  /** How far the clocks of the store's members are from the true time, at most. */
  readonly memberSkewMs: number;
  readonly incidents: Incidents;
  readonly network: NetworkFaults;
  readonly store: StoreFaults;
  readonly disableFallback: boolean;
  /** So many nodes, the first ones, meet no fault but those of the store: they must make no fallback ID. */
  readonly steadyNodes: number;
  /** Who starts anew shortly before a loss and right after it: nodes other than the steady ones, and after it servers. */
  readonly turnover: 'none' | 'nodes' | 'nodes and servers';
  /** Set where a scenario depends on how soon clients try again. */
  readonly acquireRetryMaxInterval?: number;
}

/** Half of the margin that the rules have for clocks of a store's members: no two are further apart than that. */
const MEMBER_SKEW_MS = 5 * SECOND;

export function drawSettings(random: Random, nodes: number): Settings {
  // Narrow: few slots of few suffixes, so that nodes compete and suffixes meet.
  const isWide = random.chance(0.3);
  const suffixBits = isWide ? 22 : random.integer(5, 8);
  const layout = drawLayout(suffixBits, random.integer(3, isWide ? 5 : Math.min(5, suffixBits - 2)));
  const services = { default: drawService(random), orders: drawService(random) };
  const history = random.pick<History>(['keeps', 'keeps', 'loses', 'loses', 'forgets']);
  // Often enough that leases end without renewal, seldom enough that most are renewed.
  const mean = Math.max(20 * SECOND, Math.min(services.default.leaseDuration, services.orders.leaseDuration));
  // A store that loses something has members whose clocks agree within the margin; any other may have any clock.
  const hasWildClock = history === 'keeps' && random.chance(0.4);
  return {
    ...{ nodes, layout, isWide, services, history },
    regions: [{ index: 0, of: 1 }],
    servers: random.integer(1, 3),
    isTrusted: random.chance(0.5),
    lagMs: random.pick([3, 10, 60]) * SECOND,
    memberSkewMs: MEMBER_SKEW_MS,
    incidents: {
      nodes: mean,
      layoutChange: 20 * MINUTE,
      serverRestart: random.pick([2, 10]) * MINUTE,
      storeAway: 15 * MINUTE,
      failOver: 10 * MINUTE,
      ...(hasWildClock && { storeClockStep: 4 * mean }),
      ...(history === 'loses' && random.chance(0.3) && { totalLoss: 30 * MINUTE }),
    },
    network: {
      meanDelayMs: random.pick([2, 20, 200]),
      loss: random.pick([0, 0.02, 0.2]),
      duplicate: random.pick([0, 0.1, 0.3]),
      stale: random.pick([0, 0.05, 0.2]),
    },
    store: {
      meanDelayMs: random.pick([0.3, 3, 30]),
      spurious: random.pick([0, 0.05, 0.2]),
      late: random.pick([0, 0.05]),
      failsBefore: random.pick([0, 0.02, 0.1]),
      failsAfter: random.pick([0, 0.02, 0.1]),
      happensLater: random.pick([0, 0.02, 0.1]),
    },
    disableFallback: random.chance(0.15),
    steadyNodes: 0,
    turnover: random.chance(0.3) ? 'nodes and servers' : 'none',
  };
}

export function drawLayout(suffixBits: number, bitId: number): IdLayout {
  const bitReserve = 64 - 41 - suffixBits;
  return { customEpoch: LIB_DEFAULT_EPOCH, bitReserve, bitTs: 41, bitId, bitSeq: suffixBits - bitId };
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
export function drawClientConfig(random: Random, settings: Settings) {
  const { layout, isWide, disableFallback, acquireRetryMaxInterval } = settings;
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
    ...(acquireRetryMaxInterval !== undefined && { acquireRetryMaxInterval }),
  } satisfies KazahanaClientConfig;
}
