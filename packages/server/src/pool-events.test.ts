import { signRelease } from 'kazahana/lease';
import { virtualEnvironment } from 'kazahana/testing';
import { describe, expect, it } from 'vitest';
import { BreakableStore } from '../../../tests/server/breakable-store.ts';
import { Metrics } from './metrics.js';
import { PoolEvents } from './pool-events.js';
import { MeasuredStore } from './store.js';

function watching() {
  const environment = virtualEnvironment();
  const inner = new BreakableStore({ environment });
  const metrics = new Metrics([], { version: '1', store: 'memory' });
  const events = new PoolEvents(new MeasuredStore(inner, metrics, environment), environment);
  return { environment, inner, events };
}

/** Reads a stream as a page does. */
function reader(stream: ReadableStream<Uint8Array>) {
  const decoder = new TextDecoder();
  const state = { text: '', isEnded: false };
  const source = stream.getReader();
  const pump = async () => {
    for (let part = await source.read(); !part.done; part = await source.read()) {
      state.text += decoder.decode(part.value, { stream: true });
    }
    state.isEnded = true;
  };
  void pump();
  const take = () => {
    const blocks = state.text.split('\n\n').slice(0, -1);
    state.text = '';
    return blocks.map((block) => {
      const [, event, data] = /^event: (.*)\ndata: (.*)$/s.exec(block) ?? [];
      return event === undefined ? block : { event, data: JSON.parse(data ?? '') };
    });
  };
  return { state, take, leave: () => source.cancel() };
}

describe('a watcher of a pool', () => {
  it('gets its state first, then what changes, and nothing while nothing does', async () => {
    const { environment, inner, events } = watching();
    const first = (await inner.acquire({ meta: { host: 'a' } })).leases[0];
    const page = reader(events.watch('default', 'me'));
    await environment.settle();
    expect(page.take()).toMatchObject([
      {
        event: 'state',
        data: { pool: { name: 'default', held: 1 }, leases: [{ id: 0, holder: { host: 'a' } }] },
      },
    ]);

    await environment.advance(1000);
    expect(page.take()).toEqual([]);

    await inner.acquire({});
    await environment.advance(1000);
    expect(page.take()).toMatchObject([
      { event: 'change', data: { pool: { held: 2 }, added: [{ id: 1 }], removed: [] } },
    ]);

    const { id = 0, secret = '' } = first ?? {};
    const timestamp = environment.now();
    await inner.release({ id, timestamp, signature: signRelease(secret, id, timestamp) });
    await environment.advance(1000);
    expect(page.take()).toMatchObject([
      { event: 'change', data: { pool: { held: 1 }, added: [], removed: [{ id: 0, bitSeq: 8 }] } },
    ]);

    await inner.quarantine();
    await environment.advance(1000);
    expect(page.take()).toMatchObject([{ event: 'change', data: { added: [], removed: [] } }]);
    events.close();
  });

  it('sees no secret', async () => {
    const { environment, inner, events } = watching();
    const { leases } = await inner.acquire({});
    const page = reader(events.watch('default', 'me'));
    await environment.settle();
    expect(page.state.text).not.toContain(leases[0]?.secret);
    expect(page.state.text).not.toContain('secret');
    events.close();
  });

  it('is told when the store is away, and gets the whole state when it is back', async () => {
    const { environment, inner, events } = watching();
    const page = reader(events.watch('default', 'me'));
    await environment.settle();
    page.take();
    inner.state = 'down';
    await environment.advance(5000);
    expect(page.take()).toEqual([{ event: 'unavailable', data: {} }]);
    const late = reader(events.watch('default', 'me'));
    await environment.settle();
    expect(late.take()).toEqual([{ event: 'unavailable', data: {} }]);
    inner.state = 'up';
    await environment.advance(1000);
    expect(page.take()).toMatchObject([{ event: 'state' }]);
    events.close();
  });

  it('hears from time to time that the server is still there', async () => {
    const { environment, events } = watching();
    const page = reader(events.watch('default', 'me'));
    await environment.settle();
    page.take();
    await environment.advance(14_000);
    expect(page.take()).toEqual([]);
    await environment.advance(1000);
    expect(page.take()).toEqual([': still here']);
    await environment.advance(15_000);
    expect(page.take()).toEqual([': still here']);
    events.close();
  });

  it('gets the state at once when others watch already', async () => {
    const { environment, events } = watching();
    reader(events.watch('default', 'me'));
    await environment.settle();
    const late = reader(events.watch('default', 'me'));
    await Promise.resolve();
    await environment.settle();
    expect(late.take()).toMatchObject([{ event: 'state' }]);
    events.close();
  });

  it('gets a state that is large in several events, none much larger than 64 KiB', async () => {
    const { environment, inner, events } = watching();
    const meta = { host: 'x'.repeat(1000) };
    for (let i = 0; i < 4; i++) await inner.acquire({ meta, throughputPerMs: 100 * 256 });
    const page = reader(events.watch('default', 'me'));
    await environment.advance(1000);
    expect(page.state.text.length).toBeGreaterThan(400_000);
    expect(Math.max(...page.state.text.split('\n\n').map(({ length }) => length))).toBeLessThan(70_000);
    const received = page.take() as { event: string; data: { leases?: object[]; added?: object[] } }[];
    const leases = received.flatMap(({ data }) => data.leases ?? data.added ?? []);
    expect(leases).toEqual(await inner.listLeases());
    expect(received.map(({ event }) => event).join(' ')).toMatch(/^state( change){5,}$/);
    events.close();
  });

  it('gets what was removed before what was added: a machine ID may be in both', async () => {
    const { environment, inner, events } = watching();
    const { leases } = await inner.acquire({ throughputPerMs: 300 * 256 });
    const page = reader(events.watch('default', 'me'));
    await environment.advance(2000);
    page.take();
    const timestamp = environment.now();
    for (const { id, secret } of leases)
      await inner.release({ id, timestamp, signature: signRelease(secret, id, timestamp) });
    await environment.advance(1);
    await inner.acquire({ meta: { host: 'x'.repeat(900) }, throughputPerMs: 300 * 256 });
    await inner.acquire({ throughputPerMs: 100 * 256 });
    await environment.advance(2000);
    const received = page.take() as { data: { added: object[]; removed: object[] } }[];
    const firstAdded = received.findIndex(({ data }) => data.added.length > 0);
    const lastRemoved = received.findLastIndex(({ data }) => data.removed.length > 0);
    expect(lastRemoved).toBeLessThanOrEqual(firstAdded);
    expect(received.length).toBeGreaterThan(3);
    expect(received.flatMap(({ data }) => data.added).length).toBe(400);
    expect(received.flatMap(({ data }) => data.removed).length).toBe(300);
    events.close();
  });

  it('that does not read is sent 128 KiB at most and ended after half a minute, and the others go on', async () => {
    const { environment, inner, events } = watching();
    const meta = { host: 'x'.repeat(1000) };
    await inner.acquire({ meta, throughputPerMs: 1000 * 256 });
    const idle = events.watch('default', 'idle');
    const page = reader(events.watch('default', 'me'));
    for (let second = 0; second < 29; second++) {
      await inner.acquire({ meta });
      await environment.advance(1000);
    }
    expect([events.count(), events.count('idle'), events.count('me')]).toEqual([2, 1, 1]);
    await environment.advance(5000);
    expect([events.count(), events.count('idle'), events.count('me')]).toEqual([1, 0, 1]);
    expect(page.take().length).toBeGreaterThan(29);
    // What it let lie is bounded, and then comes the end.
    const left = reader(idle);
    await environment.settle();
    expect(left.state.text.length).toBeGreaterThan(64 * 1024);
    expect(left.state.text.length).toBeLessThan(150_000);
    expect(left.state.isEnded).toBe(true);
    events.close();
  });

  it('that reads slowly gets fewer events, and in the end the pool as it is', async () => {
    const { environment, inner, events } = watching();
    const meta = { host: 'x'.repeat(1000) };
    await inner.acquire({ meta, throughputPerMs: 300 * 256 });
    const source = events.watch('default', 'me').getReader();
    const ids = new Set<number>();
    let received = 0;
    for (let second = 0; second < 100; second++) {
      if (second < 60) await inner.acquire({ meta });
      await environment.advance(1000);
      const read = source.read();
      await environment.settle();
      const waits = {};
      const part = await Promise.race([read, Promise.resolve(waits)]);
      if (part === waits) break;
      const text = new TextDecoder().decode((part as { value?: Uint8Array }).value);
      const data = JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? '{}');
      for (const { id } of data.leases ?? data.added ?? []) ids.add(id);
      received++;
    }
    expect(ids.size).toBe(360);
    // The state was six events; of sixty changes, the server left out those that the client had no time to read.
    expect(received).toBeLessThan(66);
    events.close();
  });
});

