// The bit picture: fields by colour and label, hexadecimal digits above, each bit a switch. The table below it says the same.
import type { ReadingField } from 'kazahana/inspect';
import { createMemo, createSignal, For, onCleanup, onMount } from 'solid-js';
import { words } from '../i18n/index.js';
import { type Bits, hexOf, toDigits } from './bit-digits.js';
import { CELL, columnsFor, geometryOf } from './bit-geometry.js';

type Range = readonly [from: number, to: number] | undefined;

export function BitPicture(props: {
  drawing: Bits;
  title: string;
  lit: Range;
  onLit: (range: Range) => void;
  /** Bits can be flipped when it is given. */
  onFlip?: ((index: number) => void) | undefined;
  /** Bits that differ from those of another ID. */
  differing?: bigint;
}) {
  const [pixels, setPixels] = createSignal(800);
  const [active, setActive] = createSignal(0);
  let frame: HTMLDivElement | undefined;
  let picture: SVGSVGElement | undefined;

  onMount(() => {
    if (!frame) return;
    setPixels(frame.clientWidth || 800);
    const observer = new ResizeObserver(([entry]) => setPixels(entry?.contentRect.width ?? 800));
    observer.observe(frame);
    onCleanup(() => observer.disconnect());
  });

  const bits = createMemo(() => props.drawing.bits);
  const digits = createMemo(() => toDigits(props.drawing.value, bits()));
  const differing = createMemo(() => toDigits(props.differing ?? 0n, bits()));
  const hex = createMemo(() => hexOf(props.drawing.value, bits()));
  const columns = createMemo(() => columnsFor(pixels(), bits()));
  /** Redrawn only when the layout changes, not with every flipped bit. */
  const shape = createMemo(() => geometryOf(props.drawing.fields, bits(), columns()), undefined, {
    equals: (a, b) => JSON.stringify(a) === JSON.stringify(b),
  });
  const fieldAt = (index: number) =>
    props.drawing.fields.find(({ offset, bits: width }) => index >= offset && index < offset + width);
  const roleOf = (field: ReadingField | undefined) => `role-${field?.role ?? 'other'}`;
  const isLit = (from: number, to: number) =>
    props.lit !== undefined && from < props.lit[1] && to > props.lit[0];
  const isWrong = (field: number) => props.drawing.fields[field]?.inRange === false;

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
    if (index === undefined || !props.onFlip) return;
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
      <svg
        ref={(element) => (picture = element)}
        viewBox={`0 0 ${shape().width} ${shape().height}`}
        style={{ 'max-width': `${shape().width * 1.15}px` }}
        role={props.onFlip ? 'group' : 'img'}
        aria-label={words().bits.picture(props.title, String(bits()))}
        data-testid="picture"
        onClick={(event) => {
          const index = bitOf(event);
          if (index === undefined) return;
          setActive(index);
          props.onFlip?.(index);
        }}
        onKeyDown={onKeyDown}
        onFocusIn={(event) => props.onLit(rangeOf(event))}
        onFocusOut={() => props.onLit(undefined)}
        onPointerOver={(event) => props.onLit(rangeOf(event))}
        onPointerLeave={() => props.onLit(undefined)}
      >
        <For each={shape().pieces}>
          {(piece) => (
            <g class={roleOf(props.drawing.fields[piece.field])} classList={{ wrong: isWrong(piece.field) }}>
              <rect
                class="piece"
                x={piece.x + 0.5}
                y={piece.y}
                width={piece.width - 1}
                height={CELL.height}
                rx="5"
              />
            </g>
          )}
        </For>
        <For each={shape().labels}>
          {(label) => (
            // biome-ignore lint/a11y/noAriaHiddenOnFocusable: text of a picture has no focus; the table says it
            <text
              class={`label ${roleOf(props.drawing.fields[label.field])}`}
              classList={{ wrong: isWrong(label.field) }}
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
              class={`bit ${roleOf(fieldAt(index()))}`}
              classList={{
                flips: props.onFlip !== undefined,
                lit: isLit(index(), index() + 1),
                on: digits()[index()] === '1',
                differs: differing()[index()] === '1',
              }}
              data-bit={index()}
              {...(props.onFlip && {
                role: 'switch' as const,
                tabindex: active() === index() ? 0 : -1,
                'aria-checked': digits()[index()] === '1',
                'aria-label': words().bits.bit(String(index()), fieldAt(index())?.name ?? ''),
              })}
            >
              <rect x={place.x} y={place.y} width={CELL.width} height={CELL.height} rx="4" />
              <text x={place.x + CELL.width / 2} y={place.y + 17.5}>
                {digits()[index()]}
              </text>
            </g>
          )}
        </For>
      </svg>
    </div>
  );
}
