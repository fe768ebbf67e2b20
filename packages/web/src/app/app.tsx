// The page: the bar, and the route that the address names.
import { createEffect, createMemo, type JSX, on } from 'solid-js';
import { Dynamic } from 'solid-js/web';
import { Bar } from './bar/bar.jsx';
import { Help, openHelp } from './bar/help.jsx';
import { words } from './i18n/index.js';
import { IdRoute } from './id/id-route.jsx';
import { title } from './id/title.js';
import type { Part } from './state/address.js';
import { address } from './state/location.js';
import { settings } from './state/settings.js';
import { subject } from './state/subject.js';
import { Announcer } from './ui/announce.jsx';
import { lazyRoute } from './ui/lazy-route.jsx';

const VIEWS: Readonly<Record<Part, () => JSX.Element>> = {
  id: IdRoute,
  'many/generate': lazyRoute('many/generate', () => import('./many/generate.jsx')),
  'many/log': lazyRoute('many/log', () => import('./many/log.jsx')),
  'many/history': lazyRoute('many/history', () => import('./many/history.jsx')),
  '64-bit/layout': lazyRoute('64-bit/layout', () => import('./sixty-four/layout-designer.jsx')),
  '64-bit/external': lazyRoute('64-bit/external', () => import('./sixty-four/external-ids.jsx')),
  '64-bit/estelle': lazyRoute('64-bit/estelle', () => import('./sixty-four/estelle.jsx')),
  pool: lazyRoute('pool', () => import('./pool/pool-route.jsx')),
};

export function App() {
  const part = createMemo(() => address().part);
  createEffect(() => {
    document.documentElement.dataset.theme = settings().theme;
  });
  createEffect(() => {
    document.title = title();
  });
  // A new route begins at its top, for the eye and for the keyboard.
  createEffect(
    on(
      part,
      () => {
        scrollTo(0, 0);
        document.querySelector('h1')?.focus({ preventScroll: true });
      },
      { defer: true },
    ),
  );
  // So does a new answer. Typing and flipping bits change the one that the reader looks at.
  createEffect(
    on(
      subject,
      ({ origin }) => {
        if (origin === 'given' || origin === 'fresh') scrollTo(0, 0);
      },
      { defer: true },
    ),
  );
  return (
    <>
      <Bar />
      <main data-part={part()}>
        <Dynamic component={VIEWS[part()]} />
      </main>
      <footer class="foot">
        <p class="note">{part() === 'pool' ? words().privacyOfPool : words().privacy}</p>
        <button type="button" class="plain" onClick={openHelp}>
          {words().keys.title} <kbd>?</kbd>
        </button>
      </footer>
      <Announcer />
      <Help />
    </>
  );
}
