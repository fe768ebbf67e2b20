// Text that is no ID, with a mark under every character that is wrong, and a sentence for each mark.
import { createMemo, For, Show } from 'solid-js';
import { count, words } from '../i18n/index.js';
import type { Fault } from '../state/inspection.js';

/** Enough for every ID with what may stand around it; a megabyte is not drawn. */
const SHOWN = 120;

type Code = keyof ReturnType<typeof words>['inspect']['codes'];

export function MarkedText(props: { text: string; faults: readonly Fault[] }) {
  const places = createMemo(() => new Set(props.faults.map(({ position }) => position)));
  const characters = createMemo(() => {
    const shown = props.text.slice(0, SHOWN).split('');
    // What is missing at the end is marked behind the last character.
    if (places().has(shown.length) && props.text.length <= SHOWN) shown.push('');
    return shown;
  });
  return (
    <>
      <p class="id marked" data-testid="marked">
        <For each={characters()}>
          {(character, index) => (
            <Show when={places().has(index())} fallback={character}>
              <mark data-index={index()}>
                {character === '' || /\s/.test(character) ? '\u00a0' : character}
              </mark>
            </Show>
          )}
        </For>
      </p>
      <Show when={props.text.length > SHOWN}>
        <p class="note">{words().inspect.characters(count(props.text.length))}</p>
      </Show>
      <div role="alert">
        <ul class="faults">
          <For each={props.faults}>
            {({ code, position }) => (
              <li>
                <code>{code}</code>{' '}
                <span>
                  {words().inspect.codes[code as Code] ?? code}
                  <Show when={position !== undefined}> ({words().inspect.at(String(position))})</Show>
                </span>
              </li>
            )}
          </For>
        </ul>
      </div>
    </>
  );
}
