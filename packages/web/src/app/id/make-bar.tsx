// What is in view, and the kinds of ID that can be made instead.
import { For, Show } from 'solid-js';
import { words } from '../i18n/index.js';
import { type Kind, offeredKinds, TAILS } from '../state/generating.js';
import { chooseKind, chooseTail, copySubject, kind, makeAndCopy, subject, tail } from '../state/subject.js';
import { Choice } from '../ui/choice.jsx';
import { CopyButton } from '../ui/copy.jsx';

export function MakeBar() {
  const isFresh = () => subject().origin === 'fresh';
  return (
    <div class="make">
      <fieldset class="chips" aria-label={words().chips.label}>
        <For each={offeredKinds()}>
          {(name: Kind) => (
            <button
              type="button"
              class="chip"
              aria-pressed={isFresh() && kind() === name}
              title={words().generate.kinds[name]}
              onClick={() => chooseKind(name)}
            >
              {words().chips[name]}
            </button>
          )}
        </For>
      </fieldset>
      <Show when={isFresh() && kind() === 'v7'}>
        <Choice
          label={words().generate.tail}
          isBare
          names={TAILS}
          text={(name) => words().generate.tails[name]}
          value={tail()}
          onChange={chooseTail}
        />
      </Show>
      <div class="actions end">
        <button type="button" class="main" onClick={() => void makeAndCopy()} title={words().keys.enter}>
          {words().newId}
        </button>
        <CopyButton text={() => subject().text} onCopy={copySubject} />
      </div>
    </div>
  );
}
