// How to do the same elsewhere: command line, TypeScript, curl; one of them in view, ready to copy.
import { createSignal, For, Show } from 'solid-js';
import { words } from '../i18n/index.js';
import type { Snippets } from '../state/snippets.js';
import { Choice } from './choice.jsx';
import { CopyButton } from './copy.jsx';
import { Scroll } from './scroll.jsx';

const NAMES = ['cli', 'library', 'curl'] as const;
type Name = (typeof NAMES)[number];
const TITLES: Readonly<Record<Name, string>> = { cli: 'CLI', library: 'TypeScript', curl: 'curl' };

/** The choice holds for the whole page: a reader works with one of them. */
const [chosen, setChosen] = createSignal<Name>('cli');

export function CodeTabs(props: Snippets) {
  const offered = () => NAMES.filter((name) => props[name] !== undefined);
  const name = () => (offered().includes(chosen()) ? chosen() : 'cli');
  return (
    <section class="card code-tabs" aria-label={words().code}>
      <div class="code-head">
        <Choice
          label={words().code}
          isBare
          names={offered()}
          text={(offer) => TITLES[offer]}
          value={name()}
          onChange={setChosen}
        />
        <CopyButton
          text={() => props[name()] ?? ''}
          name={`${words().copy}: ${TITLES[name()]}`}
          class="plain"
        />
      </div>
      <For each={NAMES}>
        {(each) => (
          <Show when={each === name()}>
            <Scroll label={TITLES[each]}>
              <pre>{props[each]}</pre>
            </Scroll>
          </Show>
        )}
      </For>
    </section>
  );
}
