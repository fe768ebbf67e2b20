// R4 in the engine: a change of layout while leases live, two at once, one that is interrupted; and whois over layouts.
import { describe, expect, it } from 'vitest';
import { DEFAULT_ID_LAYOUT, kazahanaIdLayout } from '../id/layout.js';
import { MemoryDriver } from '../providers/memory-driver.js';
import { type VirtualEnvironment, virtualEnvironment } from '../virtual-environment.js';
import type { Changes, Facts, LeaseDriver, Wanted } from './driver.js';
import { LeaseEngine } from './engine.js';
import { signHold, signRelease } from './signature.js';
import type { AcquireResponse, LeaseInfo, RenewalClaim } from './types.js';

const MINUTE = 60_000;
const PAUSE = 30_000;
const DEFAULT = { bitId: 14, bitSeq: 8 };
const WIDER = { bitId: 12, bitSeq: 10 };
const CHANGING = { code: 'POOL_EXHAUSTED', reason: 'the layout is changing' };

/** A store in memory whose writes may fail. */
class Driver extends MemoryDriver implements LeaseDriver {
  override maxSlotsPerWrite = 2 ** 30;
  onWrite: ((changes: Changes) => Promise<void>) | undefined;
  readonly wanted: Wanted[] = [];
  readonly changes: Changes[] = [];
  readonly dropped: string[] = [];

  get sizes(): number[] {
    return this.changes.map(({ slots }) => slots.length);
  }

  override read(pool: string, wanted: Wanted) {
    this.wanted.push(wanted);
    return super.read(pool, wanted);
  }

  override async write(pool: string, changes: Changes, facts: Facts) {
    this.changes.push(changes);
    await this.onWrite?.(changes);
    return super.write(pool, changes, facts);
  }

  override drop(pool: string, generation: string) {
    this.dropped.push(generation);
    return super.drop(pool, generation);
  }
}

function setUp(widths: object = {}) {
  const environment = virtualEnvironment();
  const driver = new Driver({ environment });
  const services = { default: { leaseDuration: MINUTE, fallbackGrace: 0, ...widths } };
  const newEngine = () => new LeaseEngine(driver, { environment, services });
  return { environment, driver, engine: newEngine(), newEngine };
}

/** Lets virtual time pass until nothing sleeps; then gives what came of the call. */
async function settled<Value>(environment: VirtualEnvironment, call: Promise<Value>): Promise<Value> {
  call.catch(() => undefined);
  await environment.runUntilIdle();
  return call;
}

const idsOf = ({ leases }: AcquireResponse) => leases.map(({ id }) => id);

function releaseOf({ id, secret }: LeaseInfo, timestamp: number) {
  return { id, timestamp, signature: signRelease(secret, id, timestamp) };
}

