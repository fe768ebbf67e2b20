// What goes wrong, and how often.
import type { Node } from './node.ts';
import type { Settings } from './settings.ts';
import type { Store } from './store.ts';
import type { World } from './world.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;

/** Takes note of a fault. */
type Happen = (what: string, detail?: string) => void;

/** Often enough that leases end without renewal, seldom enough that most are renewed. */
function meanTime({ services }: Settings): number {
  return Math.max(20 * SECOND, Math.min(services.default.leaseDuration, services.orders.leaseDuration));
}

export function startNodeFaults(
  world: World,
  nodes: readonly Node[],
  settings: Settings,
  happen: Happen,
): void {
  const { random } = world;
  const mean = meanTime(settings);
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
    const { process, service } = random.pick(nodes);
    happen('partition', process.name);
    process.isCutOff = true;
    world.after(random.wait(service.leaseDuration * 2), () => {
      process.isCutOff = false;
    });
  });
}

export function startStoreFaults(world: World, store: Store, settings: Settings, happen: Happen): void {
  const { random } = world;
  const { layout, services } = settings;
  const mean = meanTime(settings);
  world.every(20 * MINUTE, () => {
    const bitId = random.integer(2, Math.min(6, layout.bitId + layout.bitSeq - 1));
    happen('layout change', `bitId ${bitId}`);
    void store.changeLayout({ bitId, bitSeq: layout.bitId + layout.bitSeq - bitId });
  });
  if (settings.hasWildStoreClock) {
    const longest = Math.max(services.default.leaseDuration, services.orders.leaseDuration);
    world.every(mean * 4, () => {
      const step = random.integer(-2 * longest, 2 * longest);
      happen('store clock step', `${step} ms`);
      store.clock.step(step);
    });
  }
  if (settings.isLossy) {
    world.every(mean * 2, () => store.replicate());
    world.every(15 * MINUTE, () => {
      const lost = store.failOver();
      if (lost === undefined) return;
      happen('fail-over', `loses ${lost} leases`);
      // What it knew of earlier losses, a quarantine for example, may be gone as well.
      store.isUnaware = true;
      store.clock.step(random.integer(-2000, 2000));
    });
  } else {
    world.every(15 * MINUTE, () => {
      store.replicate();
      happen('fail-over', `loses ${store.failOver()} leases`);
    });
  }
}
