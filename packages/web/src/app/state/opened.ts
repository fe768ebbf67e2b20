// What the link that opened the page asked of a room. Rooms are loaded later than the link is read.
import { createSignal } from 'solid-js';
import { type RoomName, readFragment, type Shared } from './share.js';

const [link, setLink] = createSignal<Shared | undefined>(readFragment(location.hash));

export { link };

export function followLinks(): void {
  addEventListener('hashchange', () => setLink(readFragment(location.hash)));
}

/** The values for one room; none when the link leads to another. */
export function opened(room: RoomName): Shared['values'] {
  const shared = link();
  return shared?.room === room ? shared.values : {};
}
