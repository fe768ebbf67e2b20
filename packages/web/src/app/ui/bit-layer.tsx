// The bits of one ID as they are drawn: fields by colour and label, hexadecimal digits, each bit in its place.
import type { ReadingField } from 'kazahana/inspect';
import { createMemo, For } from 'solid-js';
import { words } from '../i18n/index.js';
import { type BitRange, type Bits, hexOf, toDigits } from './bit-digits.js';
import { CELL, type Geometry } from './bit-geometry.js';

export function BitLayer(props: {
  drawing: Bits;
  shape: Geometry;
  lit: BitRange;
  /** Each bit is a switch. */
  canFlip?: boolean;
  /** The switch that Tab leads to. */
  active?: number;
  /** Bits that differ from those of another ID. */
  differing?: bigint;
}) {
  const bits = createMemo(() => props.drawing.bits);
  const digits = createMemo(() => toDigits(props.drawing.value, bits()));
  const differing = createMemo(() => toDigits(props.differing ?? 0n, bits()));
  const hex = createMemo(() => hexOf(props.drawing.value, bits()));
  const fieldAt = (index: number) =>
    props.drawing.fields.find(({ offset, bits: width }) => index >= offset && index < offset + width);
  const roleOf = (field: ReadingField | undefined) => `role-${field?.role ?? 'other'}`;
  const isLit = (from: number, to: number) =>
    props.lit !== undefined && from < props.lit[1] && to > props.lit[0];
  const isWrong = (field: number) => props.drawing.fields[field]?.inRange === false;
  return (
    <>
      <For each={props.shape.pieces}>
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
      <For each={props.shape.labels}>
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
      <For each={props.shape.hex}>
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
      <For each={props.shape.bits}>
        {(place, index) => (
          <g
            class={`bit ${roleOf(fieldAt(index()))}`}
            classList={{
              flips: props.canFlip === true,
              lit: isLit(index(), index() + 1),
              on: digits()[index()] === '1',
              differs: differing()[index()] === '1',
            }}
            data-bit={index()}
            {...(props.canFlip && {
              role: 'switch' as const,
              tabindex: props.active === index() ? 0 : -1,
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
    </>
  );
}

/** The bit that an event is about; a picture has one listener for all of them, since there are 128. */
export function bitOf({ target }: Event): number | undefined {
  const bit = target instanceof Element ? target.closest('[data-bit]')?.getAttribute('data-bit') : null;
  return bit === null || bit === undefined ? undefined : Number(bit);
}

/** The bits of the digit or the bit that an event is about. */
export function rangeOf(event: Event, { hex }: Geometry): BitRange {
  const bit = bitOf(event);
  if (bit !== undefined) return [bit, bit + 1];
  const digit = event.target instanceof Element ? event.target.getAttribute('data-hex') : null;
  const place = digit === null ? undefined : hex[Number(digit)];
  return place && [place.from, place.to];
}
