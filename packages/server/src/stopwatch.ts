// How long things take, for the metrics only: nothing is decided by it, so it need not come from the environment.

/** Seconds since some moment in the past. */
export function seconds(): number {
  // biome-ignore lint/plugin: see above
  return performance.now() / 1000;
}
