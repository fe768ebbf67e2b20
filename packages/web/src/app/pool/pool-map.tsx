// The map of a pool: a canvas for the eye, a slider for keyboards and screen readers, a number to type. It is cropped to
// what is used, shows all on demand, and can be zoomed around the chosen machine ID.
import { createEffect, createMemo, createSignal, For, onCleanup, onMount, Show } from 'solid-js';
import { count, words } from '../i18n/index.js';
import { duration } from '../state/moments.js';
import { settings } from '../state/settings.js';
import { Choice } from '../ui/choice.jsx';
import { Field } from '../ui/field.jsx';
import { Moment } from '../ui/moment.jsx';
import { drawMap, mapHeight } from './draw-map.js';
import { croppedSlots, following, type MapPart, mapOf, moveBy, slotAt, zoomed } from './map-geometry.js';
import { leaseAt, type PoolSummary, type PoolView, stateOf } from './pool-state.js';

const CROPS = ['used', 'all'] as const;
const ZOOM_KEYS: Readonly<Record<string, 'in' | 'out'>> = { '+': 'in', '=': 'in', '-': 'out' };
/** In pixels: a phone. */
const NARROW = 500;

export function PoolMap(props: { view: PoolView; summary: PoolSummary; at: number }) {
  const [width, setWidth] = createSignal(800);
  const [selected, setSelected] = createSignal(0);
  const [crop, setCrop] = createSignal<(typeof CROPS)[number]>('used');
  /** What the reader zoomed to; the crop decides while there is none. */
  const [chosen, setChosen] = createSignal<MapPart>();
  const [dark, setDark] = createSignal(0);
  let frame: HTMLDivElement | undefined;
  let canvas: HTMLCanvasElement | undefined;
  const slots = () => props.view.pool.slots;
  const cropped = createMemo(() =>
    crop() === 'all' ? slots() : croppedSlots(Math.max(props.summary.usedSlots, selected() + 1), slots()),
  );
  const part = createMemo<MapPart>(() => {
    const zoom = chosen();
    return zoom ? following(zoom, selected(), slots()) : { from: 0, slots: cropped() };
  });
  const geometry = createMemo(() => mapOf(part(), width() < NARROW));
  const zoomTo = (direction: 'in' | 'out') => setChosen(zoomed(part(), direction, selected(), slots()));
  const canZoom = (direction: 'in' | 'out') =>
    zoomed(part(), direction, selected(), slots()).slots !== part().slots;

  onMount(() => {
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 800)));
    if (frame) observer.observe(frame);
    const scheme = matchMedia('(prefers-color-scheme: dark)');
    const onScheme = () => setDark((times) => times + 1);
    scheme.addEventListener('change', onScheme);
    onCleanup(() => {
      observer.disconnect();
      scheme.removeEventListener('change', onScheme);
    });
  });
  createEffect(() => {
    // Colours are read while drawing: these only say when to draw again.
    settings().theme;
    dark();
    if (canvas && width() > 0) {
      const { view, summary, at } = props;
      drawMap(canvas, width(), { view, summary, at, geometry: geometry(), selected: selected() });
    }
  });

  const lease = createMemo(() => leaseAt(props.view, selected(), props.at));
  const text = () => {
    const held = lease();
    const id = count(selected());
    if (!held) return words().pool.slotFree(id);
    return stateOf(held, props.at) === 'held'
      ? words().pool.slotHeld(id, held.serviceId, duration(held.expired - props.at))
      : words().pool.slotKept(id, held.serviceId);
  };
  const select = (slot: number | undefined) => {
    if (slot !== undefined && slot >= 0 && slot < slots()) setSelected(slot);
  };
  const onPointer = (event: PointerEvent & { currentTarget: HTMLElement }) => {
    const box = event.currentTarget.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    select(slotAt(geometry(), x / box.width, y / box.height));
  };

  return (
    <section class="card map-card" aria-labelledby="map-title">
      <div class="code-head">
        <h2 id="map-title">
          {words().pool.map} ·{' '}
          {words().pool.mapLead(count(part().from), count(part().from + part().slots - 1), count(slots()))}
        </h2>
        <div class="actions">
          <Choice
            label={words().pool.zoom}
            isBare
            names={CROPS}
            text={(name) => words().pool.zooms[name]}
            value={chosen() ? undefined : crop()}
            onChange={(name) => {
              setChosen(undefined);
              setCrop(name);
            }}
          />
          <For each={['out', 'in'] as const}>
            {(direction) => (
              <button
                type="button"
                class="quiet zoom"
                aria-label={words().pool.zoomBy[direction]}
                title={words().pool.zoomBy[direction]}
                disabled={!canZoom(direction)}
                onClick={() => zoomTo(direction)}
              >
                {direction === 'in' ? '+' : '−'}
              </button>
            )}
          </For>
        </div>
      </div>
      {/* biome-ignore lint/a11y/useFocusableInteractive: it is, in Solid's spelling */}
      <div
        ref={(element) => (frame = element)}
        class="map"
        role="slider"
        tabindex="0"
        aria-label={words().pool.map}
        aria-valuemin={0}
        aria-valuemax={slots() - 1}
        aria-valuenow={selected()}
        aria-valuetext={text()}
        data-testid="map"
        onPointerMove={onPointer}
        onPointerDown={onPointer}
        onKeyDown={(event) => {
          const direction = ZOOM_KEYS[event.key];
          if (direction && !event.ctrlKey && !event.metaKey) {
            event.preventDefault();
            zoomTo(direction);
            return;
          }
          const to = moveBy(event.key, selected(), slots(), geometry());
          if (to === undefined) return;
          event.preventDefault();
          select(to);
        }}
      >
        {/* biome-ignore lint/a11y/noAriaHiddenOnFocusable: the slider around it has the focus, and says what is drawn */}
        <canvas
          ref={(element) => (canvas = element)}
          style={{ height: `${mapHeight(width(), geometry())}px` }}
          aria-hidden="true"
        />
      </div>
      <div class="controls">
        <Field
          label={words().pool.slotNumber}
          class="short"
          type="number"
          min={0}
          max={slots() - 1}
          value={String(selected())}
          onInput={(typed) => select(/^\d+$/.test(typed) ? Number(typed) : undefined)}
        />
        <div class="slot" data-testid="slot">
          <p>{text()}</p>
          <Show when={lease()}>
            {(held) => (
              <p class="note">
                {Object.entries(held().holder)
                  .map(([name, value]) => `${name}: ${value} · `)
                  .join('')}
                {words().pool.created} <Moment unixMs={held().created} now={props.at} /> ·{' '}
                {words().pool.fallbackUntil} <Moment unixMs={held().fallbackUntil} now={props.at} />
              </p>
            )}
          </Show>
        </div>
      </div>
      <p class="note">
        {words().pool.neverLeased(count(slots()), count(2 * slots() - 1))}
        <Show when={geometry().perCell > 1}> {words().pool.each(count(geometry().perCell))}</Show>
      </p>
    </section>
  );
}
