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

describe('whoever watches a pool', () => {
  it('gets its state first, then what changes, and nothing while nothing does', async () => {
    const { environment, inner, events } = watching();
    const first = (await inner.acquire({ meta: { host: 'a' } })).leases[0];
    const page = reader(events.watch('default'));
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
    const page = reader(events.watch('default'));
    await environment.settle();
    expect(page.state.text).not.toContain(leases[0]?.secret);
    expect(page.state.text).not.toContain('secret');
    events.close();
  });

  it('is told when the store is away, and gets the whole state when it is back', async () => {
    const { environment, inner, events } = watching();
    const page = reader(events.watch('default'));
    await environment.settle();
    page.take();
    inner.state = 'down';
    await environment.advance(5000);
    expect(page.take()).toEqual([{ event: 'unavailable', data: {} }]);
    const late = reader(events.watch('default'));
    await environment.settle();
    expect(late.take()).toEqual([{ event: 'unavailable', data: {} }]);
    inner.state = 'up';
    await environment.advance(1000);
    expect(page.take()).toMatchObject([{ event: 'state' }]);
    events.close();
  });

  it('hears from time to time that the server is still there', async () => {
    const { environment, events } = watching();
    const page = reader(events.watch('default'));
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
    reader(events.watch('default'));
    await environment.settle();
    const late = reader(events.watch('default'));
    await Promise.resolve();
    await environment.settle();
    expect(late.take()).toMatchObject([{ event: 'state' }]);
    events.close();
  });

  it('is left behind when it does not read, and the others go on', async () => {
    const { environment, inner, events } = watching();
    const idle = events.watch('default');
    const page = reader(events.watch('default'));
    for (let second = 0; second < 60; second++) {
      await inner.acquire({});
      await environment.advance(1000);
    }
    expect(events.watchers).toBe(1);
    expect(page.take().length).toBeGreaterThan(50);
    // What it let lie is no more than it was allowed to, and then comes the end.
    const left = reader(idle);
    await environment.settle();
    expect(left.take().length).toBeLessThan(20);
    expect(left.state.isEnded).toBe(true);
    events.close();
  });
});

describe('the store', () => {
  it('is asked twice a second for all watchers of a pool, and not at all without any', async () => {
    const { environment, inner, events } = watching();
    const pages = [1, 2, 3].map(() => reader(events.watch('default')));
    await environment.settle();
    const before = inner.calls;
    await environment.advance(10_000);
    // Each time for the pool and for its leases.
    expect(inner.calls - before).toBe(40);
    for (const page of pages) await page.leave();
    expect(events.watchers).toBe(0);
    await environment.advance(1000);
    const after = inner.calls;
    await environment.advance(60_000);
    expect(inner.calls).toBe(after);

    const again = reader(events.watch('default'));
    await environment.settle();
    expect(again.take()).toMatchObject([{ event: 'state' }]);
    events.close();
  });
});

describe('the end', () => {
  it('comes to all watchers at once, and to whoever comes later at the door', async () => {
    const { environment, events } = watching();
    const pages = [1, 2].map(() => reader(events.watch('default')));
    await environment.settle();
    events.close();
    const late = reader(events.watch('default'));
    await environment.settle();
    expect([...pages, late].map(({ state }) => state.isEnded)).toEqual([true, true, true]);
    expect(events.watchers).toBe(0);
  });
});
