// The one table of IDs: made here, found in a log, or remembered. Sorted, filtered, searched, saved.
import { createMemo, createSignal, For, type JSX, Show } from 'solid-js';
import { count, words } from '../i18n/index.js';
import { showGiven } from '../state/subject.js';
import { Choice } from '../ui/choice.jsx';
import { saveText } from '../ui/copy.jsx';
import { Field } from '../ui/field.jsx';
import { Moment } from '../ui/moment.jsx';
import { isNarrow } from '../ui/narrow.js';
import { SortHead } from '../ui/sort-head.jsx';
import { VirtualTable } from '../ui/virtual-rows.jsx';
import {
  arrange,
  FILTERS,
  type Filter,
  type IdRow,
  type IdRows,
  SORTS,
  type Sort,
  toCsv,
  toNdjson,
} from './id-rows.js';

const ROW_HEIGHT = 34;
/** On a phone: the ID, and below it what is known of it. */
const TWO_LINES = 56;

export function IdTable(props: {
  found: IdRows;
  /** How a row's ID is written; as it was found when left out. */
  write?: (row: IdRow) => string;
  /** What can be done with a row. */
  verbs?: (row: IdRow) => JSX.Element;
  /** The rows that stand first, whatever the order. */
  isFirst?: (row: IdRow) => boolean;
  isNewestFirst?: boolean;
  /** What can be done with all rows. */
  actions?: JSX.Element;
}) {
  const [sort, setSort] = createSignal<Sort>('number');
  const [isDescending, setIsDescending] = createSignal(props.isNewestFirst ?? false);
  const [filter, setFilter] = createSignal<Filter>('all');
  const [search, setSearch] = createSignal('');
  const rows = createMemo(() => {
    const arranged = arrange(props.found.rows, {
      sort: sort(),
      isDescending: isDescending(),
      filter: filter(),
      search: search(),
    });
    const isFirst = props.isFirst;
    return isFirst ? [...arranged.filter(isFirst), ...arranged.filter((row) => !isFirst(row))] : arranged;
  });
  const sortBy = (wanted: Sort) => {
    setIsDescending(sort() === wanted && !isDescending());
    setSort(wanted);
  };
  const remark = ({ isRepeat, isBreak }: IdRow) =>
    [isRepeat && words().table.repeat, isBreak && words().table.break].filter(Boolean).join(', ');
  const actions = () => (
    <div class="actions end">
      <button type="button" class="quiet" onClick={() => saveText(toCsv(rows()), 'ids.csv', 'text/csv')}>
        CSV
      </button>
      <button
        type="button"
        class="quiet"
        onClick={() => saveText(toNdjson(rows()), 'ids.ndjson', 'application/x-ndjson')}
      >
        NDJSON
      </button>
      {props.actions}
    </div>
  );
  return (
    <>
      <div class="controls table-controls">
        <p class="summary num" data-testid="summary">
          {words().table.found(count(props.found.found))}
          <Show when={props.found.found > props.found.rows.length}>
            {', '}
            {words().table.shown(count(props.found.rows.length))}
          </Show>
          {' · '}
          <span classList={{ warm: props.found.repeats > 0 }}>
            {words().table.repeats(count(props.found.repeats))}
          </span>
          {' · '}
          <span classList={{ warm: props.found.breaks > 0 }}>
            {words().table.breaks(count(props.found.breaks))}
          </span>
        </p>
        <Choice
          label={words().table.filter}
          isBare
          names={FILTERS}
          text={(name) => words().table.filters[name]}
          value={filter()}
          onChange={setFilter}
        />
        <Field label={words().table.search} isBare type="search" value={search()} onInput={setSearch} />
        <Show when={!isNarrow()}>{actions()}</Show>
      </div>
      <VirtualTable
        rows={rows()}
        class={props.verbs ? 'ids with-verbs' : 'ids'}
        rowHeight={isNarrow() ? TWO_LINES : ROW_HEIGHT}
        label={words().table.label}
        head={
          <tr>
            <For each={SORTS}>
              {(name) => (
                <SortHead
                  label={words().table.heads[name]}
                  isSorted={sort() === name}
                  isDescending={isDescending()}
                  onSort={() => sortBy(name)}
                />
              )}
            </For>
            <th scope="col" class="remark">
              {words().table.remark}
            </th>
            <Show when={props.verbs}>
              <td />
            </Show>
          </tr>
        }
        row={(row) => (
          <tr class="tall" aria-rowindex={row.number + 1}>
            <td class="mono line">{row.line}</td>
            <td class="of-id">
              <button
                type="button"
                class="plain mono"
                title={words().table.read}
                onClick={() => showGiven(row.text)}
              >
                {props.write ? props.write(row) : row.text}
              </button>
            </td>
            <td class="kind">
              {row.certainty === null ? words().table.unread : words().says.what[row.certainty](row.title)}
            </td>
            <td class="mono time">
              <Show when={row.unixMs !== null}>
                <Moment unixMs={row.unixMs ?? 0} />
              </Show>
            </td>
            <td class="warm remark">{remark(row)}</td>
            <Show when={props.verbs}>{(verbs) => <td class="verbs">{verbs()(row)}</td>}</Show>
          </tr>
        )}
      />
      {/* On a phone the table comes first, and what can be done with it after it. */}
      <Show when={isNarrow()}>{actions()}</Show>
    </>
  );
}
