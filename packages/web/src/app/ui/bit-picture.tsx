// The bit picture: fields by colour, pattern and label, hex above, each bit a switch. The table below it says the same.
import { createMemo, createSignal, createUniqueId, For, onCleanup, onMount } from 'solid-js';
import { words } from '../i18n/index.js';
import { type Drawing, hexOf, toDigits } from '../state/drawing.js';
import { CELL, columnsFor, geometryOf } from './bit-geometry.js';
import { Patterns, patternOf } from './bit-patterns.jsx';

type Range = readonly [from: number, to: number] | undefined;

export function BitPicture(props: {
  drawing: Drawing;
  title: string;
  lit: Range;
  onLit: (range: Range) => void;
  onFlip: (index: number) => void;
}) {
  const id = createUniqueId();
  const [pixels, setPixels] = createSignal(800);
  const [active, setActive] = createSignal(0);
  let frame: HTMLDivElement | undefined;
  let picture: SVGSVGElement | undefined;

  onMount(() => {
    const observer = new ResizeObserver(([entry]) => setPixels(entry?.contentRect.width ?? 800));
    if (frame) observer.observe(frame);
    onCleanup(() => observer.disconnect());
  });

  const bits = createMemo(() => props.drawing.bits);
  const digits = createMemo(() => toDigits(props.drawing.value, bits()));
  const hex = createMemo(() => hexOf(props.drawing.value, bits()));
  const columns = createMemo(() => columnsFor(pixels(), bits()));
  /** Redrawn only when the layout changes, not with every flipped bit. */
  const shape = createMemo(() => geometryOf(props.drawing.fields, bits(), columns()), undefined, {
    equals: (a, b) => JSON.stringify(a) === JSON.stringify(b),
  });
  const fieldAt = (index: number) =>
    props.drawing.fields.find(({ offset, bits: width }) => index >= offset && index < offset + width);
  const isLit = (from: number, to: number) =>
    props.lit !== undefined && from < props.lit[1] && to > props.lit[0];

  const move = (to: number) => {
    const index = Math.max(0, Math.min(bits() - 1, to));
    setActive(index);
    picture?.querySelector<SVGGElement>(`[data-bit="${index}"]`)?.focus();
  };
  /** The bit that an event is about; one listener for all of them, since there are 128. */
  const bitOf = ({ target }: Event): number | undefined => {
    const bit = target instanceof Element ? target.closest('[data-bit]')?.getAttribute('data-bit') : null;
    return bit === null || bit === undefined ? undefined : Number(bit);
  };
  /** The bits of the digit or the bit that an event is about. */
  const rangeOf = (event: Event): Range => {
    const bit = bitOf(event);
    if (bit !== undefined) return [bit, bit + 1];
    const digit = event.target instanceof Element ? event.target.getAttribute('data-hex') : null;
    const place = digit === null ? undefined : shape().hex[Number(digit)];
    return place && [place.from, place.to];
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const index = bitOf(event);
    if (index === undefined) return;
    const steps: Readonly<Record<string, number>> = {
      ArrowLeft: index - 1,
      ArrowRight: index + 1,
      ArrowUp: index - columns(),
      ArrowDown: index + columns(),
      Home: 0,
      End: bits() - 1,
    };
    const to = steps[event.key];
    if (to !== undefined) move(to);
    else if (event.key === ' ' || event.key === 'Enter') props.onFlip(index);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <div class="picture" ref={(element) => (frame = element)}>
      {/* biome-ignore lint/a11y/useSemanticElements: an SVG has no fieldset */}
      <svg
        ref={(element) => (picture = element)}
        viewBox={`0 0 ${shape().width} ${shape().height}`}
        style={{ 'max-width': `${shape().width * 1.1}px` }}
        role="group"
        aria-label={words().bits.picture(props.title, String(bits()))}
        data-testid="picture"
        onClick={(event) => {
          const index = bitOf(event);
          if (index === undefined) return;
          setActive(index);
          props.onFlip(index);
        }}
        onKeyDown={onKeyDown}
        onFocusIn={(event) => props.onLit(rangeOf(event))}
        onFocusOut={() => props.onLit(undefined)}
        onPointerOver={(event) => props.onLit(rangeOf(event))}
        onPointerLeave={() => props.onLit(undefined)}
      >
        <Patterns id={id} />
        <For each={shape().pieces}>
          {(piece) => (
            <g
              class={`field-${piece.field % 6}`}
              classList={{ wrong: props.drawing.fields[piece.field]?.inRange === false }}
            >
              <rect
                class="piece"
                x={piece.x + 1}
                y={piece.y}
                width={piece.width - 2}
                height={CELL.height}
                rx="3"
              />
              <rect
                x={piece.x + 1}
                y={piece.y}
                width={piece.width - 2}
                height={CELL.height}
                rx="3"
                fill={patternOf(id, piece.field)}
              />
            </g>
          )}
        </For>
        <For each={shape().labels}>
          {(label) => (
            // biome-ignore lint/a11y/noAriaHiddenOnFocusable: text of a picture has no focus; the table says it
            <text
              class="label"
              classList={{ wrong: props.drawing.fields[label.field]?.inRange === false }}
              x={label.x}
              y={label.y}
              aria-hidden="true"
            >
              {label.text}
            </text>
          )}
        </For>
        <For each={shape().hex}>
          {(digit, index) => (
            // biome-ignore lint/a11y/noAriaHiddenOnFocusable: text of a picture has no focus; the bits say it
            <text
              class="hex"
              classList={{ lit: isLit(digit.from, digit.to) }}
              x={digit.x}
              y={digit.y}
              aria-hidden="true"
              data-hex={index()}
            >
              {hex()[index()]}
            </text>
          )}
        </For>
        <For each={shape().bits}>
          {(place, index) => (
            <g
              class="bit"
              classList={{ lit: isLit(index(), index() + 1), on: digits()[index()] === '1' }}
              role="switch"
              data-bit={index()}
              tabindex={active() === index() ? 0 : -1}
              aria-checked={digits()[index()] === '1'}
              aria-label={words().bits.bit(String(index()), fieldAt(index())?.name ?? '')}
            >
              <rect x={place.x} y={place.y} width={CELL.width} height={CELL.height} rx="3" />
              <text x={place.x + CELL.width / 2} y={place.y + 20}>
                {digits()[index()]}
              </text>
            </g>
          )}
        </For>
      </svg>
    </div>
  );
}
