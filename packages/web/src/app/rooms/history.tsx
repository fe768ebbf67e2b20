// Room 9: what was made here, as this browser keeps it.
import { serializeHistory, type UuidHistoryItem } from 'kazahana/uuid';
import { createMemo, createSignal, Show } from 'solid-js';
import { count, words } from '../i18n/index.js';
import { MAX_ITEMS, searchHistory } from '../state/history.js';
import { clearHistory, dropBroken, forget, history, togglePin } from '../state/history-state.js';
import { show } from '../state/page-state.js';
import { CopyButton, saveText } from '../ui/copy.jsx';
import { Field } from '../ui/field.jsx';
import { Moment } from '../ui/moment.jsx';
import { Room } from '../ui/room.jsx';
import { Same } from '../ui/same.jsx';
import { VirtualTable } from '../ui/virtual-rows.jsx';
import { historySnippets } from './snippets.js';

const ROW_HEIGHT = 40;

function Item(props: { item: UuidHistoryItem }) {
  const isPinned = () => history().pinned.has(props.item.id);
  return (
    <tr class="tall">
      <td>
        <button
          type="button"
          class="plain mono"
          aria-label={`${words().history.inspect}: ${props.item.uuid}`}
          onClick={() => show(props.item.uuid)}
        >
          {props.item.uuid}
        </button>
      </td>
      <td>{props.item.version}</td>
      <td class="mono">
        <Moment unixMs={Date.parse(props.item.createdAt)} />
      </td>
      <td class="verbs">
        <CopyButton class="plain" text={() => props.item.uuid} name={`${words().copy}: ${props.item.uuid}`} />
        <button
          type="button"
          class="plain"
          aria-pressed={isPinned()}
          aria-label={`${words().history.pin}: ${props.item.uuid}`}
          onClick={() => togglePin(props.item)}
        >
          {isPinned() ? words().history.unpin : words().history.pin}
        </button>
        <button
          type="button"
          class="plain"
          aria-label={`${words().history.remove}: ${props.item.uuid}`}
          onClick={() => forget(props.item)}
        >
          {words().history.remove}
        </button>
      </td>
    </tr>
  );
}

export default function HistoryRoom() {
  const [search, setSearch] = createSignal('');
  const items = createMemo(() => searchHistory(history(), search()));
  const broken = () => history().broken;
  return (
    <Room name="history" lead={words().history.lead}>
      <Show when={broken() !== null}>
        <div role="alert">
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
      <div class="controls">
        <Field
          label={words().history.search}
          type="search"
          class="grow"
          value={search()}
          onInput={setSearch}
        />
        <div class="actions end">
          <button
            type="button"
            class="quiet"
            onClick={() =>
              saveText(serializeHistory([...items()]), 'kazahana-history.json', 'application/json')
            }
          >
            {words().history.export}
          </button>
          <button type="button" class="quiet" onClick={clearHistory}>
            {words().history.clear}
          </button>
        </div>
      </div>
      <Show
        when={items().length > 0}
        fallback={<p class="note">{search() === '' ? words().history.none : words().history.notFound}</p>}
      >
        <VirtualTable
          rows={items()}
          rowHeight={ROW_HEIGHT}
          label={words().history.table}
          head={
            <tr>
              <th scope="col">{words().history.id}</th>
              <th scope="col">{words().history.version}</th>
              <th scope="col">{words().history.made}</th>
              <td />
            </tr>
          }
          row={(item) => <Item item={item} />}
        />
      </Show>
      <p class="note">{words().history.capped(count(MAX_ITEMS))}</p>
      <Same {...historySnippets} />
    </Room>
  );
}
