// Keys for the whole page: they act when no control has the focus that would want the key itself.
import { makeAndCopy, makeAnother, shownText } from './rooms/generate.jsx';
import { settings } from './state/settings.js';
import { copyText } from './ui/copy.jsx';
import { openHelp } from './ui/help.jsx';

const ACTIONS: Readonly<Record<string, () => void>> = {
  '/': () => document.querySelector<HTMLElement>('#box')?.focus(),
  g: () => void makeAnother(),
  c: () => void copyText(shownText()),
  '?': openHelp,
};

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('input, textarea, select, dialog[open]') !== null;
}

function wantsEnter(target: EventTarget | null): boolean {
  return (
    target instanceof Element &&
    target.closest('a, button, summary, input, textarea, select, [role]') !== null
  );
}

export function listenToKeys(): void {
  addEventListener('keydown', (event) => {
    const { key, target } = event;
    if (event.defaultPrevented || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    if (key === 'Enter' && !wantsEnter(target)) {
      event.preventDefault();
      void makeAndCopy();
      return;
    }
    const action = ACTIONS[key];
    if (!action || isTyping(target) || !settings().singleKeys) return;
    event.preventDefault();
    action();
  });
}
