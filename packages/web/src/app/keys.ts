// Keys for the whole page: they act when the control in focus has no use for the key itself.

import { focusBox } from './bar/box.jsx';
import { openHelp } from './bar/help.jsx';
import { address } from './state/location.js';
import { settings } from './state/settings.js';
import { goBack, makeAndCopy, makeFresh, subject, undoFlip } from './state/subject.js';
import { copyText } from './ui/copy.jsx';

const ACTIONS: Readonly<Record<string, () => void>> = { '/': focusBox, '?': openHelp };
/** On the home route. */
const HOME_ACTIONS: Readonly<Record<string, () => void>> = {
  Enter: () => void makeAndCopy(),
  Escape: goBack,
  g: () => void makeFresh(),
  c: () => void copyText(subject().text),
};

/** Controls that use letters: a field that is typed into, a list that letters search, a dialog that lies over the page. */
const USES_LETTERS =
  'input:not([type=radio], [type=checkbox], [type=range], [type=button]), textarea, select, dialog[open]';
const USES_ENTER = 'a, button, summary, input, textarea, select, dialog[open], [role]';

const isIn = (target: EventTarget | null, selector: string) =>
  // A dialog that has just closed holds the focus for one more frame.
  target instanceof Element &&
  target.closest('dialog:not([open])') === null &&
  target.closest(selector) !== null;

export function listenToKeys(): void {
  addEventListener('keydown', (event) => {
    const { key, target } = event;
    if (event.defaultPrevented || event.isComposing || event.altKey) return;
    const isCommand = event.ctrlKey || event.metaKey;
    const action = (): (() => void) | undefined => {
      if (isCommand && key.toLowerCase() === 'k') return focusBox;
      if (isIn(target, USES_LETTERS)) return undefined;
      const isHome = address().part === 'id';
      if (isCommand) return isHome && key.toLowerCase() === 'z' ? undoFlip : undefined;
      if (key === 'Enter' && isIn(target, USES_ENTER)) return undefined;
      // An open menu closes itself.
      if (key === 'Escape' && document.querySelector(':popover-open')) return undefined;
      if (key.length === 1 && !settings().singleKeys) return undefined;
      return ACTIONS[key] ?? (isHome ? HOME_ACTIONS[key] : undefined);
    };
    const act = action();
    if (!act) return;
    event.preventDefault();
    act();
  });
}
