import { deserializeHistory, generateMany, generateV4 } from 'kazahana/uuid';
import { describe, expect, it } from 'vitest';
import {
  BROKEN_KEY,
  clearHistory,
  dropBroken,
  forget,
  HISTORY_KEY,
  inOrder,
  loadHistory,
  MAX_ITEMS,
  MAX_OF_A_BATCH,
  pinnedFirst,
  remember,
  type TextStorage,
  togglePin,
} from './history.js';

const now = Date.UTC(2026, 10, 16);

/** A storage that holds so many characters, as a browser's quota does. */
function newStorage(quota = Number.POSITIVE_INFINITY) {
  const texts = new Map<string, string>();
  const storage: TextStorage = {
    getItem: (key) => texts.get(key) ?? null,
    setItem(key, value) {
      const others = [...texts]
        .filter(([name]) => name !== key)
        .reduce((sum, [, text]) => sum + text.length, 0);
      if (others + value.length > quota) throw new Error('QuotaExceededError');
      texts.set(key, value);
    },
    removeItem: (key) => void texts.delete(key),
  };
  return { storage, texts };
}

const uuidsOf = ({ items }: { items: readonly { uuid: string }[] }) => items.map(({ uuid }) => uuid);

describe('the history', () => {
  it('is empty at first', () => {
    expect(loadHistory(newStorage().storage)).toMatchObject({ items: [], broken: null, isStored: true });
  });

  it('is stored in the format of the library, the newest first', () => {
    const { storage, texts } = newStorage();
    const [first, second] = generateMany('v7', { count: 2 }) as [string, string];
    let history = remember(storage, loadHistory(storage), [first], now);
    history = remember(storage, history, [second], now + 1);
    const stored = deserializeHistory(texts.get(HISTORY_KEY) ?? '');
    expect(uuidsOf({ items: stored })).toEqual([second, first]);
    expect(stored[0]).toMatchObject({ version: 'v7', createdAt: '2026-11-16T00:00:00.001Z' });
  });

  it('is capped, but never loses what is pinned', () => {
    const { storage } = newStorage();
    let history = remember(storage, loadHistory(storage), [generateV4()], now);
    const kept = history.items[0]?.id ?? '';
    history = togglePin(storage, history, kept);
    for (let i = 0; i < 6; i++) {
      history = remember(storage, history, generateMany('v4', { count: 10_000 }), now);
    }
    expect(history.items.length).toBe(MAX_ITEMS + 1);
    expect(history.items.at(-1)?.id).toBe(kept);
    expect(clearHistory(storage, history).items.map(({ id }) => id)).toEqual([kept]);
  });

  it('remembers the first of ten thousand that are made at once', () => {
    const { storage } = newStorage();
    const uuids = generateMany('v4', { count: 10_000 });
    expect(uuidsOf(remember(storage, loadHistory(storage), uuids, now))).toEqual(
      uuids.slice(0, MAX_OF_A_BATCH),
    );
  });

  it('forgets one, and its pin', () => {
    const { storage } = newStorage();
    let history = remember(storage, loadHistory(storage), [generateV4()], now);
    const id = history.items[0]?.id ?? '';
    history = forget(storage, togglePin(storage, history, id), id);
    expect(history.items).toEqual([]);
    expect(history.pinned.size).toBe(0);
  });

  it('has an order: of making, and within a moment of the digits', () => {
    const { storage } = newStorage();
    const [a, b, c] = generateMany('v7', { count: 3 }) as [string, string, string];
    let history = remember(storage, loadHistory(storage), [a, b], now);
    history = remember(storage, history, [c], now + 1);
    expect(uuidsOf(history)).toEqual([c, a, b]);
    expect(inOrder(history.items)).toEqual([a, b, c]);
  });

  it('is listed with the pinned ones first', () => {
    const { storage } = newStorage();
    const uuids = generateMany('v7', { count: 3 });
    const history = remember(storage, loadHistory(storage), uuids, now);
    const last = history.items[2]?.id ?? '';
    const pinned = pinnedFirst(togglePin(storage, history, last));
    expect(uuidsOf({ items: pinned })).toEqual([uuids[2], uuids[0], uuids[1]]);
  });
});

describe('a storage that', () => {
  for (const text of ['{', '[{}]', 'null', '<img onerror=x>', '[{"id":"a","uuid":"b"}]']) {
    it(`holds ${text} keeps it aside, and goes on`, () => {
      const { storage, texts } = newStorage();
      texts.set(HISTORY_KEY, text);
      let history = loadHistory(storage);
      expect(history).toMatchObject({ items: [], broken: text });
      history = remember(storage, history, [generateV4()], now);
      expect(history.items.length).toBe(1);
      expect(texts.get(BROKEN_KEY)).toBe(text);
      expect(loadHistory(storage)).toMatchObject({ broken: text, isStored: true });
      expect(dropBroken(storage, history).broken).toBeNull();
      expect(texts.has(BROKEN_KEY)).toBe(false);
    });
  }

  it('has no room for broken text aside leaves it where it is', () => {
    const { storage, texts } = newStorage();
    texts.set(HISTORY_KEY, 'broken');
    const full = {
      ...storage,
      setItem() {
        throw new Error('QuotaExceededError');
      },
    };
    expect(loadHistory(full)).toMatchObject({ items: [], broken: 'broken', isStored: false });
    expect(texts.get(HISTORY_KEY)).toBe('broken');
  });

  it('breaks twice keeps both', () => {
    const { storage, texts } = newStorage();
    texts.set(HISTORY_KEY, 'one');
    loadHistory(storage);
    texts.set(HISTORY_KEY, 'two');
    expect(loadHistory(storage).broken).toBe('one\ntwo');
  });

  it('is full keeps the change in this tab, says so, and what was stored stays', () => {
    const { storage, texts } = newStorage(400);
    let history = remember(storage, loadHistory(storage), [generateV4()], now);
    const stored = texts.get(HISTORY_KEY);
    history = remember(storage, history, generateMany('v4', { count: 5 }), now);
    history = remember(storage, history, [generateV4()], now);
    expect(history).toMatchObject({ isStored: false });
    expect(history.items.length).toBe(7);
    expect(texts.get(HISTORY_KEY)).toBe(stored);
  });

  it('refuses everything, as in a private window, is no reason to fail', () => {
    const refuse = () => {
      throw new Error('SecurityError');
    };
    const storage = { getItem: refuse, setItem: refuse, removeItem: refuse };
    const history = remember(storage, loadHistory(storage), [generateV4()], now);
    expect(history).toMatchObject({ isStored: false });
    expect(remember(storage, history, [generateV4()], now).items.length).toBe(2);
  });
});

it('two tabs add to each other, and neither overwrites the other', () => {
  const { storage } = newStorage();
  const [a, b, c] = generateMany('v4', { count: 3 }) as [string, string, string];
  let here = loadHistory(storage);
  let there = loadHistory(storage);
  here = remember(storage, here, [a], now);
  there = remember(storage, there, [b], now);
  here = remember(storage, here, [c], now);
  expect(uuidsOf(loadHistory(storage))).toEqual([c, b, a]);
  there = togglePin(storage, there, a);
  expect(loadHistory(storage).pinned).toEqual(new Set([a]));
});