describe('a change of layout', () => {
  it('while leases live leaves what they overlap to them, and grants the rest at once', async () => {
    const { environment, engine } = setUp();
    // Slots 0 to 4 of 2^8: in the new layout, all of slot 0 and a quarter of slot 1.
    const { leases } = await engine.acquire({ throughputPerMs: 5 * 256 });
    expect(leases).toHaveLength(5);
    expect(await engine.changeLayout(WIDER)).toMatchObject({ layout: WIDER, slots: 2048, held: 2 });
    const next = await engine.acquire({ throughputPerMs: 2 * 1024 });
    expect(idsOf(next)).toEqual([2, 3]);
    expect(next.leases[0]).toMatchObject(WIDER);
    await environment.advance(MINUTE);
    expect(idsOf(await engine.acquire({ throughputPerMs: 2048 * 1024 }))).toHaveLength(2048);
  });

  it('is seen by every engine: the next grant has the new layout', async () => {
    const { engine, newEngine } = setUp();
    const other = newEngine();
    await other.acquire({});
    await engine.changeLayout(WIDER);
    expect((await other.acquire({})).leases[0]).toMatchObject({ id: 1, ...WIDER });
  });

  it('keeps the leases of the former layout: they are listed, released, and end', async () => {
    const { environment, engine } = setUp();
    const [first, second] = [await engine.acquire({}), await engine.acquire({})];
    await engine.changeLayout(WIDER);
    await engine.changeLayout(DEFAULT);
    await engine.acquire({});
    expect((await engine.listLeases()).map(({ id, bitSeq }) => [id, bitSeq])).toEqual([
      [0, 8],
      [1, 8],
      [4, 8],
    ]);
    await engine.release(releaseOf(first.leases[0] as LeaseInfo, environment.now()));
    expect((await engine.listLeases()).map(({ id }) => id)).toEqual([1, 4]);
    await environment.advance(MINUTE);
    const late = releaseOf(second.leases[0] as LeaseInfo, environment.now());
    await expect(engine.release(late)).rejects.toMatchObject({ code: 'LEASE_NOT_FOUND' });
  });

  it('is no renewal in place: a holder of the former layout gets a slot of the new one', async () => {
    const { environment, engine } = setUp();
    const { leases, pool = '' } = await engine.acquire({});
    const { id, bitId, bitSeq, created, expired, fallbackUntil = expired, secret } = leases[0] as LeaseInfo;
    await engine.changeLayout(WIDER);
    const timestamp = environment.now();
    const signature = signHold(secret, id, timestamp);
    const claim: RenewalClaim = {
      pool,
      id,
      bitId,
      bitSeq,
      created,
      expired,
      fallbackUntil,
      timestamp,
      signature,
    };
    expect((await engine.acquire({ renew: [claim] })).leases[0]).toMatchObject({ id: 1, ...WIDER });
    expect((await engine.inspectPool()).quarantinedUntil).toBe(0);
  });

  it('stops grants and renewals while it lasts; they wait, and get the new layout', async () => {
    const { environment, driver, engine, newEngine } = setUp();
    await engine.acquire({ throughputPerMs: 5 * 256 });
    let isFirst = true;
    driver.onWrite = async ({ slots }) => {
      if (slots.length > 0 && isFirst) {
        isFirst = false;
        await environment.sleep(500);
      }
    };
    const changed = engine.changeLayout(WIDER);
    await environment.settle();
    const waiting = newEngine().acquire({});
    const look = await newEngine().inspectPool();
    expect(look.layout).toMatchObject(DEFAULT);
    const { leases } = await settled(environment, waiting);
    expect(leases[0]).toMatchObject({ id: 2, ...WIDER });
    await changed;
  });

  it('is not held up by calls of its own process, which wait for it', async () => {
    const { environment, driver, engine } = setUp();
    const { leases } = await engine.acquire({ throughputPerMs: 5 * 256 });
    const before = environment.now();
    driver.onWrite = ({ slots }) => (slots.length > 1 ? environment.sleep(100) : Promise.resolve());
    const changed = engine.changeLayout(WIDER);
    await environment.settle();
    const ends: Record<string, number> = {};
    const calls = {
      acquire: engine.acquire({}),
      release: engine.release(releaseOf(leases[0] as LeaseInfo, before)),
      look: engine.inspectPool(),
    };
    for (const [name, call] of Object.entries(calls)) {
      void call.then(() => {
        ends[name] = environment.now() - before;
      });
    }
    await settled(environment, changed);
    expect((await settled(environment, calls.acquire)).leases[0]).toMatchObject({ id: 2, ...WIDER });
    expect(ends).toMatchObject({ release: 0, look: 0 });
    expect(ends.acquire).toBeLessThanOrEqual(120);
  });

  it('lets leases be given back meanwhile, and frees nothing too early for it', async () => {
    const { environment, driver, engine, newEngine } = setUp();
    const { leases } = await engine.acquire({});
    driver.onWrite = async ({ pool, slots }) => {
      if (slots.length > 0 && pool === undefined) {
        driver.onWrite = undefined;
        await newEngine().release(releaseOf(leases[0] as LeaseInfo, environment.now()));
      }
    };
    await settled(environment, engine.changeLayout(WIDER));
    expect(driver.onWrite).toBeUndefined();
    expect((await engine.inspectPool()).held).toBe(1);
  });

  it('that is interrupted changes nothing: grants go on when the pause is over', async () => {
    const { environment, driver, engine, newEngine } = setUp();
    await engine.acquire({});
    driver.onWrite = async ({ slots }) => {
      if (slots.length > 0) throw new Error('the process has died');
    };
    await expect(engine.changeLayout(WIDER)).rejects.toThrow('the process has died');
    driver.onWrite = undefined;
    const before = environment.now();
    // Long enough for a change that goes well; then callers are told how long to wait.
    const refused = await settled(
      environment,
      newEngine()
        .acquire({})
        .catch((error: unknown) => error),
    );
    expect(environment.now() - before).toBe(2000);
    expect(refused).toMatchObject({ ...CHANGING, retryAfterMs: PAUSE - 2000 });
    await environment.advance(PAUSE - 2000);
    expect((await newEngine().acquire({})).leases[0]).toMatchObject({ id: 1, ...DEFAULT });
    // And it can be tried again.
    expect((await engine.changeLayout(WIDER)).layout).toMatchObject(WIDER);
  });

  it('is given up when the store forgets that it has begun: no slot is written that nothing would remove', async () => {
    const { driver, engine } = setUp();
    await engine.acquire({});
    const before = driver.snapshot();
    const { list } = driver;
    driver.list = (...page) => {
      // By then the pause is written.
      driver.restore(before);
      return list.apply(driver, page);
    };
    const writes = driver.sizes.length;
    const changed = expect(engine.changeLayout(WIDER)).rejects;
    await changed.toMatchObject({ code: 'STORE_BUSY', message: 'pool default changed while its layout did' });
    expect(driver.sizes.slice(writes)).not.toContain(1);
    expect((await engine.inspectPool()).layout).toMatchObject(DEFAULT);
  });

  it('removes what an interrupted one has written', async () => {
    const { environment, driver, engine } = setUp();
    await engine.acquire({ throughputPerMs: 5 * 256 });
    driver.maxSlotsPerWrite = 1;
    const written: string[] = [];
    driver.onWrite = async ({ slots: [slot] }) => {
      if (written.length > 0 && slot) throw new Error('the process has died');
      if (slot) written.push(slot.after.generation);
    };
    await expect(engine.changeLayout(WIDER)).rejects.toThrow('the process has died');
    driver.onWrite = undefined;
    const [generation = ''] = written;
    expect(await driver.list('default', generation, -1, 10)).toHaveLength(1);
    await environment.advance(PAUSE);
    await engine.changeLayout(WIDER);
    expect(await driver.list('default', generation, -1, 10)).toEqual([]);
    expect((await engine.inspectPool()).held).toBe(2);
  });

  it('goes on when the outcome of one of its writes is unknown, at whatever step', async () => {
    for (const fails of [0, 1, 2, 3]) {
      const { environment, driver, engine } = setUp();
      await engine.acquire({ throughputPerMs: 5 * 256 });
      const write = driver.write.bind(driver);
      let writes = 0;
      driver.write = async (pool, changes, facts) => {
        const outcome = await write(pool, changes, facts);
        if (writes++ === fails) throw new Error('connection lost');
        return outcome;
      };
      const before = environment.now();
      const { layout, held } = await settled(environment, engine.changeLayout(WIDER));
      expect({ layout, held }).toMatchObject({ layout: WIDER, held: 2 });
      expect(writes).toBeGreaterThan(fails);
      expect(environment.now()).toBe(before);
      // Nothing was interrupted, and no layout is long gone.
      expect(driver.dropped).toEqual([]);
      expect((await engine.acquire({})).leases[0]).toMatchObject({ id: 2, ...WIDER });
    }
  });

  it('R8: ends the responses of the former layout: a request that comes again is granted anew', async () => {
    const { engine } = setUp();
    const first = await engine.acquire({ requestId: 'r' });
    await engine.changeLayout(WIDER);
    const again = await engine.acquire({ requestId: 'r' });
    expect(again.leases[0]).toMatchObject({ id: 1, ...WIDER });
    expect(again.leases[0]?.secret).not.toBe(first.leases[0]?.secret);
    expect(again.isRepeated).toBeUndefined();
    expect((await engine.acquire({ requestId: 'r' })).leases).toEqual(again.leases);
  });

  it('removes those responses, some at a time, and no others', async () => {
    const { environment, driver, engine } = setUp();
    const { created } = (await engine.acquire({ throughputPerMs: 700 * 256 })).leases[0] as LeaseInfo;
    const request = driver.changes.at(-1)?.responses[0]?.after.request;
    await environment.advance(1);
    await engine.changeLayout(WIDER);
    const forgotten = driver.changes.map(({ forget }) => forget).filter(({ length }) => length > 0);
    expect(forgotten.map(({ length }) => length)).toEqual([500, 200]);
    expect(new Set(forgotten.flat().map((one) => JSON.stringify(one)))).toEqual(
      new Set([JSON.stringify({ request, created })]),
    );
  });

  it('writes slots without holders, which were never written before', async () => {
    const { environment, driver, engine } = setUp();
    await engine.acquire({ throughputPerMs: 5 * 256 });
    const freeFrom = environment.now() + MINUTE;
    driver.changes.length = 0;
    await engine.changeLayout(WIDER);
    const [first] = driver.changes.flatMap(({ slots }) => slots);
    const { generation } = first?.after ?? {};
    const key = { generation, slot: 0, quotas: [] };
    expect(first).toEqual({
      before: { ...key, freeFrom: 0, data: '', version: null },
      after: { ...key, freeFrom, data: JSON.stringify({ lease: null, past: [] }) },
    });
  });

  it('of a pool without leases takes two writes', async () => {
    const { driver, engine } = setUp();
    await engine.inspectPool();
    driver.changes.length = 0;
    await engine.changeLayout(WIDER);
    expect(driver.sizes).toEqual([0, 0]);
  });

  it('makes a write anew that met another one: without those slots, new leases would overlap old ones', async () => {
    const { environment, driver, engine } = setUp();
    await engine.acquire({ throughputPerMs: 5 * 256 });
    const write = driver.write.bind(driver);
    let met = 0;
    driver.write = async (pool, changes, facts) =>
      changes.slots.length > 0 && met++ === 0 ? 'changed' : write(pool, changes, facts);
    expect(await settled(environment, engine.changeLayout(WIDER))).toMatchObject({ held: 2 });
    expect(idsOf(await engine.acquire({}))).toEqual([2]);
  });

  it('after one to narrower slots keeps what that one kept: the old leases still live', async () => {
    const { engine } = setUp();
    await engine.acquire({ throughputPerMs: 3 * 256 });
    await engine.changeLayout({ bitId: 21, bitSeq: 1 });
    expect(await engine.changeLayout(DEFAULT)).toMatchObject({ held: 3 });
    expect(idsOf(await engine.acquire({}))).toEqual([3]);
  });

  it('shares its last step with no other call: what these have read is of the former layout', async () => {
    const { environment, driver, engine } = setUp();
    await engine.acquire({ throughputPerMs: 5 * 256 });
    const looks: ReturnType<LeaseEngine['inspectPool']>[] = [];
    const { list } = driver;
    driver.list = async (...page) => {
      void (async () => {
        for (let i = 0; i < 200; i++) {
          looks.push(engine.inspectPool());
          await null;
        }
      })();
      return list.apply(driver, page);
    };
    await settled(environment, engine.changeLayout(WIDER));
    const seen = (await Promise.all(looks)).map(({ layout, held }) => `${layout.bitId}: ${held}`);
    expect(new Set(seen)).toEqual(new Set(['14: 5', '12: 2']));
  });

  for (const [title, delay] of [
    ['in the millisecond in which its pause ends', PAUSE],
    ['when another one has begun its own pause', PAUSE + 10],
  ] as const) {
    it(`is given up ${title}`, async () => {
      const { environment, driver, engine, newEngine } = setUp();
      await engine.inspectPool();
      const { list } = driver;
      const delays = [delay, 100];
      driver.list = async (...page) => {
        await environment.sleep(delays.shift() ?? 0);
        return list.apply(driver, page);
      };
      const slow = engine.changeLayout(WIDER);
      slow.catch(() => undefined);
      await environment.advance(PAUSE);
      const other = delay > PAUSE ? newEngine().changeLayout({ bitId: 13, bitSeq: 9 }) : undefined;
      await expect(settled(environment, slow)).rejects.toMatchObject({
        code: 'STORE_BUSY',
        message: 'pool default: the change of layout took too long; nothing has changed',
      });
      expect((await (other ?? engine.inspectPool())).layout.bitId).toBe(other ? 13 : 14);
    });
  }

  it('that takes longer than the pause is given up: what was granted since would be missed', async () => {
    const { environment, driver, engine, newEngine } = setUp();
    await engine.acquire({});
    let isFirst = true;
    driver.onWrite = async ({ slots }) => {
      if (slots.length === 0 || !isFirst) return;
      isFirst = false;
      await environment.sleep(PAUSE + 10);
    };
    const changed = engine.changeLayout(WIDER);
    changed.catch(() => undefined);
    await environment.advance(PAUSE);
    const granted = await newEngine().acquire({});
    await expect(settled(environment, changed)).rejects.toMatchObject({ code: 'STORE_BUSY' });
    expect(granted.leases[0]).toMatchObject({ id: 1, ...DEFAULT });
    expect((await engine.inspectPool()).layout).toMatchObject(DEFAULT);
  });

  it('is given up when its last write arrives after the pause, and something was granted since', async () => {
    const { environment, driver, engine, newEngine } = setUp();
    await engine.acquire({});
    let arrive = () => {};
    driver.onWrite = ({ pool }) =>
      pool?.includes('"nextGeneration":null')
        ? new Promise((resolve) => {
            arrive = resolve;
          })
        : Promise.resolve();
    const change = engine.changeLayout(WIDER);
    const outcome = expect(change).rejects.toMatchObject({ code: 'STORE_BUSY' });
    await environment.advance(PAUSE + 1);
    driver.onWrite = undefined;
    const granted = await newEngine().acquire({});
    arrive();
    await environment.runUntilIdle();
    await outcome;
    expect((await engine.inspectPool()).layout).toMatchObject(DEFAULT);
    expect(idsOf(granted)).toEqual([1]);
  });

  it('is given up when another one has begun meanwhile', async () => {
    const { environment, driver, engine, newEngine } = setUp();
    await engine.acquire({});
    const pauses = [PAUSE + 10, 5000];
    driver.onWrite = async ({ pool, slots }) => {
      if (slots.length > 0 && pool === undefined) await environment.sleep(pauses.shift() ?? 0);
    };
    const slow = engine.changeLayout(WIDER);
    slow.catch(() => undefined);
    await environment.advance(PAUSE + 1);
    const other = newEngine().changeLayout({ bitId: 13, bitSeq: 9 });
    await expect(settled(environment, slow)).rejects.toMatchObject({ code: 'STORE_BUSY' });
    expect((await other).layout).toMatchObject({ bitId: 13, bitSeq: 9 });
  });

  it('and another one at the same time happen one after the other', async () => {
    const { environment, engine, newEngine } = setUp();
    await engine.acquire({});
    const changes = [engine.changeLayout(WIDER), newEngine().changeLayout({ bitId: 13, bitSeq: 9 })];
    const outcomes = await settled(environment, Promise.allSettled(changes));
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled']);
    const { layout, held } = await engine.inspectPool();
    expect([10, 9]).toContain(layout.bitSeq);
    // Nothing of the one lease was lost on the way.
    expect(held).toBe(layout.bitSeq === 9 ? 2 : 1);
  });

  it('is refused before anything stops, when the pool cannot have it', async () => {
    const { engine } = setUp();
    await expect(engine.changeLayout({ bitId: 14, bitSeq: 9 })).rejects.toThrow('got 65');
    expect(idsOf(await engine.acquire({}))).toEqual([0]);
  });

  it('of many slots takes several writes, none larger than the driver can carry', async () => {
    const { driver, engine } = setUp();
    await engine.acquire({ throughputPerMs: 2500 * 256 });
    driver.maxSlotsPerWrite = 400;
    driver.changes.length = 0;
    driver.wanted.length = 0;
    expect((await engine.changeLayout({ bitId: 13, bitSeq: 9 })).held).toBe(1250);
    // The pause, the slots, the move, and five times the responses of 2,500 leases.
    expect(driver.sizes).toEqual([0, 400, 400, 400, 50, 0, 0, 0, 0, 0, 0]);
    // Nothing of a new generation is read: it cannot be there.
    expect(driver.wanted.flatMap(({ slots }) => slots)).toEqual([]);
    driver.maxSlotsPerWrite = 10_000;
    driver.changes.length = 0;
    expect((await engine.changeLayout(DEFAULT)).held).toBe(2500);
    expect(Math.max(...driver.sizes)).toBeLessThanOrEqual(500);
  });

  it('to narrower slots writes as many records as there were, and grants the rest at once', async () => {
    const { environment, driver, engine, newEngine } = setUp();
    await engine.acquire({ throughputPerMs: 3 * 256 });
    driver.changes.length = 0;
    const FINE = { bitId: 21, bitSeq: 1 };
    // A slot of 2^8 is 128 of 2^1.
    expect(await engine.changeLayout(FINE)).toMatchObject({ slots: 2 ** 20, held: 3 * 128 });
    expect(driver.sizes.reduce((sum, size) => sum + size)).toBe(3);
    expect(idsOf(await engine.acquire({ throughputPerMs: 4 }))).toEqual([3 * 128, 3 * 128 + 1]);
    expect(idsOf(await newEngine().acquire({}))).toEqual([3 * 128 + 2]);
    expect((await engine.listLeases()).length).toBe(6);
    await environment.advance(MINUTE);
    // All windows have ended; the first of what was never granted comes first.
    expect(idsOf(await engine.acquire({}))).toEqual([0]);
  });

  it('to narrower slots, by another process, is seen by a call that shares its batch with a look', async () => {
    const { engine, newEngine } = setUp();
    await engine.acquire({ throughputPerMs: 3 * 256 });
    await newEngine().changeLayout({ bitId: 21, bitSeq: 1 });
    const [, response] = await Promise.all([engine.inspectPool(), engine.acquire({})]);
    expect(idsOf(response)).toEqual([3 * 128]);
  });

  it('to narrower slots lets calls of one batch have what is left, and each its own outcome', async () => {
    const { environment, engine } = setUp({ bitId: 4, bitSeq: 18 });
    await engine.acquire({ throughputPerMs: 6 * 2 ** 18 });
    // Slots 6 and 7 were never used: 48 to 63 of the new ones are open, and all others wait.
    await engine.changeLayout({ bitId: 7, bitSeq: 15 });
    const acquires = Array.from({ length: 18 }, () =>
      engine.acquire({}).then(idsOf, ({ retryAfterMs }) => retryAfterMs),
    );
    const look = engine.inspectPool();
    const outcomes = await settled(environment, Promise.all(acquires));
    expect(outcomes).toEqual([...Array.from({ length: 16 }, (_, i) => [48 + i]), MINUTE, MINUTE]);
    expect(await look).toMatchObject({ slots: 64, name: 'default' });
  });

  it('R7: of a lease that is lost under the new layout, slots of the former one tell nothing', async () => {
    const { environment, driver, engine, newEngine } = setUp({ fallbackGrace: MINUTE });
    await engine.acquire({ throughputPerMs: 5 * 256 });
    await engine.changeLayout(WIDER);
    const before = driver.snapshot();
    // In the same millisecond, slot 2 of the former layout was granted, too.
    const { leases, pool = '' } = await newEngine().acquire({});
    const { id, bitId, bitSeq, created, expired, fallbackUntil = expired, secret } = leases[0] as LeaseInfo;
    expect(id).toBe(2);
    driver.restore(before);
    const timestamp = environment.now();
    const window = { pool, id, bitId, bitSeq, created, expired, fallbackUntil };
    const claim = { ...window, timestamp, signature: signHold(secret, id, timestamp) };
    expect(idsOf(await engine.acquire({ renew: [claim] }))).toEqual([2]);
    expect((await engine.inspectPool()).quarantinedUntil).toBeGreaterThan(0);
  });

  it('to narrower slots of a full pool grants nothing until the first window ends, and then what it has left', async () => {
    const { environment, engine } = setUp({ bitId: 4, bitSeq: 18 });
    const held: LeaseInfo[] = [];
    for (let i = 0; i < 8; i++) {
      held.push(...(await engine.acquire({})).leases);
      await environment.advance(1000);
    }
    const FINE = { bitId: 7, bitSeq: 15 };
    expect(await engine.changeLayout(FINE)).toMatchObject({ slots: 64, held: 64 });
    await expect(engine.acquire({})).rejects.toMatchObject({ retryAfterMs: MINUTE - 8000 });
    const windows = new Map<number, number>();
    for (let second = 0; second < 80; second++) {
      await environment.advance(1000);
      for (;;) {
        const lease = await engine.acquire({}).then(
          ({ leases: [one] }) => one,
          () => undefined,
        );
        if (!lease) break;
        // Rule R4: not before the old range has ended; rule R2: not before its own last window has.
        const { id, created, expired } = lease;
        expect(created).toBeGreaterThanOrEqual(held[Math.floor(id / 8)]?.expired ?? Number.NaN);
        expect(created).toBeGreaterThanOrEqual(windows.get(id) ?? 0);
        windows.set(id, expired);
      }
    }
    // Each old slot was followed by all of the eight that are in it now.
    expect(windows.size).toBe(64);
    expect((await engine.inspectPool()).held).toBe(64);
  });

  it('to narrower slots leaves the parts that were released late to their windows, also when the clock steps back', async () => {
    const { environment, engine, newEngine } = setUp({ bitId: 4, bitSeq: 18 });
    await engine.acquire({ throughputPerMs: 8 * 2 ** 18 });
    await environment.advance(MINUTE);
    // All windows have ended.
    await engine.changeLayout({ bitId: 7, bitSeq: 15 });
    expect(idsOf(await engine.acquire({}))).toEqual([0]);
    environment.set(environment.now() - 1);
    await expect(newEngine().acquire({})).rejects.toMatchObject({ retryAfterMs: 1 });
    await expect(engine.acquire({})).rejects.toMatchObject({ retryAfterMs: 1 });
  });

  it('to narrower slots: a clock that steps back closes again what it is now before', async () => {
    const { environment, engine } = setUp({ bitId: 4, bitSeq: 18 });
    for (let i = 0; i < 8; i++) {
      await engine.acquire({});
      await environment.advance(1000);
    }
    await engine.changeLayout({ bitId: 7, bitSeq: 15 });
    // The first three windows have ended: 24 slots are open, of which the eight of the first are granted.
    await environment.advance(MINUTE - 8000 + 2000);
    expect(idsOf(await engine.acquire({ throughputPerMs: 8 * 2 ** 15 }))).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    environment.set(environment.now() - 1001);
    await expect(engine.acquire({})).rejects.toMatchObject({ retryAfterMs: 1 });
    await environment.advance(1);
    expect(idsOf(await engine.acquire({}))).toEqual([8]);
  });

  it('to narrower slots serves a crowd, each slot to one holder, and a large request what one range has', async () => {
    const { environment, engine, newEngine } = setUp({ bitId: 6, bitSeq: 16 });
    // Every second of the 32 slots is free again.
    const all = await Promise.all(Array.from({ length: 32 }, () => engine.acquire({})));
    for (const { leases, now = 0 } of all.filter((_, i) => i % 2 === 1))
      await engine.release(releaseOf(leases[0] as LeaseInfo, now));
    await environment.advance(1);
    await engine.changeLayout({ bitId: 8, bitSeq: 14 });
    const engines = [engine, newEngine(), newEngine()];
    const crowd = Array.from({ length: 64 }, (_, i) =>
      (engines[i % 3] as LeaseEngine).acquire({}).then(idsOf),
    );
    const granted = await settled(environment, Promise.all(crowd));
    expect(new Set(granted.flat()).size).toBe(64);
    const retryAfterMs = (all[0]?.leases[0]?.expired ?? 0) - environment.now();
    await expect(engine.acquire({})).rejects.toMatchObject({ code: 'POOL_EXHAUSTED', retryAfterMs });
  });

  it('that takes longer than the pause prolongs it, as long as it goes on', async () => {
    const { environment, driver, engine, newEngine } = setUp();
    await engine.acquire({ throughputPerMs: 2500 * 256 });
    driver.onWrite = ({ slots }) => (slots.length > 0 ? environment.sleep(PAUSE / 2) : Promise.resolve());
    const changed = engine.changeLayout({ bitId: 15, bitSeq: 7 });
    await environment.advance(2 * PAUSE);
    const refused = newEngine().acquire({});
    refused.catch(() => undefined);
    await environment.advance(MINUTE / 10);
    await expect(refused).rejects.toMatchObject(CHANGING);
    expect(await settled(environment, changed)).toMatchObject({ layout: { bitId: 15 }, slots: 16_384 });
    expect((await engine.listLeases()).length).toBe(0);
  });

  it('prolongs its pause when a third of it is over', async () => {
    const { environment, driver, engine } = setUp();
    await engine.acquire({ throughputPerMs: 3 * 1024 });
    driver.maxSlotsPerWrite = 1;
    driver.onWrite = ({ slots }) => (slots.length > 0 ? environment.sleep(PAUSE / 3) : Promise.resolve());
    driver.changes.length = 0;
    await settled(environment, engine.changeLayout(WIDER));
    const kinds = driver.changes.map(({ pool, slots }) => (pool ? 'pool' : slots.length));
    expect(kinds).toEqual(['pool', 1, 'pool', 1, 'pool', 1, 'pool', 'pool', 0]);
  });

  it('forgets the slots of layouts that are long gone, and of no other', async () => {
    const { environment, driver, engine } = setUp();
    const { dropped } = driver;
    for (let i = 0; i < 8; i++) {
      await engine.acquire({});
      await engine.changeLayout(i % 2 === 0 ? WIDER : DEFAULT);
    }
    // Leases of all of them live. What was dropped are floors, which the next ones have replaced.
    expect(await engine.listLeases()).toHaveLength(8);
    expect(dropped).toHaveLength(3);
    await environment.advance(MINUTE);
    await engine.changeLayout(WIDER);
    expect(dropped).toHaveLength(3 + 1 + 5);
    expect(new Set(dropped.filter((generation) => /^[0-9a-f]{12}$/.test(generation))).size).toBe(9);
    expect((await engine.listLeases()).length).toBe(0);
  });
});

