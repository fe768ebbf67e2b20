// One simulated world: nodes with the real client, a store with the real pool rules, and everything that can go wrong
// in between, all from one seed.
import { Clock, START } from './clock.ts';
import { startNodeFaults, startStoreFaults } from './faults.ts';
import { Network } from './network.ts';
import { Node, type Surroundings } from './node.ts';
import { Oracle, type Violation } from './oracle.ts';
import { breakOrder, type Rule } from './rules-off.ts';
import { drawClientConfig, drawSettings } from './settings.ts';
import { Store } from './store.ts';
import { startWorkload } from './workload.ts';
import { World } from './world.ts';

const HOUR = 3_600_000;

export const DEFAULT_BURST = 140;

export interface SimulationOptions {
  readonly seed: number;
  readonly nodes: number;
  readonly hours: number;
  /** How many IDs a long burst has. */
  readonly burst?: number | undefined;
  readonly off?: Rule | undefined;
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

async function run({
  seed,
  nodes: nodeCount,
  hours,
  burst = DEFAULT_BURST,
  off,
}: SimulationOptions): Promise<SimulationResult> {
  const world = new World(seed);
  const { random } = world;
  const settings = drawSettings(random);
  const { layout, services } = settings;
  const oracle = new Oracle(layout, settings.isWide && !settings.disableFallback);
  const events: Record<string, number> = {};
  const happen = (what: string, detail = '') => {
    events[what] = (events[what] ?? 0) + 1;
    world.note(`${what} ${detail}`);
  };

  const store = new Store(world, settings, oracle, off);
  const network = new Network(world, settings.faults, store, off, {
    granted: (node, answer) => {
      for (const lease of answer.leases) oracle.granted(node, lease, store.isUnaware);
    },
    givenUp: (node, options) => oracle.givenUp(node, options),
  });
  const around: Surroundings = {
    world,
    oracle,
    layout,
    connect: (endpoint) => network.connect(endpoint),
  };
  const nodes = Array.from({ length: nodeCount }, (_, i) => {
    const offset = random.chance(0.2) ? random.integer(-HOUR, HOUR) : random.integer(-900, 900);
    const clock = new Clock(world, offset, (random.next() - 0.5) * 2e-3);
    const config = drawClientConfig(random, settings);
    return new Node(`node${i}`, around, clock, services[config.serviceId], config);
  });
  startWorkload(world, nodes, settings, burst);
  startNodeFaults(world, nodes, settings, happen);
  startStoreFaults(world, store, settings, happen);

  world.note(`${JSON.stringify(settings)}, from ${START}`);
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
