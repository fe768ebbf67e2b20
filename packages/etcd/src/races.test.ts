// One call is held up between reading and writing, and another overtakes it: whatever it has read is no longer so.
import type { LeaseInfo } from 'kazahana/lease';
import { virtualEnvironment } from 'kazahana/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { etcdCall, etcdUrl, openEtcdWay, startEtcd } from '../../../tests/services/etcd.ts';
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
  const environment = virtualEnvironment();
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

/** How many sets of slots there are. */
async function generationsUnder(prefix: string): Promise<number> {
  const bytes = (text: string) => Buffer.from(text).toString('base64');
  const range = { key: bytes(prefix), range_end: bytes(`${prefix.slice(0, -1)}0`), keys_only: true };
  const { kvs } = (await etcdCall(server, 'kv/range', range)) as { kvs: { key: string }[] };
  const names = kvs.map(
    ({ key }) => Buffer.from(key, 'base64').toString().split('/slots/')[1]?.split('/')[0],
  );
  return new Set(names.filter((name) => name !== undefined)).size;
}

/** Something that one waits for and another brings about. */
class Moment {
  come: () => void = () => {};
  readonly coming = new Promise<void>((resolve) => {
    this.come = resolve;
  });
}

describe('an acquire that is overtaken', () => {
  it('by the same one gets the next slot', async () => {
    const { slow, fast, close } = open();
    await slow.acquire({});
    const other = { id: -1 };
    const lease = await overtaken(
      () => leaseOf(slow),
      async () => Object.assign(other, await leaseOf(fast)),
    );
    expect([other.id, lease.id]).toEqual([1, 2]);
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
    expect(lease).toMatchObject({ id: 2, bitId: 4 });
    await close();
  });

  it('by whoever created the pool finds it as it was created', async () => {
    const { slow, fast, close } = open();
    const answers: unknown[] = [];
    const answer = await overtaken(
      () => slow.acquire({}),
      async () => answers.push((await fast.acquire({})).pool),
    );
    expect(answer.leases.map(({ id }) => id)).toEqual([1]);
    expect(answers).toEqual([answer.pool]);
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
    await expect(fast.acquire({})).rejects.toMatchObject({ reason: 'every slot is taken' });
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
    expect(await slow.inspectPool()).toMatchObject({ held: 6, slots: 8 });
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

  it('for ever, since whoever began it has died, changes nothing and is tidied up by the next', async () => {
    const { slow, fast, close } = open();
    const prefix = `/case-${cases}/`;
    await slow.acquire({});
    const isStaged = new Moment();
    let writes = 0;
    way.holdsUp = (body) => {
      if (!body.includes('request_put') || ++writes !== 2) return undefined;
      isStaged.come();
      return new Promise(() => {});
    };
    const dying = expect(slow.changeLayout({ bitId: 4, bitSeq: 18 })).rejects.toMatchObject({
      code: 'STORE_CLOSED',
    });
    await isStaged.coming;
    expect(await generationsUnder(prefix)).toBe(2);
    expect(await leaseOf(fast)).toMatchObject({ id: 1, bitId: 3 });
    expect(await fast.changeLayout({ bitId: 2, bitSeq: 20 })).toMatchObject({ slots: 2, held: 2 });
    expect(await generationsUnder(prefix)).toBe(1);
    await close();
    await dying;
    way.holdsUp = () => undefined;
  });

  it('by the tidying up after another one loses no slot', async () => {
    const { slow, close, environment } = open();
    const prefix = `/case-${cases}/`;
    await slow.acquire({ throughputPerMs: 2 ** 20 });
    const otherWay = await openEtcdWay(server);
    const other = new EtcdLeaseProvider({ endpoints: [otherWay.url], prefix, environment });
    const [isSwitching, isTidy] = [new Moment(), new Moment()];
    // The first writes are the new slots, the last moves the pool to them.
    let writes = 0;
    otherWay.holdsUp = (body) => {
      if (!body.includes('request_put') || ++writes !== 2) return undefined;
      isSwitching.come();
      return isTidy.coming;
    };
    let changed: Promise<unknown> | undefined;
    way.holdsUp = (body) => {
      if (!body.includes('request_delete_range') || body.includes('request_put')) return undefined;
      changed ??= other.changeLayout({ bitId: 4, bitSeq: 18 });
      return isSwitching.coming;
    };
    await slow.changeLayout({ bitId: 2, bitSeq: 20 });
    way.holdsUp = () => undefined;
    isTidy.come();
    await changed;
    const { leases } = await slow.acquire({ throughputPerMs: 2 ** 31 });
    expect(leases.map(({ id }) => id)).toEqual([4, 5, 6, 7]);
    await other.close();
    otherWay.close();
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

describe('an alarm that is overtaken', () => {
  it('by a grant with a higher serial is looked at again', async () => {
    const { slow, fast, close } = open();
    const { pool = '', serial = 0 } = await slow.acquire({});
    // Whoever reads an old state, as a member that was cut off may show it, must not stop the pool for it.
    const answers = await overtaken(
      () => Promise.allSettled([slow.acquire({ seen: { pool, serial: serial + 1 } })]),
      () => fast.acquire({}),
    );
    expect(answers).toMatchObject([{ status: 'fulfilled' }]);
    expect(await fast.inspectPool()).toMatchObject({ quarantinedUntil: 0 });
    await close();
  });
});