describe('a page of leases', () => {
  it('has so many from a machine ID on, by machine ID; fewer are the last', async () => {
    const { engine } = setUp();
    await engine.acquire({ throughputPerMs: 600 * 256 });
    const page = async (after: number, limit: number) => {
      const leases = await engine.listLeases('default', { after, limit });
      return [leases.length, leases[0]?.id, leases.at(-1)?.id];
    };
    expect(await page(-1, 5)).toEqual([5, 0, 4]);
    expect(await page(4, 5)).toEqual([5, 5, 9]);
    expect(await page(4, 500)).toEqual([500, 5, 504]);
    expect(await page(504, 500)).toEqual([95, 505, 599]);
    expect(await page(599, 1)).toEqual([0, undefined, undefined]);
  });

  it('never parts the leases of one machine ID, of which there may be several after changes of layout', async () => {
    const { engine } = setUp();
    await engine.acquire({ throughputPerMs: 40 * 256 });
    await engine.changeLayout(WIDER);
    await engine.acquire({ throughputPerMs: 20 * 1024 });
    const all = await engine.listLeases();
    expect(all).toHaveLength(60);
    for (const limit of [1, 2, 7]) {
      const found: (typeof all)[number][] = [];
      for (let after = -1; ; after = found.at(-1)?.id ?? 0) {
        const leases = await engine.listLeases('default', { after, limit });
        found.push(...leases);
        if (leases.length < limit) break;
      }
      expect(found).toEqual(all);
    }
  });

  it('is refused when it is none', async () => {
    const { engine } = setUp();
    for (const page of [{ limit: 0 }, { limit: 1.5 }, { after: -2 }, { after: 2 ** 30 }]) {
      await expect(engine.listLeases('default', page)).rejects.toMatchObject({ code: 'OUT_OF_RANGE' });
    }
    const misspelt = { form: 5 } as object;
    await expect(engine.listLeases('default', misspelt)).rejects.toThrow('one of after, limit');
  });
});

