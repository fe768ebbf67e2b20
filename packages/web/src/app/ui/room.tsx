// A room: a heading that a link can lead to, a sentence, and what is in it.
import { type JSX, Show } from 'solid-js';
import { words } from '../i18n/index.js';
import { LATER_ROOMS, type RoomName, type Shared, writeFragment } from '../state/share.js';
import { CopyButton } from './copy.jsx';

export function Room(props: {
  name: RoomName;
  lead: string;
  /** What a link to this room carries; no button when left out. */
  share?: () => Shared['values'];
  children: JSX.Element;
}) {
  const link = () => {
    const fragment = writeFragment({ room: props.name, values: props.share?.() ?? {} });
    return location.href.replace(/#.*$/, '') + fragment;
  };
  return (
    <section
      // A room that is loaded later has its name on the place that waits for it, which stays.
      id={LATER_ROOMS.some((name) => name === props.name) ? undefined : props.name}
      class="room"
      aria-labelledby={`${props.name}-title`}
      tabindex="-1"
    >
      <header>
        <h2 id={`${props.name}-title`}>{words().rooms[props.name]}</h2>
        <p class="lead">{props.lead}</p>
        <Show when={props.share}>
          <CopyButton
            text={link}
            label={words().share}
            name={`${words().share}: ${words().rooms[props.name]}`}
          />
        </Show>
      </header>
      {props.children}
    </section>
  );
}
