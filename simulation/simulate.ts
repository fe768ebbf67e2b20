// One simulated world: nodes with the real client, servers with the real engine, a store, and everything that can go
// wrong with them and in between, all from one seed.
import { Clock, START } from './clock.ts';
import { type Region, startNodeFaults, startStoreFaults } from './faults.ts';
import { Network } from './network.ts';
import { Node } from './node.ts';
import { Oracle, type Violation } from './oracle.ts';
import { breakOrder, controlOf, type Rule } from './rules-off.ts';
import { drawScenario, type Scenario } from './scenarios.ts';
import { Servers } from './server.ts';
import { drawClientConfig, type Settings } from './settings.ts';
import { Store } from './store.ts';
import { startWorkload } from './workload.ts';
import { World } from './world.ts';

const HOUR = 3_600_000;
/** Pools are there by then. */
const FIRST_CALL_MS = 1000;

export const DEFAULT_BURST = 140;

export interface SimulationOptions {
  readonly seed: number;
  readonly nodes: number;
  readonly hours: number;
  /** How many IDs a long burst has. */
  readonly burst?: number | undefined;
  readonly off?: Rule | undefined;
  /** `chaos` when left out, or the one in which the rule that is off shows. */
  readonly scenario?: Scenario | undefined;
}

export interface SimulationResult {
  readonly seed: number;
  readonly violations: readonly Violation[];
  readonly ids: Readonly<Oracle['ids']>;
  readonly leases: number;
  readonly randomMeetings: number;
  readonly events: Readonly<Record<string, number>>;
  /** Equal hashes are equal runs. */
  readonly hash: string;
  readonly log: readonly string[];
}

// Errors are part of the plan here, and their stacks would cost more than all the rest.
Error.stackTraceLimit = 0;

export async function simulate(options: SimulationOptions): Promise<SimulationResult> {
  const mend = options.off === 'R6' ? await breakOrder() : () => {};
  try {
    return await run(options);
  } finally {
    mend();
  }
}

async function run(options: SimulationOptions): Promise<SimulationResult> {
  const { seed, hours, burst = DEFAULT_BURST, off } = options;
  const world = new World(seed);
  const scenario = options.scenario ?? (off === undefined ? 'chaos' : controlOf(off).scenario);
  const settings = drawScenario(scenario, world.random, options.nodes);
  const steady = Array.from({ length: settings.steadyNodes }, (_, i) => `node${i}.1`);
  const allowsRandom = settings.isWide && !settings.disableFallback;
  const oracle = new Oracle(settings.layout, allowsRandom, new Set(steady));
  const events: Record<string, number> = {};
  const happen = (what: string, detail = '') => {
    events[what] = (events[what] ?? 0) + 1;
    world.note(`${what} ${detail}`);
  };

  world.note(`${scenario} ${JSON.stringify(settings)}, from ${START}`);
  for (const index of settings.regions.keys()) {
    const region = startRegion(world, settings, index, oracle, off, happen);
    // A server may be faster.
    region.servers.createPool().catch(() => {});
    world.after(FIRST_CALL_MS, () => startWorkload(world, region.nodes, settings, burst));
    startNodeFaults(world, region.nodes.slice(settings.steadyNodes), settings, happen);
    startStoreFaults(world, region, settings, happen);
  }
  await world.run(hours * HOUR);
  oracle.finish();
  return {
    seed,
    violations: oracle.violations,
    ids: oracle.ids,
    leases: oracle.leases.length,
    randomMeetings: oracle.randomMeetings,
    events,
    hash: world.hash,
    log: world.log,
  };
}

/** A store, its servers, and the nodes that reach these. */
function startRegion(
  world: World,
  settings: Settings,
  index: number,
  oracle: Oracle,
  off: Rule | undefined,
  happen: (what: string, detail?: string) => void,
): Region {
  const { random } = world;
  const { layout, services, regions } = settings;
  const store = new Store(world, settings.memberSkewMs);
  const servers = new Servers(world, settings, index, store, off, {
    noticed: ({ reason, quarantinedUntil }) =>
      happen('loss noticed', `by ${reason}, until ${quarantinedUntil}`),
    missed: (what) => oracle.missed(what),
  });
  const network = new Network(world, settings.network, servers, off, {
    requested: (node, options) => oracle.requested(node, options),
    granted: (node, response) => {
      for (const lease of response.leases) oracle.granted(node, lease, store.grantOf(lease.secret));
    },
    released: (node, options) => oracle.released(node, options),
  });
  const around = { world, oracle, layout, connect: network.connect.bind(network) };
  const numbers = Array.from({ length: settings.nodes }, (_, i) => i).filter(
    (i) => i % regions.length === index,
  );
  const nodes = numbers.map((number) => {
    const isSteady = number < settings.steadyNodes;
    const isFarOff = !isSteady && random.chance(0.2);
    const offset = isFarOff ? random.integer(-HOUR, HOUR) : random.integer(-900, 900);
    const clock = new Clock(world, offset, (random.next() - 0.5) * (isSteady ? 2e-5 : 2e-3));
    const config = drawClientConfig(random, settings);
    return new Node(number, around, clock, services[config.serviceId], config);
  });
  return { store, servers, nodes };
}
