// Beside the answer: what else it could be, its other forms, and code.
import type { Reading } from 'kazahana/inspect';
import { createSignal, For, Show } from 'solid-js';
import { messageText, words } from '../i18n/index.js';
import { environment } from '../state/environment.js';
import { recogniser } from '../state/recogniser.js';
import { serverUrl } from '../state/server.js';
import { inspectSnippets } from '../state/snippets.js';
import { readAs, subject } from '../state/subject.js';
import { CodeTabs } from '../ui/code-tabs.jsx';
import { copyText } from '../ui/copy.jsx';

const SHOWN_READINGS = 5;
const SHOWN_FORMS = 6;
const COPIED_MS = 1500;
/** Of `2016-04-30`. */
const DATE_LENGTH = 10;

function Readings(props: { others: readonly Reading[] }) {
  const [isAll, setIsAll] = createSignal(false);
  const others = () => props.others;
  return (
    <section class="card" aria-labelledby="readings">
      <h2 id="readings">{words().rail.readings}</h2>
      <Show when={others().length === 0}>
        <p class="note">{words().rail.onlyReading}</p>
      </Show>
      <For each={others().slice(0, isAll() ? undefined : SHOWN_READINGS)}>
        {(other) => (
          <button
            type="button"
            class="row"
            title={`${messageText(other.reason)}${other.time ? ` ${other.time.iso}` : ''}`}
            onClick={() => readAs(other.format)}
          >
            <span>{other.title}</span>
            {/* Which of them it is, its time tells best. What could be is possible; more or less than that is said. */}
            <Show when={other.certainty === 'possible' && other.time}>
              {(time) => <span class="mono note">{time().iso.slice(0, DATE_LENGTH)}</span>}
            </Show>
            <Show when={other.certainty !== 'possible' || !other.time}>
              <span class={`sure ${other.certainty}`}>{words().certainty[other.certainty]}</span>
            </Show>
          </button>
        )}
      </For>
      <Show when={others().length > SHOWN_READINGS && !isAll()}>
        <button type="button" class="plain" onClick={() => setIsAll(true)}>
          {words().rail.more(String(others().length - SHOWN_READINGS))}
        </button>
      </Show>
      <label class="field">
        <span class="unseen">{words().rail.readAs}</span>
        <select
          value=""
          onChange={(event) => {
            if (event.currentTarget.value !== '') readAs(event.currentTarget.value);
            event.currentTarget.value = '';
          }}
        >
          <option value="">{words().rail.readAs} …</option>
          <For each={recogniser()?.FORMATS}>{({ name, title }) => <option value={name}>{title}</option>}</For>
        </select>
      </label>
    </section>
  );
}

function Forms(props: { reading: Reading }) {
  const [copied, setCopied] = createSignal('');
  const [isAll, setIsAll] = createSignal(false);
  const copy = async (name: string, text: string) => {
    if (!(await copyText(text))) return;
    setCopied(name);
    await environment.sleep(COPIED_MS);
    setCopied((current) => (current === name ? '' : current));
  };
  return (
    <section class="card" aria-labelledby="forms">
      <h2 id="forms">{words().rail.forms}</h2>
      <For each={props.reading.forms.slice(0, isAll() ? undefined : SHOWN_FORMS)}>
        {({ name, text }) => (
          <button type="button" class="row form" title={text} onClick={() => void copy(name, text)}>
            <span>{name}</span>
            <span class="mono">{copied() === name ? words().copied : text}</span>
          </button>
        )}
      </For>
      <Show when={props.reading.forms.length > SHOWN_FORMS && !isAll()}>
        <button type="button" class="plain" onClick={() => setIsAll(true)}>
          {words().rail.more(String(props.reading.forms.length - SHOWN_FORMS))}
        </button>
      </Show>
    </section>
  );
}

export function Rail(props: { reading: Reading | undefined; others: readonly Reading[] }) {
  return (
    <aside class="rail" aria-label={words().rail.label}>
      <Show when={props.reading !== undefined || props.others.length > 0}>
        <Readings others={props.others} />
      </Show>
      <Show when={props.reading}>
        {(read) => (
          <Show when={read().forms.length > 0}>
            <Forms reading={read()} />
          </Show>
        )}
      </Show>
      <CodeTabs {...inspectSnippets(subject().text.trim(), props.reading?.format, serverUrl())} />
    </aside>
  );
}
