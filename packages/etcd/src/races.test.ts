// One call is held up between its read and its write, and another overtakes it: what it has read is no longer so.
import { defaultEnvironment, type LeaseInfo } from 'kazahana/lease';
import { virtualEnvironment } from 'kazahana/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { etcdUrl, openEtcdWay, startEtcd } from '../../../tests/services/etcd.ts';
import { leaseOf, release } from '../../../tests/stores/calls.ts';
import { EtcdLeaseProvider } from './provider.js';

const server = await startEtcd();
const way = await openEtcdWay(server);
afterAll(async () => {
  way.close();
  await server.dispose();
});
let cases = 0;

const FOUR_SLOTS = { bitId: 3, bitSeq: 19, leaseDuration: 60_000 };

/** A provider whose writes can be held up, and one that overtakes it; both at one time, which stands still. */
function open(services = { default: FOUR_SLOTS }) {
  // Pauses after a conflict are real.
  const environment = { ...virtualEnvironment(), sleep: defaultEnvironment.sleep };
  const options = { prefix: `/case-${++cases}/`, services, environment };
  const slow = new EtcdLeaseProvider({ endpoints: [way.url], ...options });
  const fast = new EtcdLeaseProvider({ endpoints: [etcdUrl(server)], ...options });
  return { slow, fast, environment, close: () => Promise.all([slow.close(), fast.close()]) };
}

/** Runs `call`; when it wants to write for the first time, `overtaking` happens before it can. */
async function overtaken<T>(call: () => Promise<T>, overtaking: () => Promise<unknown>): Promise<T> {
  let isHeld = false;
  way.holdsUp = (body) => {
    if (isHeld || !body.includes('request_put')) return undefined;
    isHeld = true;
    return overtaking();
  };
  try {
    return await call();
  } finally {
    expect(isHeld).toBe(true);
    way.holdsUp = () => undefined;
  }
}

describe('an acquire that is overtaken', () => {
  it('by the same one gets another slot', async () => {
    const { slow, fast, close } = open();
    await slow.acquire({});
    const other = { id: -1 };
    const lease = await overtaken(
      () => leaseOf(slow),
      async () => Object.assign(other, await leaseOf(fast)),
    );
    expect(other.id).toBe(1);
    expect([2, 3]).toContain(lease.id);
    await close();
  });

  it('by a quarantine is refused', async () => {
    const { slow, fast, close } = open();
    await slow.acquire({});
    const acquired = overtaken(
      () => slow.acquire({}),
      () => fast.quarantine(),
    );
    await expect(acquired).rejects.toMatchObject({ reason: 'in quarantine' });
    await close();
  });

  it('by a change of layout is granted in the new one', async () => {
    const { slow, fast, close } = open();
    await slow.acquire({});
    const lease = await overtaken(
      () => leaseOf(slow),
      () => fast.changeLayout({ bitId: 4, bitSeq: 18 }),
    );
    // The first lease has 0 and 1 of eight.
    expect(lease.bitId).toBe(4);
    expect([2, 3, 4, 5, 6, 7]).toContain(lease.id);
    await close();
  });

  it('by the creation of the pool finds it as it was created', async () => {
    const { slow, fast, close } = open();
    const responses: unknown[] = [];
    const response = await overtaken(
      () => slow.acquire({}),
      async () => responses.push((await fast.acquire({})).pool),
    );
    expect(response.leases.map(({ id }) => id)).not.toEqual([0]);
    expect(responses).toEqual([response.pool]);
    await close();
  });
});