describe('whois', () => {
  const idAt = (unixMs: number, machineId: number, widths = DEFAULT) => {
    const layout = { ...DEFAULT_ID_LAYOUT, ...widths };
    const timestamp = unixMs - layout.customEpoch;
    return BigInt(kazahanaIdLayout(layout).encode({ reserve: 0, timestamp, machineId, sequence: 3 }));
  };

  it('knows the makers of IDs of former layouts', async () => {
    const { environment, engine } = setUp();
    const then = environment.now();
    await engine.acquire({ meta: { host: 'a' } });
    await engine.changeLayout(WIDER);
    await environment.advance(10);
    await engine.acquire({ meta: { host: 'b' } });
    const maker = { serviceId: 'default', holder: { host: 'a' }, created: then, end: then + MINUTE };
    expect(await engine.whois(idAt(then, 0))).toEqual({
      ...{ pool: 'default', unixMs: then, machineId: 0, sequence: 3, isFallback: false, maker },
    });
    expect(await engine.whois(idAt(then + 10, 1, WIDER))).toMatchObject({
      machineId: 1,
      maker: { holder: { host: 'b' } },
    });
  });

  it('knows the last 8 windows of a slot beside its present one, and says when it knows no more', async () => {
    const one = { bitId: 1, bitSeq: 21 };
    const { environment, engine } = setUp(one);
    const times: number[] = [];
    for (let i = 0; i < 11; i++) {
      times.push(environment.now());
      await engine.acquire({ meta: { host: String(i) } });
      await environment.advance(MINUTE);
    }
    const makers = await Promise.all(
      times.map(async (time) => (await engine.whois(idAt(time, 0, one))).maker),
    );
    const known = ['2', '3', '4', '5', '6', '7', '8', '9', '10'];
    expect(makers.map((maker) => maker?.holder.host)).toEqual([undefined, undefined, ...known]);
  });

  it('refuses what is no ID', async () => {
    const { engine } = setUp();
    for (const id of [-1n, 2n ** 64n, 5])
      await expect(engine.whois(id as bigint)).rejects.toThrow('id must be');
  });
});