describe('the store', () => {
  it('is read twice a second for all watchers of a pool, and not at all without any', async () => {
    const { environment, inner, events } = watching();
    const pages = [1, 2, 3].map(() => reader(events.watch('default', 'me')));
    await environment.settle();
    const before = inner.calls;
    await environment.advance(10_000);
    // Each time for the totals; once for the leases, too, which these do not show to have changed.
    expect(inner.calls - before).toBe(21);
    for (const page of pages) await page.leave();
    expect(events.count()).toBe(0);
    await environment.advance(1000);
    const after = inner.calls;
    await environment.advance(60_000);
    expect(inner.calls).toBe(after);

    const again = reader(events.watch('default', 'me'));
    await environment.settle();
    expect(again.take()).toMatchObject([{ event: 'state' }]);
    events.close();
  });
});

describe('a lease that is revoked', () => {
  it('changes no total, and is seen within ten seconds', async () => {
    const { environment, inner, events } = watching();
    const { leases } = await inner.acquire({ throughputPerMs: 2 * 256 });
    const page = reader(events.watch('default', 'me'));
    await environment.advance(1000);
    page.take();
    await inner.revoke({ id: leases[0]?.id ?? 0 });
    await environment.advance(10_000);
    expect(page.take()).toMatchObject([{ event: 'change', data: { added: [], removed: [{ id: 0 }] } }]);
    events.close();
  });
});

describe('the end', () => {
  it('comes to all watchers at once, and to those that come later at the door', async () => {
    const { environment, events } = watching();
    const pages = [1, 2].map(() => reader(events.watch('default', 'me')));
    await environment.settle();
    events.close();
    const late = reader(events.watch('default', 'me'));
    await environment.settle();
    expect([...pages, late].map(({ state }) => state.isEnded)).toEqual([true, true, true]);
    expect(events.count()).toBe(0);
  });
});
