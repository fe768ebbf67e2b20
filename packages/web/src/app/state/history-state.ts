// The history as the page holds it: the stored one, followed as other tabs change it.
import type { UuidHistoryItem } from 'kazahana/uuid';
import { createSignal } from 'solid-js';
import { environment } from './environment.js';
import * as stored from './history.js';

/** Where storage is not allowed at all, even asking for it throws. */
const storage: stored.TextStorage = {
  getItem: (key) => localStorage.getItem(key),
  setItem: (key, value) => localStorage.setItem(key, value),
  removeItem: (key) => localStorage.removeItem(key),
};

const [history, setHistory] = createSignal(stored.loadHistory(storage));

export { history };

export function followOtherTabs(): void {
  addEventListener('storage', ({ key }) => {
    if (key === null || key === stored.HISTORY_KEY || key === stored.PINNED_KEY) {
      setHistory(stored.loadHistory(storage));
    }
  });
}

export const remember = (uuids: readonly string[]): void => {
  setHistory(stored.remember(storage, history(), uuids, environment.now()));
};
export const togglePin = ({ id }: UuidHistoryItem): void => {
  setHistory(stored.togglePin(storage, history(), id));
};
export const forget = ({ id }: UuidHistoryItem): void => {
  setHistory(stored.forget(storage, history(), id));
};
export const clearHistory = (): void => {
  setHistory(stored.clearHistory(storage, history()));
};
export const dropBroken = (): void => {
  setHistory(stored.dropBroken(storage, history()));
};
