// 64 bits as a bar of four parts. The dividers between them are dragged, or moved by arrows.
import type { IdLayout } from 'kazahana/layout';
import { For, Show } from 'solid-js';
import { words } from '../i18n/index.js';
import { DIVIDERS, type Divider, moveDivider, PARTS, placeOf } from './dividers.js';

const ROLES = { bitReserve: 'version', bitTs: 'time', bitId: 'machine', bitSeq: 'sequence' } as const;
const KEYS: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowDown: -1,
  ArrowRight: 1,
  ArrowUp: 1,
  PageDown: -4,
  PageUp: 4,
  Home: -64,
  End: 64,
};

export function LayoutBar(props: { layout: IdLayout; onChange: (layout: IdLayout) => void }) {
  let bar: HTMLDivElement | undefined;
  const move = (divider: Divider, by: number) => {
    if (by !== 0) props.onChange(moveDivider(props.layout, divider, by));
  };
  const drag = (divider: Divider, event: PointerEvent) => {
    if (!bar || !(event.currentTarget as Element).hasPointerCapture(event.pointerId)) return;
    const { left, width } = bar.getBoundingClientRect();
    move(divider, Math.round(((event.clientX - left) / width) * 64) - placeOf(props.layout, divider));
  };
  const partName = (index: number) => words().layout.parts[PARTS[index] ?? 'bitTs'];
  return (
    <div class="layout-bar" ref={(element) => (bar = element)}>
      <For each={PARTS}>
        {(part) => (
          <span
            class={`part role-${ROLES[part]}`}
            classList={{
              narrow: props.layout[part] < 5,
              tight: props.layout[part] < 12,
              sliver: props.layout[part] < 3,
            }}
            style={{ width: `${(props.layout[part] / 64) * 100}%` }}
            data-part={part}
          >
            <Show when={props.layout[part] >= 5}>
              <span class="name">{words().layout.parts[part]}</span>
            </Show>
            <b>{props.layout[part]}</b>
          </span>
        )}
      </For>
      <For each={DIVIDERS}>
        {(divider) => (
          // biome-ignore lint/a11y/useFocusableInteractive: it is, in Solid's spelling
          <span
            class="divider"
            role="slider"
            tabindex="0"
            aria-label={words().layout.divider(partName(divider), partName(divider + 1))}
            aria-valuemin={1}
            aria-valuemax={63}
            aria-valuenow={placeOf(props.layout, divider)}
            aria-valuetext={words().layout.dividerValue(
              partName(divider),
              String(props.layout[PARTS[divider] ?? 'bitTs']),
              partName(divider + 1),
              String(props.layout[PARTS[divider + 1] ?? 'bitTs']),
            )}
            style={{ left: `${(placeOf(props.layout, divider) / 64) * 100}%` }}
            data-divider={divider}
            onPointerDown={(event) => {
              event.currentTarget.setPointerCapture(event.pointerId);
              event.currentTarget.focus();
              event.preventDefault();
            }}
            onPointerMove={(event) => drag(divider, event)}
            onKeyDown={(event) => {
              const by = KEYS[event.key];
              if (by === undefined) return;
              event.preventDefault();
              move(divider, by);
            }}
          />
        )}
      </For>
    </div>
  );
}
