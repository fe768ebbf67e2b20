// The pools that a configuration names, as they are in the store, in a line each.
import type { ServerConfig, Store } from '@kazahana/server';
import { PoolMissingError } from 'kazahana/lease';

export const poolNamesOf = ({ services = {}, pools = {} }: ServerConfig): ReadonlySet<string> =>
  new Set(['default', ...Object.keys(pools), ...Object.values(services).flatMap(({ pool }) => pool ?? [])]);

/** Throws where the store does; and for a missing pool, unless the server creates it. */
export async function poolLine(name: string, store: Store, { createPools }: ServerConfig): Promise<string> {
  const found = await store.inspectPool(name).catch((error: unknown) => {
    if (!(error instanceof PoolMissingError) || createPools === 'never') throw error;
    return undefined;
  });
  if (!found) return `${name}: is not there yet; the server creates it`;
  const { layout, slots, held, quarantinedUntil } = found;
  const bits = `${layout.bitReserve} + ${layout.bitTs} + ${layout.bitId} + ${layout.bitSeq} bits`;
  const quarantine =
    quarantinedUntil > 0 ? `, in quarantine until ${new Date(quarantinedUntil).toISOString()}` : '';
  return `${name}: ${bits}, ${held} of ${slots} machine IDs held${quarantine}`;
}

/** For people who watch a server that waits for its store, too. */
export function poolLines(config: ServerConfig, store: Store): Promise<string[]> {
  return Promise.all(
    [...poolNamesOf(config)].map((name) =>
      poolLine(name, store, config).catch(() => `${name}: waiting for the store`),
    ),
  );
}
