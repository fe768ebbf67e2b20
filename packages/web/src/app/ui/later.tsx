// A room that is loaded when the reader comes near it, or when a link leads to it. Until then its heading is there, so
// that links, headings and the length of the page are.
import { createEffect, createSignal, type JSX, lazy, onCleanup, onMount, Show, Suspense } from 'solid-js';
import { words } from '../i18n/index.js';
import { link } from '../state/opened.js';
import type { LATER_ROOMS } from '../state/share.js';
import { Room } from './room.jsx';

/** How near: about a screen. */
const MARGIN = '700px';

export function Later(props: {
  name: (typeof LATER_ROOMS)[number];
  load: () => Promise<{ default: () => JSX.Element }>;
}) {
  const [isNear, setIsNear] = createSignal(false);
  const Loaded = lazy(props.load);
  let place: HTMLDivElement | undefined;
  onMount(() => {
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) setIsNear(true);
      },
      { rootMargin: MARGIN },
    );
    if (place) observer.observe(place);
    onCleanup(() => observer.disconnect());
  });
  createEffect(() => {
    if (link()?.room === props.name) setIsNear(true);
  });
  const empty = () => (
    <Room name={props.name} lead={words()[props.name].lead}>
      <div class="later" />
    </Room>
  );
  return (
    <div id={props.name} class="place" ref={(element) => (place = element)}>
      <Show when={isNear()} fallback={empty()}>
        <Suspense fallback={empty()}>
          <Loaded />
        </Suspense>
      </Show>
    </div>
  );
}
