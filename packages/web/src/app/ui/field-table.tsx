// The fields of an ID as a table: what the bit picture shows, in words.
import type { FieldDescription } from 'kazahana/layout';
import { For, Show } from 'solid-js';
import { words } from '../i18n/index.js';
import { Scroll } from './scroll.jsx';

type Range = readonly [from: number, to: number] | undefined;

/** What a value means, in the reader's language where it is a sentence and not a date or a number. */
function meaningOf({ name, value, bits, reading }: FieldDescription): string {
  const { random, alwaysZero, slot, fallbackSlot, partOf } = words().bits;
  if (reading === 'random') return random;
  if (reading === 'always 0') return alwaysZero;
  if (name === 'machineId') {
    const half = 2 ** (bits - 1);
    return Number(value) < half ? slot(String(value)) : fallbackSlot(String(Number(value) - half));
  }
  return reading.startsWith('part of ') ? partOf(reading.slice('part of '.length)) : reading;
}

const placeOf = ({ offset, bits }: FieldDescription) =>
  bits === 1 ? String(offset) : `${offset}–${offset + bits - 1}`;

export function FieldTable(props: {
  fields: readonly FieldDescription[];
  lit: Range;
  onLit: (range: Range) => void;
  caption: string;
}) {
  const isLit = ({ offset, bits }: FieldDescription) =>
    props.lit !== undefined && offset < props.lit[1] && offset + bits > props.lit[0];
  const light = ({ offset, bits }: FieldDescription) => props.onLit([offset, offset + bits]);
  return (
    <Scroll label={props.caption}>
      <table class="fields" data-testid="fields">
        <thead>
          <tr>
            <th scope="col">{words().bits.field}</th>
            <th scope="col">{words().bits.place}</th>
            <th scope="col">{words().bits.value}</th>
            <th scope="col">{words().bits.meaning}</th>
          </tr>
        </thead>
        <tbody>
          <For each={props.fields}>
            {(field, index) => (
              <tr
                classList={{ lit: isLit(field), wrong: !field.inRange }}
                onPointerEnter={() => light(field)}
                onPointerLeave={() => props.onLit(undefined)}
              >
                <th scope="row">
                  <span class={`swatch field-${index() % 6}`} aria-hidden="true" />
                  {field.name}
                </th>
                <td class="mono">{placeOf(field)}</td>
                <td class="mono">{String(field.value)}</td>
                <td>
                  {meaningOf(field)}
                  <Show when={!field.inRange}>
                    {' '}
                    <strong class="warm">{words().bits.notAllowed}</strong>
                  </Show>
                </td>
              </tr>
            )}
          </For>
        </tbody>
      </table>
    </Scroll>
  );
}
