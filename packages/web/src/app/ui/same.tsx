// "The same in CLI, library, curl": how to do elsewhere what the room just did, ready to copy.
import { For, Show } from 'solid-js';
import { words } from '../i18n/index.js';
import { CopyButton } from './copy.jsx';
import { Scroll } from './scroll.jsx';

export function Same(props: { cli: string; library: string; curl?: string | undefined }) {
  const rows = () => [
    ['CLI', props.cli] as const,
    [words().library, props.library] as const,
    ...(props.curl === undefined ? [] : [['curl', props.curl] as const]),
  ];
  return (
    <details class="same">
      <summary>{words().same}</summary>
      <For each={rows()}>
        {([title, code]) => (
          <div class="code">
            <h3>{title}</h3>
            <Scroll label={title}>
              <pre>{code}</pre>
            </Scroll>
            <CopyButton text={() => code} name={`${words().copy}: ${title}`} />
          </div>
        )}
      </For>
      <Show when={props.curl === undefined}>
        <p class="note">curl: {words().noCurl}</p>
      </Show>
    </details>
  );
}
