// The way to a store with one port, and the faults of that way.
import { setTimeout as sleep } from 'node:timers/promises';
import { openProxy } from '../tcp-proxy.ts';
import type { LaneFault } from './schedule.ts';
import type { Hurt } from './set-ups.ts';

export const WAYS: readonly LaneFault[] = [
  { name: 'cut-store', lastsMs: [500, 4000] },
  { name: 'silence-store', lastsMs: [2000, 6000] },
  { name: 'slow-store', lastsMs: [3000, 8000] },
];
const SLOW_MS = 400;

/** A way to the port of a store that can be hurt. */
export async function hurtableWay(port: number) {
  const way = await openProxy(port);
  const faults: Record<string, Hurt> = {
    async 'cut-store'(lastsMs) {
      way.cut();
      await sleep(lastsMs);
      way.pointTo(port);
      return undefined;
    },
    async 'silence-store'(lastsMs) {
      way.swallow(true);
      await sleep(lastsMs);
      way.swallow(false);
      return undefined;
    },
    async 'slow-store'(lastsMs) {
      way.delay(SLOW_MS);
      await sleep(lastsMs);
      way.delay(0);
      return undefined;
    },
  };
  return { port: way.port, faults, close: () => way.close() };
}
