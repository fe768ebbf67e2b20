// The leases of a pool as a table: the same data as the map, sortable.
import type { InspectedLease } from 'kazahana/lease';
import { createMemo, createSignal, For } from 'solid-js';
import { count, words } from '../i18n/index.js';
import { Moment } from '../ui/moment.jsx';
import { SortHead } from '../ui/sort-head.jsx';
import { VirtualTable } from '../ui/virtual-rows.jsx';
import { type PoolView, stateOf } from './pool-state.js';

const ROW_HEIGHT = 34;
const COLUMNS = ['id', 'serviceId', 'holder', 'created', 'expired'] as const;
type Column = (typeof COLUMNS)[number];

const holderText = ({ holder }: InspectedLease) => Object.values(holder).join(' · ');

const VALUES: Readonly<Record<Column, (lease: InspectedLease) => number | string>> = {
  id: ({ id }) => id,
  serviceId: ({ serviceId }) => serviceId,
  holder: holderText,
  created: ({ created }) => created,
  expired: ({ expired }) => expired,
};

export function PoolTable(props: { view: PoolView; at: number }) {
  const [column, setColumn] = createSignal<Column>('id');
  const [isDescending, setIsDescending] = createSignal(false);
  const heads: Readonly<Record<Column, () => string>> = {
    id: () => words().pool.slotNumber,
    serviceId: () => words().pool.service,
    holder: () => words().pool.holder,
    created: () => words().pool.created,
    expired: () => words().pool.expired,
  };
  const rows = createMemo(() => {
    const value = VALUES[column()];
    const sorted = [...props.view.leases].sort((a, b) => {
      const [first, second] = [value(a), value(b)];
      return first < second ? -1 : first > second ? 1 : a.id - b.id;
    });
    return isDescending() ? sorted.reverse() : sorted;
  });
  const sortBy = (wanted: Column) => {
    setIsDescending(column() === wanted && !isDescending());
    setColumn(wanted);
  };
  return (
    <details>
      <summary>
        {words().pool.table} ({count(props.view.leases.length)})
      </summary>
      <VirtualTable
        rows={rows()}
        rowHeight={ROW_HEIGHT}
        label={words().pool.table}
        head={
          <tr>
            <For each={COLUMNS}>
              {(name) => (
                <SortHead
                  label={heads[name]()}
                  isSorted={column() === name}
                  isDescending={isDescending()}
                  onSort={() => sortBy(name)}
                />
              )}
            </For>
          </tr>
        }
        row={(lease) => (
          <tr class="tall">
            <td class="mono">{lease.id}</td>
            <td>{lease.serviceId}</td>
            <td>{holderText(lease)}</td>
            <td class="mono">
              <Moment unixMs={lease.created} now={props.at} />
            </td>
            <td class="mono" classList={{ warm: stateOf(lease, props.at) === 'kept' }}>
              <Moment unixMs={lease.expired} now={props.at} />
            </td>
          </tr>
        )}
      />
    </details>
  );
}
