// How wide an element is, as it changes.
import { type Accessor, createSignal, onCleanup, onMount } from 'solid-js';

/** Before it is drawn. */
const FIRST = 800;

export function createWidth(): readonly [width: Accessor<number>, frame: (element: HTMLElement) => void] {
  const [width, setWidth] = createSignal(FIRST);
  let frame: HTMLElement | undefined;
  onMount(() => {
    if (!frame) return;
    setWidth(frame.clientWidth || FIRST);
    const observer = new ResizeObserver(([entry]) => setWidth(entry?.contentRect.width ?? FIRST));
    observer.observe(frame);
    onCleanup(() => observer.disconnect());
  });
  return [width, (element) => (frame = element)];
}
