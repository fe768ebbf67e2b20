// The IDs in a log: pasted, dropped, or typed.
import { createEffect, on, Show } from 'solid-js';
import { count, words } from '../i18n/index.js';
import { logText, setLogText } from '../state/log-text.js';
import { logSnippets } from '../state/snippets.js';
import { announce } from '../ui/announce.jsx';
import { CodeTabs } from '../ui/code-tabs.jsx';
import { RouteHead } from '../ui/route-head.jsx';
import { IdTable } from './id-table.jsx';
import { createRowReader } from './row-reader.js';

/** More than this is not put into the text field, where drawing it would block the page; it is read all the same. */
const MAX_IN_FIELD = 200_000;

export default function Log() {
  const { found, isBusy, read } = createRowReader((rows) => announce(words().table.found(count(rows.found))));
  createEffect(on(logText, read));
  return (
    <>
      <RouteHead part="many/log" />
      <div class="section">
        <label class="field">
          <span>{words().log.text}</span>
          <textarea
            class="mono log"
            rows="5"
            spellcheck={false}
            value={logText().slice(0, MAX_IN_FIELD)}
            onInput={(event) => setLogText(event.currentTarget.value)}
            onPaste={(event) => {
              const text = event.clipboardData?.getData('text') ?? '';
              if (text.length <= MAX_IN_FIELD) return;
              event.preventDefault();
              setLogText(text);
            }}
          />
        </label>
        <Show when={logText().length > MAX_IN_FIELD}>
          <p class="note">{words().log.cut(count(MAX_IN_FIELD), count(logText().length))}</p>
        </Show>
        <Show when={!isBusy()} fallback={<p class="note">{words().log.busy}</p>}>
          <Show when={logText().trim() !== ''} fallback={<p class="note">{words().log.none}</p>}>
            <IdTable
              found={found()}
              actions={
                <button type="button" class="quiet" onClick={() => setLogText('')}>
                  {words().log.clear}
                </button>
              }
            />
          </Show>
        </Show>
        <CodeTabs {...logSnippets} />
      </div>
    </>
  );
}
