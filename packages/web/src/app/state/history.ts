// The history of made UUIDs, as the source document defines it, kept in a storage that may be broken, full, or written
// by another tab at the same time. Everything is read again before it is written, so tabs add to each other's items.
import {
  deserializeHistory,
  serializeHistory,
  type UuidHistoryItem,
  type UuidVersion,
  validateUuid,
} from 'kazahana/uuid';

/** The part of localStorage that is used; any call may throw. */
export interface TextStorage {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

export const HISTORY_KEY = 'kazahana.history';
export const PINNED_KEY = 'kazahana.history.pinned';
export const BROKEN_KEY = 'kazahana.history.broken';
/** Pinned ones are kept beyond it. */
export const MAX_ITEMS = 500;
/** Of IDs that are made at once, so many are remembered: ten thousand would push out everything else. */
export const MAX_OF_A_BATCH = 100;

export interface History {
  /** The newest first. */
  readonly items: readonly UuidHistoryItem[];
  readonly pinned: ReadonlySet<string>;
  /** Text that was found in the storage and could not be read; it is kept there, aside. */
  readonly broken: string | null;
  /** Whether the last change was stored; if not, it lives in this tab only. */
  readonly isStored: boolean;
}

function attempt<Result>(work: () => Result): Result | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

function readPinned(storage: TextStorage): Set<string> {
  const parsed: unknown = attempt(() => JSON.parse(storage.getItem(PINNED_KEY) ?? '[]'));
  return new Set(Array.isArray(parsed) ? parsed.filter((id) => typeof id === 'string') : []);
}

/** What is stored now. Text that is no history is moved aside, and never thrown away. */
export function loadHistory(storage: TextStorage): History {
  const json = attempt(() => storage.getItem(HISTORY_KEY)) ?? null;
  const pinned = attempt(() => readPinned(storage)) ?? new Set<string>();
  const brokenBefore = attempt(() => storage.getItem(BROKEN_KEY)) ?? null;
  if (json === null) return { items: [], pinned, broken: brokenBefore, isStored: true };
  const items = attempt(() => deserializeHistory(json));
  if (items) return { items, pinned, broken: brokenBefore, isStored: true };
  const broken = brokenBefore === null || brokenBefore === json ? json : `${brokenBefore}\n${json}`;
  // First the copy: when there is no room for it, the text stays where it is.
  const isAside = attempt(() => {
    storage.setItem(BROKEN_KEY, broken);
    storage.removeItem(HISTORY_KEY);
    return true;
  });
  return { items: [], pinned, broken, isStored: isAside === true };
}

function capped(items: readonly UuidHistoryItem[], pinned: ReadonlySet<string>): UuidHistoryItem[] {
  let room = MAX_ITEMS;
  return items.filter(({ id }) => pinned.has(id) || room-- > 0);
}

/** Reads what is stored, changes it, and stores it; when it cannot be stored, the change is made all the same. */
function change(
  storage: TextStorage,
  before: History,
  work: (current: History) => Pick<History, 'items' | 'pinned'>,
): History {
  const stored = loadHistory(storage);
  // What this tab could not store before is not in the storage; go on from what the person sees.
  const current = before.isStored ? stored : { ...before, broken: stored.broken };
  const { items, pinned } = work(current);
  const kept = capped(items, pinned);
  const isStored = attempt(() => {
    storage.setItem(HISTORY_KEY, serializeHistory(kept));
    const present = new Set(kept.map(({ id }) => id));
    storage.setItem(PINNED_KEY, JSON.stringify([...pinned].filter((id) => present.has(id))));
    return true;
  });
  return { items: kept, pinned, broken: current.broken, isStored: isStored === true };
}

/** Adds UUIDs that were made just now; the items are named by their own UUID and place, which no other tab repeats. */
export function remember(
  storage: TextStorage,
  before: History,
  uuids: readonly string[],
  now: number,
): History {
  const createdAt = new Date(now).toISOString();
  const made = uuids.slice(0, MAX_OF_A_BATCH).map((uuid) => ({
    id: uuid,
    uuid,
    version: validateUuid(uuid).version as UuidVersion,
    createdAt,
  }));
  return change(storage, before, ({ items, pinned }) => {
    const known = new Set(items.map(({ id }) => id));
    return { items: [...made.filter(({ id }) => !known.has(id)), ...items], pinned };
  });
}

export function togglePin(storage: TextStorage, before: History, id: string): History {
  return change(storage, before, ({ items, pinned }) => {
    const changed = new Set(pinned);
    if (!changed.delete(id)) changed.add(id);
    return { items, pinned: changed };
  });
}

export function forget(storage: TextStorage, before: History, id: string): History {
  return change(storage, before, ({ items, pinned }) => ({
    items: items.filter((item) => item.id !== id),
    pinned: new Set([...pinned].filter((other) => other !== id)),
  }));
}

/** Forgets everything that is not pinned. */
export function clearHistory(storage: TextStorage, before: History): History {
  return change(storage, before, ({ items, pinned }) => ({
    items: items.filter(({ id }) => pinned.has(id)),
    pinned,
  }));
}

/** Throws away the text that could not be read. */
export function dropBroken(storage: TextStorage, before: History): History {
  attempt(() => storage.removeItem(BROKEN_KEY));
  return { ...before, broken: null };
}

/** All items, the pinned ones first. */
export function pinnedFirst({ items, pinned }: History): UuidHistoryItem[] {
  return [...items.filter(({ id }) => pinned.has(id)), ...items.filter(({ id }) => !pinned.has(id))];
}

/** The UUIDs in the order in which they were made; those of one moment by their digits. */
export function inOrder(items: readonly UuidHistoryItem[]): string[] {
  const keyOf = ({ createdAt, uuid }: UuidHistoryItem) => `${createdAt} ${uuid}`;
  return items.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1)).map(({ uuid }) => uuid);
}
