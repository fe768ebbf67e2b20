// What nodes make: bursts that use milliseconds up, single IDs, batches across milliseconds, and these mixed.
import type { Node } from './node.ts';
import type { Settings } from './settings.ts';
import type { World } from './world.ts';

/** So far behind may a busy client be, in milliseconds; one `fill` then uses up all of them. */
const CATCH_UP_MS = 5;
/** The most that is made at once, so that bursts last for some milliseconds where slots are wide, too. */
const MAX_AT_ONCE = 64;

/** `burst`: how many IDs a long burst has. */
export function startWorkload(
  world: World,
  nodes: readonly Node[],
  { layout, services, isWide, steadyNodes }: Settings,
  burst: number,
): void {
  const { random } = world;
  const perMs = 2 ** layout.bitSeq;
  // In wide layouts most bursts would be random IDs, of which there is least to learn.
  const long = Math.ceil(isWide ? burst / 4 : burst);

  /** Goes on for as many milliseconds as it takes, until nothing can be had. */
  const makeBurst = (node: Node, count: number) => {
    const made = node.makeNow(Math.min(count, 2 * perMs * (CATCH_UP_MS + 1), MAX_AT_ONCE));
    if (made > 0 && made < count) world.after(CATCH_UP_MS, () => makeBurst(node, count - made));
  };

  for (const node of nodes) {
    // Has a lease before the first loss.
    if (node.number < steadyNodes) world.after(random.integer(0, 5000), () => node.makeNow(1));
    const { leaseDuration } = node.service;
    world.every(leaseDuration / 2, () => makeBurst(node, random.pick([1, 12, long])));
    world.every(leaseDuration * 2, () => {
      // For more milliseconds than one, where slots are narrow.
      node.makeLater([1, random.integer(2, 5 * Math.min(perMs, 32)), 1]);
      // While the batch waits for its next millisecond, others are served.
      if (random.chance(0.5)) world.after(random.wait(2), () => node.makeNow(random.integer(1, 3)));
      if (random.chance(0.5)) world.after(random.wait(2), () => node.makeLater([1, 2]));
    });
  }
  // Several nodes at the same instant.
  const shortest = Math.min(services.default.leaseDuration, services.orders.leaseDuration);
  world.every(shortest, () => {
    for (const node of nodes) if (random.chance(0.5)) makeBurst(node, long);
  });
}
