// What was made here, as this browser keeps it.
import { serializeHistory, type UuidHistoryItem } from 'kazahana/uuid';
import { createEffect, on, Show } from 'solid-js';
import { count, words } from '../i18n/index.js';
import { inOrder, MAX_ITEMS, pinnedFirst } from '../state/history.js';
import { clearHistory, dropBroken, forget, history, togglePin } from '../state/history-state.js';
import { historySnippets } from '../state/snippets.js';
import { CodeTabs } from '../ui/code-tabs.jsx';
import { CopyButton, saveText } from '../ui/copy.jsx';
import { RouteHead } from '../ui/route-head.jsx';
import type { IdRow } from './id-rows.js';
import { IdTable } from './id-table.jsx';
import { createRowReader } from './row-reader.js';

const itemOf = ({ text }: IdRow) => history().items.find(({ uuid }) => uuid === text);
const isPinned = (row: IdRow) => history().pinned.has(itemOf(row)?.id ?? '');

function Verbs(props: { row: IdRow }) {
  const change = (work: (item: UuidHistoryItem) => void) => {
    const item = itemOf(props.row);
    if (item) work(item);
  };
  return (
    <>
      <CopyButton
        class="plain wide-only"
        text={() => props.row.text}
        name={`${words().copy}: ${props.row.text}`}
      />
      <button
        type="button"
        class="plain"
        aria-pressed={isPinned(props.row)}
        aria-label={`${words().history.pin}: ${props.row.text}`}
        onClick={() => change(togglePin)}
      >
        {isPinned(props.row) ? words().history.unpin : words().history.pin}
      </button>
      <button
        type="button"
        class="plain"
        aria-label={`${words().history.remove}: ${props.row.text}`}
        onClick={() => change(forget)}
      >
        {words().history.remove}
      </button>
    </>
  );
}

export default function HistoryOfIds() {
  const { found, read } = createRowReader();
  // Read in the order in which they were made. IDs of one moment are as good as made at once, and have no order.
  createEffect(on(history, ({ items }) => read(inOrder(items).join('\n'))));
  const broken = () => history().broken;
  return (
    <>
      <RouteHead part="many/history" />
      <div class="section">
        <Show when={broken() !== null}>
          <div role="alert" class="card">
            <p class="warm">{words().history.broken}</p>
            <div class="actions">
              <button
                type="button"
                class="quiet"
                onClick={() => saveText(broken() ?? '', 'kazahana-history-broken.txt', 'text/plain')}
              >
                {words().history.saveBroken}
              </button>
              <button type="button" class="quiet" onClick={dropBroken}>
                {words().history.dropBroken}
              </button>
            </div>
          </div>
        </Show>
        <Show when={!history().isStored}>
          <p class="warm" role="alert">
            {words().history.notStored}
          </p>
        </Show>
        <Show when={history().items.length > 0} fallback={<p class="note">{words().history.none}</p>}>
          <IdTable
            found={found()}
            isFirst={isPinned}
            isNewestFirst
            verbs={(row) => <Verbs row={row} />}
            actions={
              <>
                <button
                  type="button"
                  class="quiet"
                  onClick={() =>
                    saveText(
                      serializeHistory(pinnedFirst(history())),
                      'kazahana-history.json',
                      'application/json',
                    )
                  }
                >
                  {words().history.export}
                </button>
                <button type="button" class="quiet" onClick={clearHistory}>
                  {words().history.clear}
                </button>
              </>
            }
          />
        </Show>
        <p class="note">{words().history.kept(count(MAX_ITEMS))}</p>
        <CodeTabs {...historySnippets} />
      </div>
    </>
  );
}
