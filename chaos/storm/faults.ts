// What each fault does to the fleet, and how often faults come. Each begins, lasts and mends within its promise.
import { setTimeout as sleep } from 'node:timers/promises';
import { PoolMissingError, StoreError, slotCount } from 'kazahana/lease';
import { openStore } from '../../packages/cli/dist/serve/open-store.js';
import { until } from '../fleet.ts';
import { MISCHIEFS, type Mischief } from '../http-proxy.ts';
import { readEvents } from '../records.ts';
import { SERVER_WITH_CLOCK, SERVERS, type StormFleet } from './fleet.ts';
import type { Member } from './roster.ts';
import type { Lane, ScheduledFault } from './schedule.ts';
import type { RunningSetUp, SetUp } from './set-ups.ts';

export interface StormService {
  readonly leaseDuration: number;
  readonly fallbackGrace: number;
  readonly bitId: number;
  readonly bitSeq: number;
}

/** All that a fault can act on. */
export interface Scene {
  readonly fleet: StormFleet;
  readonly setUp: RunningSetUp;
  readonly service: StormService;
  readonly engine: Parameters<typeof openStore>[1];
}

/** What came of a fault: whom it hit, and how; undefined when there was no process to hit. */
export interface Outcome {
  readonly who: string;
  /** How often, where one fault is several. */
  readonly times?: number;
}

type Act = (scene: Scene, fault: ScheduledFault) => Promise<Outcome | undefined>;

/** Hurts one client that no other fault has. */
const toClient =
  (
    act: (client: NonNullable<ReturnType<StormFleet['pick']>>, fault: ScheduledFault) => Promise<number>,
    suits?: (client: NonNullable<ReturnType<StormFleet['pick']>>) => boolean,
  ): Act =>
  async ({ fleet }, fault) => {
    const client = fleet.pick(fault.chances[0], suits);
    if (!client) return undefined;
    client.isHurt = true;
    const who = client.name;
    const times = await act(client, fault).finally(() => {
      client.isHurt = false;
    });
    return { who, times };
  };

/** From less than the client tolerates to a day and more. */
const STEPS_MS = [200, 700, 950, 2500, 6000, 60_000, 3_600_000, 90_000_000];

const withClock = ({ clock }: { clock: unknown }) => clock !== undefined;

/** Restarts a server that is down, whatever happened to it. */
const CLIENT_FAULTS: Readonly<Record<string, Act>> = {
  'kill-client': toClient(async (client, { lastsMs }) => {
    await client.kill();
    await sleep(lastsMs);
    client.start();
    return 1;
  }),
  'pause-client': toClient(async (client, { lastsMs }) => {
    client.signal('SIGSTOP');
    await sleep(lastsMs);
    client.signal('SIGCONT');
    return 1;
  }),
  // Away from the right time, and back.
  'step-clock': toClient(async ({ clock }, { lastsMs, chances: [, size, sign] }) => {
    const ms = STEPS_MS[Math.floor(size * STEPS_MS.length)] ?? 0;
    clock?.set(sign < 0.5 ? -ms : ms);
    await sleep(lastsMs);
    clock?.set(0);
    return 2;
  }, withClock),
  'drift-clock': toClient(async ({ clock }, { lastsMs, chances: [, size] }) => {
    clock?.set(0, 0.95 + 0.1 * size);
    await sleep(lastsMs);
    clock?.set(0);
    return 1;
  }, withClock),
};

const serverOf = (chance: number) => Math.floor(chance * SERVERS);

const SERVER_FAULTS: Readonly<Record<string, Act>> = {
  async 'kill-server'({ fleet: { servers } }, { lastsMs, chances: [chance] }) {
    const at = serverOf(chance);
    await servers.kill(at);
    await sleep(lastsMs);
    await servers.start(at);
    return { who: `server ${at}` };
  },
  async 'pause-server'({ fleet: { servers } }, { lastsMs, chances: [chance] }) {
    const at = serverOf(chance);
    servers.signal(at, 'SIGSTOP');
    await sleep(lastsMs);
    servers.signal(at, 'SIGCONT');
    return { who: `server ${at}` };
  },
  async 'rolling-restart'({ fleet: { servers } }) {
    for (let at = 0; at < SERVERS; at++) {
      await servers.stop(at);
      await servers.start(at);
    }
    return { who: 'all servers, one after another', times: SERVERS };
  },
  // Less than the margin for the clocks of a store's members.
  async 'step-server-clock'({ fleet: { serverClock } }, { lastsMs, chances: [, size] }) {
    if (!serverClock) return undefined;
    serverClock.set(Math.round((size - 0.5) * 8000));
    await sleep(lastsMs);
    serverClock.set(0);
    return { who: `server ${SERVER_WITH_CLOCK}`, times: 2 };
  },
};

const mischief =
  (name: Mischief): Act =>
  async ({ fleet: { proxy } }, { lastsMs }) => {
    const before = proxy.affected.get(name) ?? 0;
    proxy.misbehave(name);
    await sleep(lastsMs);
    proxy.misbehave(undefined);
    return { who: `${(proxy.affected.get(name) ?? 0) - before} messages` };
  };

/** Each makes few IDs: they are many. */
const CROWD_PAUSE_MS = 400;
const inCrowd = (at: number): Member => ({
  ...{ name: 'crowd', from: at % 2 === 0 ? 'server' : 'store', way: 'nextIds', atOnce: 5 },
});
let crowds = 0;
let crashers = 0;
let acquirers = 0;

