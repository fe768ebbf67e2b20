// The rows of a long table: only those in view are drawn. Rows have one height, so places need no measuring.
import { createMemo, createSignal, For, type JSX, onCleanup, onMount } from 'solid-js';

const MARGIN_ROWS = 8;

export function VirtualTable<Row>(props: {
  rows: readonly Row[];
  rowHeight: number;
  label: string;
  class?: string;
  head: JSX.Element;
  row: (row: Row) => JSX.Element;
}) {
  const [top, setTop] = createSignal(0);
  const [height, setHeight] = createSignal(480);
  let frame: HTMLElement | undefined;
  onMount(() => {
    const observer = new ResizeObserver(([entry]) => setHeight(entry?.contentRect.height ?? 480));
    if (frame) observer.observe(frame);
    onCleanup(() => observer.disconnect());
  });
  const first = createMemo(() => {
    const last = Math.max(0, props.rows.length - Math.ceil(height() / props.rowHeight));
    return Math.max(0, Math.min(last, Math.floor(top() / props.rowHeight)) - MARGIN_ROWS);
  });
  // The rows themselves, so that one that stays in view stays in the page, and keeps the focus.
  const shown = createMemo(() =>
    props.rows.slice(first(), first() + Math.ceil(height() / props.rowHeight) + 2 * MARGIN_ROWS),
  );
  const after = () => Math.max(0, props.rows.length - first() - shown().length) * props.rowHeight;
  return (
    <section
      class={`scroll rows ${props.class ?? ''}`}
      ref={(element) => (frame = element)}
      tabindex="0"
      aria-label={props.label}
      onScroll={(event) => setTop(event.currentTarget.scrollTop)}
    >
      <table aria-rowcount={props.rows.length + 1}>
        <thead>{props.head}</thead>
        <tbody>
          <tr class="spacer" style={{ height: `${first() * props.rowHeight}px` }} />
          <For each={shown()}>{(row) => props.row(row)}</For>
          <tr class="spacer" style={{ height: `${after()}px` }} />
        </tbody>
      </table>
    </section>
  );
}
