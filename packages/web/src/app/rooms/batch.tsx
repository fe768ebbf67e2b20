// Room 4: the IDs in a log.
import { createEffect, createMemo, createSignal, For, on, onCleanup, Show } from 'solid-js';
import { count, words } from '../i18n/index.js';
import {
  arrange,
  type BatchRow,
  FILTERS,
  type Filter,
  type Batch as Found,
  MAX_ROWS,
  type SORTS,
  type Sort,
  toCsv,
  toNdjson,
} from '../state/batch.js';
import { environment } from '../state/environment.js';
import { batchText, setBatchText, show } from '../state/page-state.js';
import { announce } from '../ui/announce.jsx';
import { Choice } from '../ui/choice.jsx';
import { saveText } from '../ui/copy.jsx';
import { Moment } from '../ui/moment.jsx';
import { Room } from '../ui/room.jsx';
import { Same } from '../ui/same.jsx';
import { SortHead } from '../ui/sort-head.jsx';
import { VirtualTable } from '../ui/virtual-rows.jsx';
import { titleOf } from './inspect.jsx';
import { batchSnippets } from './snippets.js';

const ROW_HEIGHT = 40;
/** More than this is not put into the text field, where drawing it would block the page; it is read all the same. */
const MAX_IN_FIELD = 200_000;

function createReader() {
  const worker = new Worker(new URL('../worker/batch-worker.ts', import.meta.url), { type: 'module' });
  onCleanup(() => worker.terminate());
  const [found, setFound] = createSignal<Found>();
  const [isBusy, setIsBusy] = createSignal(false);
  let asked = 0;
  worker.addEventListener('message', ({ data }: MessageEvent<{ number: number; batch: Found }>) => {
    // An answer to an older text is late.
    if (data.number !== asked) return;
    setFound(data.batch);
    setIsBusy(false);
    announce(words().batch.found(count(data.batch.found)));
  });
  const read = (text: string) => {
    asked++;
    if (text.trim() === '') {
      setFound(undefined);
      setIsBusy(false);
      return;
    }
    setIsBusy(true);
    worker.postMessage({ number: asked, text, now: environment.now() });
  };
  return { found, isBusy, read };
}

function Row(props: { of: BatchRow }) {
  return (
    <tr class="tall" aria-rowindex={props.of.number + 1}>
      <td class="mono">{props.of.line}</td>
      <td>
        <button type="button" class="plain mono" onClick={() => show(props.of.text)}>
          {props.of.text}
        </button>
      </td>
      <td>
        {props.of.as === null ? words().batch.unread : titleOf({ as: props.of.as, title: props.of.title })}
      </td>
      <td class="mono">
        <Show when={props.of.unixMs !== null}>
          <Moment unixMs={props.of.unixMs ?? 0} />
        </Show>
      </td>
      <td class="warm">
        {[props.of.isRepeat && words().batch.repeat, props.of.isBreak && words().batch.break]
          .filter((remark) => remark !== false)
          .join(', ')}
      </td>
    </tr>
  );
}

export default function Batch() {
  const { found, isBusy, read } = createReader();
  const [sort, setSort] = createSignal<Sort>('number');
  const [isDescending, setIsDescending] = createSignal(false);
  const [filter, setFilter] = createSignal<Filter>('all');
  const rows = createMemo(() => arrange(found()?.rows ?? [], sort(), isDescending(), filter()));
  createEffect(on(batchText, read));

  const sortBy = (wanted: Sort) => {
    setIsDescending(sort() === wanted && !isDescending());
    setSort(wanted);
  };
  const heads: Readonly<Record<Sort, () => string>> = {
    number: () => words().batch.line,
    id: () => words().batch.id,
    kind: () => words().batch.kind,
    time: () => words().batch.made,
  };
  const order: readonly Sort[] = ['number', 'id', 'kind', 'time'] satisfies (typeof SORTS)[number][];
  const summary = (batch: Found) =>
    [
      words().batch.found(count(batch.found)),
      ...(batch.found > MAX_ROWS ? [words().batch.shown(count(MAX_ROWS))] : []),
    ].join(', ');

  return (
    <Room name="batch" lead={words().batch.lead}>
      <label class="field">
        <span>{words().batch.text}</span>
        <textarea
          class="mono log"
          rows="4"
          spellcheck={false}
          value={batchText().slice(0, MAX_IN_FIELD)}
          onInput={(event) => setBatchText(event.currentTarget.value)}
          onPaste={(event) => {
            const text = event.clipboardData?.getData('text') ?? '';
            if (text.length <= MAX_IN_FIELD) return;
            event.preventDefault();
            setBatchText(text);
          }}
        />
      </label>
      <Show when={!isBusy()} fallback={<p class="note">{words().batch.busy}</p>}>
        <Show when={found()} fallback={<p class="note">{words().batch.none}</p>}>
          {(batch) => (
            <>
              <p data-testid="batch-summary">
                {summary(batch())}
                {' · '}
                <span classList={{ warm: batch().repeats > 0 }}>
                  {words().batch.repeats(count(batch().repeats))}
                </span>
                {' · '}
                <span classList={{ warm: batch().breaks > 0 }}>
                  {words().batch.breaks(count(batch().breaks))}
                </span>
              </p>
              <div class="controls">
                <Choice
                  label={words().batch.filter}
                  names={FILTERS}
                  text={(name) => words().batch.filters[name]}
                  value={filter()}
                  onChange={setFilter}
                />
                <div class="actions end">
                  <button
                    type="button"
                    class="quiet"
                    onClick={() => saveText(toCsv(rows()), 'ids.csv', 'text/csv')}
                  >
                    CSV
                  </button>
                  <button
                    type="button"
                    class="quiet"
                    onClick={() => saveText(toNdjson(rows()), 'ids.ndjson', 'application/x-ndjson')}
                  >
                    NDJSON
                  </button>
                  <button type="button" class="quiet" onClick={() => setBatchText('')}>
                    {words().clear}
                  </button>
                </div>
              </div>
              <VirtualTable
                rows={rows()}
                rowHeight={ROW_HEIGHT}
                label={words().batch.table}
                head={
                  <tr>
                    <For each={order}>
                      {(name) => (
                        <SortHead
                          label={heads[name]()}
                          isSorted={sort() === name}
                          isDescending={isDescending()}
                          onSort={() => sortBy(name)}
                        />
                      )}
                    </For>
                    <th scope="col">{words().batch.remark}</th>
                  </tr>
                }
                row={(row) => <Row of={row} />}
              />
            </>
          )}
        </Show>
      </Show>
      <Same {...batchSnippets} />
    </Room>
  );
}
