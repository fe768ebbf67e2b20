import { virtualEnvironment } from 'kazahana/testing';
import { describe, expect, it } from 'vitest';
import { BreakableStore } from '../../../tests/server/breakable-store.ts';
import { Metrics } from './metrics.js';
import { PoolEvents } from './pool-events.js';
import { measured } from './store.js';

function watching() {
  const environment = virtualEnvironment();
  const inner = new BreakableStore({ environment });
  const metrics = new Metrics([], { version: '1', store: 'memory' });
  const events = new PoolEvents(measured(inner, metrics, environment), environment);
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
  it('gets its totals first, again when they change, and nothing while they do not', async () => {
    const { environment, inner, events } = watching();
    await inner.acquire({ meta: { host: 'a' } });
    const page = reader(events.watch('default', 'me'));
    await environment.settle();
    expect(page.take()).toMatchObject([{ event: 'pool', data: { name: 'default', held: 1, serial: 1 } }]);

    await environment.advance(1000);
    expect(page.take()).toEqual([]);

    await inner.acquire({});
    await environment.advance(1000);
    expect(page.take()).toMatchObject([{ event: 'pool', data: { held: 2, serial: 2 } }]);

    await inner.quarantine();
    await environment.advance(1000);
    expect(page.take()).toMatchObject([{ event: 'pool', data: { quarantinedUntil: expect.any(Number) } }]);
    events.close();
  });

  it('sees no lease and no secret', async () => {
    const { environment, inner, events } = watching();
    const { leases } = await inner.acquire({ meta: { host: 'a' } });
    const page = reader(events.watch('default', 'me'));
    await environment.settle();
    expect(page.state.text).toContain('event: pool');
    expect(page.state.text).not.toContain(leases[0]?.secret);
    expect(page.state.text).not.toContain('host');
    events.close();
  });

  it('is told when the store is away, and when it is back', async () => {
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
    expect(page.take()).toMatchObject([{ event: 'pool' }]);
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

  it('gets the totals at once when others watch already', async () => {
    const { environment, inner, events } = watching();
    reader(events.watch('default', 'me'));
    await environment.settle();
    const before = inner.calls;
    const late = reader(events.watch('default', 'me'));
    await environment.settle();
    expect(late.take()).toMatchObject([{ event: 'pool' }]);
    expect(inner.calls).toBe(before);
    events.close();
  });

  it('that does not read is sent one event, and the totals of its time when it reads again', async () => {
    const { environment, inner, events } = watching();
    const idle = events.watch('default', 'idle');
    for (let second = 0; second < 100; second++) {
      await inner.acquire({});
      await environment.advance(1000);
    }
    const page = reader(idle);
    await environment.advance(1000);
    // The one that waited for it, and one of now: the ninety-nine changes in between were never made into events.
    expect(page.take()).toMatchObject([
      { event: 'pool', data: { serial: 0 } },
      { event: 'pool', data: { serial: 100 } },
    ]);
    events.close();
  });

  it('counts until it leaves', async () => {
    const { environment, events } = watching();
    const [mine, yours] = [reader(events.watch('default', 'me')), reader(events.watch('default', 'you'))];
    await environment.settle();
    expect([events.count(), events.count('me'), events.count('you')]).toEqual([2, 1, 1]);
    await mine.leave();
    expect([events.count(), events.count('me'), events.count('you')]).toEqual([1, 0, 1]);
    await yours.leave();
    expect(events.count()).toBe(0);
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
    expect(inner.calls - before).toBe(20);
    for (const page of pages) await page.leave();
    expect(events.count()).toBe(0);
    await environment.advance(1000);
    const after = inner.calls;
    await environment.advance(60_000);
    expect(inner.calls).toBe(after);

    const again = reader(events.watch('default', 'me'));
    await environment.settle();
    expect(again.take()).toMatchObject([{ event: 'pool' }]);
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
