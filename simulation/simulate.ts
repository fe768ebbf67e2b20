// One simulated world: nodes with the real client, a store with the real pool rules, and everything that can go wrong
// in between, all from one seed.
import { type IdLayout, LIB_DEFAULT_EPOCH, MemoryLeaseProvider, type MemorySnapshot } from 'kazahana';
import type { AcquireOptions, LeaseProvider, ReleaseOptions } from 'kazahana/lease';
import { Clock, START } from './clock.ts';
import { Network } from './network.ts';
import { Node } from './node.ts';
import { Oracle, type Violation } from './oracle.ts';
import { breakOrder, brokenPoolRules, type Rule } from './rules-off.ts';
import { World } from './world.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;

export interface SimulationOptions {
  readonly seed: number;
  readonly nodes: number;
  readonly hours: number;
  readonly off?: Rule | undefined;
}

export interface SimulationResult {
  readonly seed: number;
  readonly violations: readonly Violation[];
  readonly ids: Readonly<Record<'leased' | 'fenced' | 'random' | 'stray', number>>;
  readonly leases: number;
  readonly randomCollisions: number;
  readonly events: Readonly<Record<string, number>>;
  /** Equal hashes are equal runs. */
  readonly hash: string;
  readonly log: readonly string[];
}

/** What this world is like: drawn from the seed, so that a hundred seeds are a hundred different worlds. */
function drawSettings(world: World) {
  const { random } = world;
  // Narrow: few slots of few suffixes, so that nodes compete and suffixes meet. Wide: with room for random IDs.
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
  const leaseDuration = random.pick([10, 20, 60, 300]) * SECOND;
  // A store that forgets keeps a clock that its members agree on within the margin; any other may have any clock.
  const isLossy = random.chance(0.4);
  return {
    layout,
    isWide,
    leaseDuration,
    fallbackGrace: random.pick([0, leaseDuration, leaseDuration]),
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

// Errors are part of the plan here, and their stacks would cost more than all the rest.
Error.stackTraceLimit = 0;

export async function simulate({
  seed,
  nodes: nodeCount,
  hours,
  off,
}: SimulationOptions): Promise<SimulationResult> {
  const mend = off === 'R6' ? await breakOrder() : () => {};
  try {
    return await run(seed, nodeCount, hours, off);
  } finally {
    mend();
  }
}

async function run(
  seed: number,
  nodeCount: number,
  hours: number,
  off: Rule | undefined,
): Promise<SimulationResult> {
  const world = new World(seed);
  const { random } = world;
  const settings = drawSettings(world);
  const { layout, leaseDuration } = settings;
  const oracle = new Oracle(layout, settings.isWide && !settings.disableFallback);
  const events: Record<string, number> = {};
  const happen = (what: string, detail = '') => {
    events[what] = (events[what] ?? 0) + 1;
    world.note(`${what} ${detail}`);
  };

  const storeClock = new Clock(world, random.integer(-500, 500), (random.next() - 0.5) * 1e-4);
  const store = new MemoryLeaseProvider(
    {
      services: { default: { ...layout, leaseDuration, fallbackGrace: settings.fallbackGrace } },
      environment: {
        now: () => storeClock.now(),
        random: (bytes) => random.fill(bytes),
        sleep: () => new Promise(() => {}),
      },
    },
    brokenPoolRules(off),
  );

  // Whether the store has forgotten something, and not been told so yet.
  let isUnaware = false;
  const front: LeaseProvider = {
    async acquire(options: AcquireOptions) {
      const serial = (await store.inspectPool()).serial;
      if (options.seen && options.seen.serial > serial) isUnaware = false;
      return store.acquire(options);
    },
    async release(options: ReleaseOptions) {
      await store.release(options);
      oracle.released(options);
    },
  };
  const network = new Network(world, settings.faults, front, off, {
    granted: (node, answer) => {
      for (const lease of answer.leases) oracle.granted(node, lease, isUnaware);
    },
    givenUp: (node, options) => oracle.givenUp(node, options),
  });

  const nodes = Array.from({ length: nodeCount }, (_, i) => {
    const offset = random.chance(0.2) ? random.integer(-3_600_000, 3_600_000) : random.integer(-900, 900);
    const clock = new Clock(world, offset, (random.next() - 0.5) * 2e-3);
    return new Node(`node${i}`, world, clock, oracle, (endpoint) => network.connect(endpoint), {
      bitReserve: layout.bitReserve,
      maxThroughputPerMs: 2 ** layout.bitSeq * random.pick([1, 1, 2]),
      disableFallback: settings.disableFallback,
      disableRandomFallback: !settings.isWide,
      maxBackwardMs: random.pick([0, 5000, -1]),
    });
  });

  const every = (mean: number, act: () => void) => {
    const again = () => {
      act();
      world.after(random.wait(mean), again);
    };
    world.after(random.wait(mean), again);
  };

  // The workload: bursts, sometimes several nodes at the same instant.
  for (const node of nodes) {
    every(leaseDuration / 2, () => void node.makeNow(random.pick([1, 3, 12])));
    every(leaseDuration * 2, () => node.makeLater());
  }
  every(leaseDuration, () => {
    for (const node of nodes) if (random.chance(0.5)) node.makeNow(Math.min(20, 2 ** layout.bitSeq + 3));
  });

  // What goes wrong.
  const faultMean = Math.max(20 * SECOND, leaseDuration);
  every(faultMean, () => {
    const node = random.pick(nodes);
    const isHuge = random.chance(0.2);
    const step = isHuge ? random.integer(-3_600_000, 3_600_000) : random.integer(-8000, 8000);
    happen('clock step', `${node.process.name} ${step} ms`);
    node.clock.step(step);
  });
  every(faultMean * 3, () => {
    const node = random.pick(nodes);
    happen('frozen clock', node.process.name);
    node.clock.freeze();
    world.after(random.wait(leaseDuration), () => node.clock.thaw());
  });
  every(faultMean, () => {
    const { process } = random.pick(nodes);
    happen('pause', process.name);
    process.pause();
    world.after(random.wait(leaseDuration * 1.5), () => process.resume());
  });
  every(faultMean * 2, () => {
    const node = random.pick(nodes);
    happen('crash', node.process.name);
    node.restart();
  });
  every(faultMean * 2, () => {
    const node = random.pick(nodes);
    happen('stop', node.process.name);
    void node.stop();
    world.after(random.wait(5 * SECOND), () => node.restart());
  });
  every(faultMean, () => {
    const { process } = random.pick(nodes);
    happen('partition', process.name);
    process.isCutOff = true;
    world.after(random.wait(leaseDuration * 2), () => {
      process.isCutOff = false;
    });
  });
  every(20 * MINUTE, () => {
    const bitId = random.integer(2, Math.min(6, layout.bitId + layout.bitSeq - 1));
    happen('layout change', `bitId ${bitId}`);
    void store.changeLayout({ bitId, bitSeq: layout.bitId + layout.bitSeq - bitId });
  });
  if (settings.hasWildStoreClock) {
    every(faultMean * 4, () => {
      const step = random.integer(-2 * leaseDuration, 2 * leaseDuration);
      happen('store clock step', `${step} ms`);
      storeClock.step(step);
    });
  }

  // Fail-over, to a replica that may lag.
  let replica: { readonly state: MemorySnapshot; readonly leases: number } | undefined;
  if (settings.isLossy) {
    every(faultMean * 2, () => {
      replica = { state: store.snapshot(), leases: oracle.leases.size };
    });
    every(15 * MINUTE, () => {
      if (!replica) return;
      const lost = oracle.leases.size - replica.leases;
      happen('fail-over', `loses ${lost} leases`);
      store.restore(replica.state);
      oracle.forgotten(replica.leases);
      // What it knew of earlier losses, a quarantine for example, may be gone as well.
      isUnaware = true;
      // Leases granted from now on are not the lost ones, though they come after them.
      replica = { state: store.snapshot(), leases: oracle.leases.size };
      storeClock.step(random.integer(-2000, 2000));
    });
  } else {
    every(15 * MINUTE, () => {
      happen('fail-over', 'loses nothing');
      store.restore(store.snapshot());
    });
  }

  world.note(`${JSON.stringify(settings)}, from ${START}`);
  await world.run(hours * 60 * MINUTE);
  oracle.finish();
  return {
    seed,
    violations: oracle.violations,
    ids: oracle.ids,
    leases: oracle.leases.size,
    randomCollisions: oracle.randomCollisions,
    events,
    hash: world.hash,
    log: world.log,
  };
}
