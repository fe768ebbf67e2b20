// What keeps the process alive: sockets, servers, timers.

const openHandles = () => process.getActiveResourcesInfo().filter((name) => name !== 'Immediate').length;

/** Counts them; the function that it gives tells how many have come since, once those that are ending have ended. */
export function watchHandles(): () => Promise<number> {
  const before = openHandles();
  return async () => {
    // Sockets take a few turns to end on both sides.
    for (let turns = 0; turns < 10_000 && openHandles() > before; turns++) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    return Math.max(0, openHandles() - before);
  };
}
