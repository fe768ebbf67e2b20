// Worlds with a name. In `chaos` everything goes wrong that can. The others show one thing, and what would hide it is left out.
import { drawLayout, drawSettings, MINUTE, SECOND, type Settings } from './settings.ts';
import { NO_STORE_FAULTS } from './store-link.ts';
import type { Random } from './world.ts';

const QUIET_NETWORK = { meanDelayMs: 2, loss: 0, duplicate: 0.1, stale: 0 };

/** Nothing goes wrong, and every node needs one slot of 32. */
function quiet(random: Random, nodes: number): Settings {
  const leaseDuration = random.pick([120, 300]) * SECOND;
  const service = { leaseDuration, fallbackGrace: leaseDuration * random.pick([0.5, 1]) };
  return {
    ...drawSettings(random, nodes),
    layout: drawLayout(random.integer(7, 9), 6),
    isWide: false,
    services: { default: service, orders: service },
    history: 'keeps',
    incidents: {},
    network: QUIET_NETWORK,
    store: { ...NO_STORE_FAULTS, meanDelayMs: random.pick([0.3, 3]), spurious: 0.05 },
    disableFallback: false,
    turnover: 'none',
  };
}

/** Losses around which nodes come and go, while others hold their leases. */
function losses(random: Random, nodes: number): Settings {
  const leaseDuration = random.pick([20, 60]) * SECOND;
  // No grace, so that slots of lost renewals are free soon.
  const service = { leaseDuration, fallbackGrace: leaseDuration * random.pick([0, 0.5]) };
  return {
    ...quiet(random, nodes),
    services: { default: service, orders: service },
    incidents: { failOver: 4 * MINUTE },
    lagMs: random.pick([1, 3, 10]) * SECOND,
    isTrusted: false,
    turnover: 'nodes and servers',
  };
}

/** More nodes than slots, which change hands often and at once. */
function crowd(random: Random, nodes: number): Settings {
  const service = { leaseDuration: 20 * SECOND, fallbackGrace: 0 };
  return {
    ...quiet(random, nodes),
    layout: drawLayout(7, 4),
    services: { default: service, orders: service },
    incidents: { nodes: 10 * SECOND },
    isTrusted: false,
    acquireRetryMaxInterval: 1 * SECOND,
  };
}

const SCENARIOS = {
  chaos: drawSettings,

  /** Two stores that never talk, each with half of the machine IDs. */
  'two-regions': (random: Random, nodes: number): Settings => ({
    ...drawSettings(random, nodes),
    regions: [
      { index: 0, of: 2 },
      { index: 1, of: 2 },
    ],
  }),

  /** As many nodes as slots, and no node dies: all make leased IDs only. */
  'full-pool': (random: Random): Settings => {
    const bitId = random.integer(3, 5);
    const nodes = 2 ** (bitId - 1);
    const layout = drawLayout(bitId + random.integer(2, 4), bitId);
    return { ...quiet(random, nodes), layout, steadyNodes: nodes };
  },

  /** Fail-overs that lose the last grants stop newcomers; nodes with a lease go on as if nothing had happened. */
  'steady-fleet': (random: Random, nodes: number): Settings => ({
    ...quiet(random, nodes),
    history: 'loses',
    incidents: { failOver: 8 * MINUTE, ...(random.chance(0.3) && { totalLoss: 25 * MINUTE }) },
    lagMs: random.pick([1, 3, 10]) * SECOND,
    steadyNodes: Math.ceil(nodes * 0.7),
    turnover: 'nodes and servers',
  }),

  'told-loss': (random: Random, nodes: number): Settings => ({ ...losses(random, nodes), history: 'loses' }),

  'silent-loss': (random: Random, nodes: number): Settings => ({
    ...losses(random, nodes),
    history: 'forgets',
  }),

  'silent-loss-one-server': (random: Random, nodes: number): Settings => ({
    ...losses(random, nodes),
    history: 'forgets',
    servers: 1,
  }),

  /** A slow store, and a loss while servers have read and not yet written. They live on, so that clients get what is written then. */
  'slow-store': (random: Random, nodes: number): Settings => ({
    ...losses(random, nodes),
    history: 'loses',
    incidents: { failOver: 2 * MINUTE },
    lagMs: 1 * SECOND,
    servers: 4,
    store: { ...NO_STORE_FAULTS, meanDelayMs: 100 },
    turnover: 'nodes',
  }),

  crowd: (random: Random, nodes: number): Settings => ({
    ...crowd(random, nodes),
    network: { meanDelayMs: 20, loss: 0.05, duplicate: 0.3, stale: 0.3 },
  }),

  /** Members of the store are apart by the whole margin, and nodes are cut off for longer than their leases. */
  'clocks-apart': (random: Random, nodes: number): Settings => ({
    ...crowd(random, nodes),
    history: 'loses',
    incidents: { failOver: 1 * MINUTE, nodes: 10 * SECOND },
    lagMs: 4 * SECOND,
  }),
} satisfies Record<string, (random: Random, nodes: number) => Settings>;

export type Scenario = keyof typeof SCENARIOS;
export const SCENARIO_NAMES = Object.keys(SCENARIOS) as Scenario[];

export function drawScenario(scenario: Scenario, random: Random, nodes: number): Settings {
  return SCENARIOS[scenario](random, nodes);
}