const POOL_FAULTS: Readonly<Record<string, Act>> = {
  // To slots of half the width, or back, while leases live.
  async 'change-layout'({ setUp: { url }, service: { bitId, bitSeq }, engine }) {
    const { store, close } = await openStore(url, engine, () => {});
    try {
      const { layout, quarantinedUntil } = await store.inspectPool();
      // An operator waits for its end: under another layout no slot stays the same, and the fleet could not renew.
      if (quarantinedUntil > Date.now()) return undefined;
      const isAsCreated = layout.bitId === bitId;
      const next = isAsCreated ? { bitId: bitId + 1, bitSeq: bitSeq - 1 } : { bitId, bitSeq };
      await store.changeLayout?.(next);
      return { who: `to ${next.bitId} + ${next.bitSeq} bits` };
    } catch (error) {
      // Another fault has the store, or has emptied it.
      if (error instanceof StoreError || error instanceof PoolMissingError) return undefined;
      throw error;
    } finally {
      await close();
    }
  },
  // More clients than there are slots, in either layout.
  async 'more-clients-than-slots'({ fleet, service }, { lastsMs }) {
    const members = Array.from({ length: 2 * slotCount(service) }, (_, at) => inCrowd(at));
    const title = `crowd${++crowds}`;
    const child = await fleet.startExtras(title, members, CROWD_PAUSE_MS);
    await sleep(lastsMs);
    const exited = new Promise((resolve) => child.once('exit', resolve));
    child.disconnect();
    await exited;
    return { who: `${members.length} clients` };
  },
  async 'crash-loop'({ fleet }, { lastsMs }) {
    let times = 0;
    for (const end = Date.now() + lastsMs; Date.now() < end; times++) {
      const title = `crasher${++crashers}`;
      const child = await fleet.startExtras(title, [{ ...inCrowd(crashers), name: 'crasher' }], 10);
      const hasLease = () =>
        readEventsSafely(fleet.folder, `${title}-0`).some(({ kind }) => kind === 'lease');
      await until(hasLease, 3000, 50);
      const exited = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGKILL');
      await exited;
    }
    return { who: 'one program', times };
  },
};

function readEventsSafely(folder: string, name: string) {
  try {
    return readEvents(folder, name);
  } catch {
    return [];
  }
}

const LONGEST_ACQUIRE_MS = 12;
const ACQUIRE_FAULTS: Readonly<Record<string, Act>> = {
  async 'kill-in-acquire'({ fleet }, { chances: [where, after] }) {
    const isDirect = where < 0.5;
    const name = `acquirer${++acquirers}`;
    const isHit = await fleet.killInAcquire(name, isDirect, after * LONGEST_ACQUIRE_MS);
    return isHit ? { who: isDirect ? 'on the store' : 'through servers' } : undefined;
  },
};

const ACTS: Readonly<Record<string, Act>> = {
  ...CLIENT_FAULTS,
  ...SERVER_FAULTS,
  ...Object.fromEntries(MISCHIEFS.map((name) => [`proxy-${name}`, mischief(name)])),
  ...POOL_FAULTS,
  ...ACQUIRE_FAULTS,
};

/** Does what a fault says, and mends it. */
export async function act(scene: Scene, fault: ScheduledFault): Promise<Outcome | undefined> {
  const ofStore = scene.setUp.faults[fault.name];
  if (ofStore) return { who: (await ofStore(fault.lastsMs)) ?? 'the store' };
  const known = ACTS[fault.name];
  if (!known) throw new RangeError(`there is no fault ${fault.name}`);
  return known(scene, fault);
}

/** All lanes of a set-up. A pause outlasts a lease with its grace. */
export function lanesOf(
  setUp: SetUp,
  { leaseDuration, fallbackGrace }: StormService,
  hasClocks: boolean,
): Lane[] {
  const windowMs = leaseDuration + fallbackGrace;
  const beyond = [windowMs + 500, windowMs + 5000] as const;
  const lane = (name: string, gapMs: number, faults: Lane['faults']): Lane => ({ name, gapMs, faults });
  const longer = ([least, most]: readonly [number, number]) => [windowMs + least, windowMs + most] as const;
  return [
    lane('kills', 8000, [{ name: 'kill-client', lastsMs: [0, 2000] }]),
    ...[1, 2].map((at) => lane(`pauses ${at}`, 3000, [{ name: 'pause-client', lastsMs: beyond }])),
    ...[1, 2, 3].map((at) => lane(`acquires ${at}`, 3000, [{ name: 'kill-in-acquire', lastsMs: [0, 0] }])),
    lane('servers', 14_000, [
      { name: 'kill-server', lastsMs: [0, 3000] },
      { name: 'pause-server', lastsMs: [2000, 8000] },
      { name: 'rolling-restart', lastsMs: [0, 0] },
      ...(hasClocks ? [{ name: 'step-server-clock', lastsMs: [4000, 8000] as const }] : []),
    ]),
    lane(
      'network',
      9000,
      MISCHIEFS.map((name) => ({ name: `proxy-${name}`, lastsMs: [4000, 8000] })),
    ),
    lane('pool', 9000, [
      { name: 'change-layout', lastsMs: [0, 0] },
      { name: 'more-clients-than-slots', lastsMs: [4000, 7000] },
      { name: 'crash-loop', lastsMs: [3000, 6000] },
    ]),
    lane(
      'store',
      setUp.gapMs,
      setUp.faults.flatMap(({ name, lastsMs, isPause = false, times = 1 }) =>
        Array.from({ length: times }, () => ({ name, lastsMs: isPause ? longer(lastsMs) : lastsMs })),
      ),
    ),
    lane('way to the store', 20_000, setUp.ways),
    ...(hasClocks
      ? [
          lane('clocks', 2500, [
            { name: 'step-clock', lastsMs: [2500, 8000] },
            { name: 'drift-clock', lastsMs: [4000, 10_000] },
          ]),
        ]
      : []),
  ];
}
