// A text that no format recognises: the formats that come closest, and for what is nearly a UUID every fault at its
// character.
import type { Inspection } from 'kazahana/inspect';
import { validateUuid } from 'kazahana/uuid';
import { createMemo, For, Show } from 'solid-js';
import { count, messageText, words } from '../i18n/index.js';
import { safeFix } from '../state/safe-fix.js';
import { showGiven } from '../state/subject.js';

/** Enough for every ID with what may stand around it; a megabyte is not drawn. */
const SHOWN = 120;

type Code = keyof ReturnType<typeof words>['unknown']['codes'];

export function UnknownText(props: { inspection: Inspection; text: string }) {
  /** What is wrong with it as a UUID; a text that is not nearly one is not told. */
  const faults = createMemo(() =>
    props.inspection.diagnosis === null ? [] : validateUuid(props.inspection.subject).errors,
  );
  const text = () => (faults().length > 0 ? props.inspection.subject : props.text.trim());
  const places = createMemo(() => new Set(faults().map(({ position }) => position)));
  const characters = createMemo(() => {
    const shown = text().slice(0, SHOWN).split('');
    // What is missing at the end is marked behind the last character.
    if (places().has(shown.length) && text().length <= SHOWN) shown.push('');
    return shown;
  });
  const fix = createMemo(() => safeFix(props.text));
  return (
    <>
      <p class={`id marked ${text().length > 37 ? 'long' : ''}`} data-testid="marked">
        <For each={characters()}>
          {(character, index) => (
            <Show when={places().has(index())} fallback={character}>
              <mark data-index={index()}>
                {character === '' || /\s/.test(character) ? '\u00a0' : character}
              </mark>
            </Show>
          )}
        </For>
        <Show when={text().length > SHOWN}>…</Show>
      </p>
      <p class="says" data-testid="says" role="alert">
        <b>{faults().length > 0 ? words().unknown.nearlyUuid : words().unknown.says}</b>
        <span class="more">
          {' · '}
          {words().unknown.characters(count(text().length))}
        </span>
      </p>
      <Show when={fix()}>
        {(fixed) => (
          <div class="actions">
            <button type="button" class="main" onClick={() => showGiven(fixed())}>
              {words().unknown.fix}
            </button>
            <span class="mono">{fixed()}</span>
          </div>
        )}
      </Show>
      <Show when={faults().length > 0}>
        <ul class="faults card">
          <For each={faults()}>
            {({ code, position }) => (
              <li>
                <code>{code}</code>
                {words().unknown.codes[code as Code] ?? code}
                <Show when={position !== undefined}> ({words().unknown.at(String(position))})</Show>
              </li>
            )}
          </For>
        </ul>
      </Show>
      <Show when={props.inspection.near.length > 0}>
        <section class="card">
          <h2>{words().unknown.near}</h2>
          <dl class="facts">
            <For each={props.inspection.near}>
              {({ title, problem }) => (
                <>
                  <dt>{title}</dt>
                  <dd>{messageText(problem)}</dd>
                </>
              )}
            </For>
          </dl>
        </section>
      </Show>
    </>
  );
}
