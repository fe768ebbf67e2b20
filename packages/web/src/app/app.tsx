// The page: a header, and one column of rooms. The first three are there at once; the others are loaded when the reader
// comes near.
import { createComputed, createEffect, createSignal, on, onMount, Show } from 'solid-js';
import { words } from './i18n/index.js';
import { Bits } from './rooms/bits.jsx';
import { Generate, openGenerate } from './rooms/generate.jsx';
import { Inspect, readingName } from './rooms/inspect.jsx';
import { environment } from './state/environment.js';
import { link } from './state/opened.js';
import { setPicked, show } from './state/page-state.js';
import { settings } from './state/settings.js';
import { Announcer } from './ui/announce.jsx';
import { Header } from './ui/header.jsx';
import { Help, openHelp } from './ui/help.jsx';
import { Later } from './ui/later.jsx';

function LaterRooms() {
  return (
    <>
      <Later name="batch" load={() => import('./rooms/batch.jsx')} />
      <Later name="public" load={() => import('./rooms/public.jsx')} />
      <Later name="hierarchy" load={() => import('./rooms/hierarchy.jsx')} />
      <Later name="layout" load={() => import('./rooms/layout.jsx')} />
      <Later name="pool" load={() => import('./rooms/pool.jsx')} />
      <Later name="history" load={() => import('./rooms/history.jsx')} />
    </>
  );
}

/** How many parts of the page are drawn; each in a turn of its own, so that none keeps the page from answering. */
const LAST_STAGE = 4;

export function App() {
  const [stage, setStage] = createSignal(0);
  onMount(async () => {
    while (stage() < LAST_STAGE) {
      await environment.sleep(0);
      setStage(stage() + 1);
    }
  });
  // A link that leads to the first rooms; the others read theirs when they are loaded.
  createComputed(
    on(link, (shared) => {
      if (shared?.room === 'generate') openGenerate(shared.values);
      if (shared?.room !== 'inspect' || shared.values.id === undefined) return;
      show(shared.values.id);
      setPicked(readingName(shared.values.as));
    }),
  );
  createEffect(() => {
    const shared = link();
    if (shared && stage() === LAST_STAGE) document.getElementById(shared.room)?.scrollIntoView();
  });
  createEffect(() => {
    document.documentElement.dataset.theme = settings().theme;
  });
  return (
    <>
      <Header />
      <main>
        <Show when={stage() > 0}>
          <Generate />
        </Show>
        <Show when={stage() > 1}>
          <Inspect />
        </Show>
        <Show when={stage() > 2}>
          <Bits />
        </Show>
        <Show when={stage() > 3}>
          <LaterRooms />
        </Show>
      </main>
      <footer class="bottom">
        <p>{words().privacy}</p>
        <button type="button" class="quiet" onClick={openHelp}>
          {words().help} <kbd>?</kbd>
        </button>
      </footer>
      <Announcer />
      <Help />
    </>
  );
}
