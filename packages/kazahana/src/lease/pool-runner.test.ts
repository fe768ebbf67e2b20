// The runner of a pool alone: which calls share a batch.
import { describe, expect, it } from 'vitest';
import { MemoryDriver } from '../providers/memory-driver.js';
import { virtualEnvironment } from '../virtual-environment.js';
import { resolvePools } from './config.js';
import type { PoolCall } from './pool-call.js';
import { PoolRunner } from './pool-runner.js';
import { RULES } from './switchable-rules.js';
import type { PoolView } from './view.js';

function setUp() {
  const environment = virtualEnvironment();
  const runner = new PoolRunner('default', {
    driver: new MemoryDriver({ environment }),
    environment,
    rules: RULES,
    configured: resolvePools().pool('default'),
    createPools: 'auto',
    afterFailOver: 'quarantine',
    onLoss: () => {},
  });
  /** The calls in the order in which they are decided, each with what it sees. */
  const decided: { readonly name: string; readonly view: PoolView }[] = [];
  const call = (name: string, isAlone = false): PoolCall<void> => ({
    isAlone,
    needs: () => ({}),
    decide(view) {
      decided.push({ name, view });
      return () => {};
    },
  });
  return { runner, decided, call };
}

it('a call that has ended leaves nothing on its signal, which may live as long as the program', async () => {
  const { runner, call } = setUp();
  const { signal } = new AbortController();
  const listeners = new Set<unknown>();
  signal.addEventListener = (type: string, listener: unknown) => listeners.add(`${type} ${listener}`);
  signal.removeEventListener = (type: string, listener: unknown) => listeners.delete(`${type} ${listener}`);
  const ended = runner.run(call('a'), signal);
  expect(listeners.size).toBe(1);
  await ended;
  expect(listeners.size).toBe(0);
});

describe('calls that wait at the same time', () => {
  it('share what was read', async () => {
    const { runner, decided, call } = setUp();
    await Promise.all(['a', 'b'].map((name) => runner.run(call(name))));
    expect(new Set(decided.map(({ view }) => view)).size).toBe(1);
  });

  it('do not share it with one that goes alone and came first, either', async () => {
    const { runner, decided, call } = setUp();
    await Promise.all([runner.run(call('alone', true)), runner.run(call('a'))]);
    const [alone, a] = decided.map(({ view }) => view);
    expect(a).not.toBe(alone);
  });

  it('do not share it with one that goes alone, which goes first: what they have read is not theirs after it', async () => {
    const { runner, decided, call } = setUp();
    await Promise.all([runner.run(call('a')), runner.run(call('alone', true)), runner.run(call('b'))]);
    expect(decided.map(({ name }) => name)).toEqual(['alone', 'a', 'b']);
    const [alone, a, b] = decided.map(({ view }) => view);
    expect(a).toBe(b);
    expect(a).not.toBe(alone);
  });
});
