// What goes wrong with nodes, servers and the store.
import type { Node } from './node.ts';
import type { Servers } from './server.ts';
import { SECOND, type Settings } from './settings.ts';
import type { Backup, Store } from './store.ts';
import type { World } from './world.ts';

/** Takes note of a fault. */
type Happen = (what: string, detail?: string) => void;

/** What there is in one region. */
export interface Region {
  readonly store: Store;
  readonly servers: Servers;
  readonly nodes: readonly Node[];
}

/** The first loss comes when every node has had time for its first lease. */
const FIRST_LOSS_MS = 20 * SECOND;
/** How long the store is away, or an operator takes to see that a pool is missing, on average. */
const AWAY_MS = 20 * SECOND;
const OPERATOR_MS = 60 * SECOND;

/** Does something again and again with so much time between on average; never when none is given. */
function every(world: World, mean: number | undefined, act: () => void): void {
  if (mean !== undefined) world.every(mean, act);
}

export function startNodeFaults(
  world: World,
  nodes: readonly Node[],
  { incidents }: Settings,
  happen: Happen,
): void {
  const { random } = world;
  const mean = incidents.nodes;
  if (mean === undefined || nodes.length === 0) return;
  world.every(mean, () => {
    const node = random.pick(nodes);
    const isHuge = random.chance(0.2);
    const step = isHuge ? random.integer(-3_600_000, 3_600_000) : random.integer(-8000, 8000);
    happen('clock step', `${node.process.name} ${step} ms`);
    node.clock.step(step);
  });
  world.every(mean * 3, () => {
    const node = random.pick(nodes);
    happen('frozen clock', node.process.name);
    node.clock.freeze();
    world.after(random.wait(node.service.leaseDuration), () => node.clock.thaw());
  });
  world.every(mean, () => {
    const { process, service } = random.pick(nodes);
    happen('pause', process.name);
    process.pause();
    world.after(random.wait(service.leaseDuration * 1.5), () => process.resume());
  });
  world.every(mean * 2, () => {
    const node = random.pick(nodes);
    happen('crash', node.process.name);
    node.restart();
  });
  world.every(mean * 2, () => {
    const node = random.pick(nodes);
    happen('stop', node.process.name);
    void node.stop();
    world.after(random.wait(5 * SECOND), () => node.restart());
  });
  world.every(mean, () => {
    const node = random.pick(nodes);
    happen('partition', node.process.name);
    node.isCutOff = true;
    world.after(random.wait(node.service.leaseDuration * 2), () => {
      node.isCutOff = false;
    });
  });
}

export function startStoreFaults(world: World, region: Region, settings: Settings, happen: Happen): void {
  const { random } = world;
  const { store, servers } = region;
  const { layout, services, incidents } = settings;
  const bits = layout.bitId + layout.bitSeq;
  every(world, incidents.layoutChange, () => {
    const bitId = random.integer(2, Math.min(6, bits - 1));
    happen('layout change', `bitId ${bitId}`);
    servers.changeLayout({ bitId, bitSeq: bits - bitId }).then(
      () => happen('layout changed', `bitId ${bitId}`),
      () => happen('layout kept'),
    );
  });
  every(world, incidents.serverRestart, () => {
    happen('server restart');
    servers.restart();
  });
  every(world, incidents.storeAway, () => {
    happen('store away');
    store.isAway = true;
    world.after(random.wait(AWAY_MS), () => {
      store.isAway = false;
    });
  });
  every(world, incidents.storeClockStep, () => {
    const longest = Math.max(services.default.leaseDuration, services.orders.leaseDuration);
    const step = random.integer(-2 * longest, 2 * longest);
    happen('store clock step', `${step} ms`);
    store.clock.step(step);
  });
  world.after(FIRST_LOSS_MS, () => startLosses(world, region, settings, happen));
}

/** Fail-overs, and what is worse: one at a time, since none goes back to what another has lost. */
function startLosses(world: World, region: Region, settings: Settings, happen: Happen): void {
  const { random } = world;
  const { store, servers } = region;
  const { history, incidents, lagMs } = settings;
  // About as long as a server needs to serve a request.
  const closeMs = Math.max(50, 2 * settings.store.meanDelayMs);
  let isUnderWay = false;
  every(world, incidents.failOver, () => {
    if (isUnderWay) return;
    const losesNothing = history === 'keeps' || (history === 'loses' && random.chance(0.2));
    if (losesNothing) {
      const mayLose = random.chance(0.5);
      happen('fail-over', `loses nothing, may lose: ${mayLose}`);
      store.failOver(mayLose);
      return;
    }
    isUnderWay = true;
    const older = store.backup();
    const lag = random.wait(lagMs);
    if (settings.turnover !== 'none') {
      startSome(world, region, settings);
      // While servers serve these, the loss comes.
      world.after(lag - random.wait(closeMs), () => startSome(world, region, settings));
    }
    world.after(lag, () => {
      isUnderWay = false;
      loseSince(older);
      if (settings.turnover === 'none') return;
      if (settings.turnover === 'nodes and servers' && settings.servers > 1) servers.restartAll();
      startSome(world, region, settings);
    });
  });
  every(world, incidents.totalLoss, () => {
    if (isUnderWay) return;
    happen('total loss', `of ${store.loseAll()} leases`);
    world.after(random.wait(OPERATOR_MS), () => {
      // Unless a server that remembers the pool has made it already.
      servers.createPool({ afterLoss: true }).then(
        () => happen('pool created after loss'),
        () => {},
      );
    });
  });

  function loseSince(older: Backup): void {
    if (history === 'forgets') happen('store forgets', `${store.forget(older)} leases`);
    else happen('fail-over', `loses ${store.failOver(true, older)} leases`);
  }
}

/** Some nodes that are not steady start anew, and want a lease at once. */
function startSome({ random }: World, { nodes }: Region, { steadyNodes }: Settings): void {
  const others = nodes.filter(({ number }) => number >= steadyNodes);
  for (const node of others) {
    if (!random.chance(0.3)) continue;
    node.restart();
    node.makeNow(1);
  }
}