describe('a release that is overtaken', () => {
  it('by the same one, and by the next holder, takes nothing from that one', async () => {
    const { slow, fast, environment, close } = open();
    const lease = await leaseOf(slow);
    await fast.acquire({ throughputPerMs: 3 * 2 ** 19 });
    const next: LeaseInfo[] = [];
    const released = overtaken(
      () => release(slow, lease),
      async () => {
        await release(fast, lease);
        await environment.advance(1);
        next.push(await leaseOf(fast));
      },
    );
    await expect(released).rejects.toMatchObject({ code: 'INVALID_SIGNATURE' });
    expect(next.map(({ id }) => id)).toEqual([lease.id]);
    await environment.advance(1);
    await expect(fast.acquire({})).rejects.toMatchObject({ reason: 'every slot is held' });
    await close();
  });

  it('by a revocation finds nothing to release', async () => {
    const { slow, fast, close } = open();
    const lease = await leaseOf(slow);
    const released = overtaken(
      () => release(slow, lease),
      () => fast.revoke({ id: lease.id }),
    );
    await expect(released).rejects.toMatchObject({ code: 'LEASE_NOT_FOUND' });
    await close();
  });
});

describe('a change of layout that is overtaken', () => {
  it('by a grant keeps what that one was given', async () => {
    const { slow, fast, close } = open();
    await slow.acquire({});
    await overtaken(
      () => slow.changeLayout({ bitId: 4, bitSeq: 18 }),
      () => fast.acquire({}),
    );
    const { leases } = await fast.acquire({ throughputPerMs: 2 ** 31 });
    expect(leases.map(({ id }) => id)).toEqual([4, 5, 6, 7]);
    expect(await slow.listLeases()).toHaveLength(6);
    expect(await slow.inspectPool()).toMatchObject({ held: 8, slots: 8 });
    await close();
  });

  it('by the release of a former lease does not bring it back', async () => {
    const { slow, fast, close } = open();
    const lease = await leaseOf(slow);
    await slow.changeLayout({ bitId: 4, bitSeq: 18 });
    await overtaken(
      () => slow.changeLayout({ bitId: 2, bitSeq: 20 }),
      () => release(fast, lease),
    );
    expect(await slow.listLeases()).toEqual([]);
    await close();
  });

  it('by a quarantine keeps it', async () => {
    const { slow, fast, close } = open();
    await slow.acquire({});
    await overtaken(
      () => slow.changeLayout({ bitId: 4, bitSeq: 18 }),
      () => fast.quarantine(),
    );
    await expect(fast.acquire({})).rejects.toMatchObject({ reason: 'in quarantine' });
    await close();
  });

  it('for ever, because its process has died, changes nothing: grants go on when the pause is over', async () => {
    const { slow, fast, environment, close } = open();
    await slow.acquire({});
    let writes = 0;
    let arrive = () => {};
    const isStaged = new Promise<void>((resolve) => {
      way.holdsUp = (body) => {
        // The first write pauses the pool, the second has the new slots, the third moves the pool to them.
        if (!body.includes('request_put') || ++writes !== 3) return undefined;
        resolve();
        return new Promise<void>((let_go) => {
          arrive = let_go;
        });
      };
    });
    const dying = slow.changeLayout({ bitId: 4, bitSeq: 18 }).catch((error: unknown) => error);
    await isStaged;
    await environment.advance(31_000);
    expect(await leaseOf(fast)).toMatchObject({ id: 1, bitId: 3 });
    expect(await fast.changeLayout({ bitId: 2, bitSeq: 20 })).toMatchObject({ slots: 2, held: 1 });
    way.holdsUp = () => undefined;
    arrive();
    expect(await dying).toMatchObject({ code: 'STORE_BUSY' });
    expect(await fast.inspectPool()).toMatchObject({ slots: 2 });
    await close();
  });

  it('by another one comes after it, whole', async () => {
    const { slow, fast, close } = open();
    await slow.acquire({ throughputPerMs: 2 ** 20 });
    await overtaken(
      () => slow.changeLayout({ bitId: 4, bitSeq: 18 }),
      () => fast.changeLayout({ bitId: 2, bitSeq: 20 }),
    );
    // Two of four are one of two, and four of eight.
    const { leases } = await fast.acquire({ throughputPerMs: 2 ** 31 });
    expect(leases.map(({ id }) => id)).toEqual([4, 5, 6, 7]);
    expect(await slow.listLeases()).toHaveLength(6);
    await close();
  });
});
