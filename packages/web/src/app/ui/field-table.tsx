// The fields of an ID as a table: what the bit picture shows, in words.
import type { ReadingField, ReadingTime } from 'kazahana/inspect';
import { For, Show } from 'solid-js';
import { messageText, words } from '../i18n/index.js';
import { Moment } from './moment.jsx';
import { Scroll } from './scroll.jsx';

type Range = readonly [from: number, to: number] | undefined;

const placeOf = ({ offset, bits }: ReadingField) =>
  bits === 1 ? String(offset) : `${offset}–${offset + bits - 1}`;

/** Numbers up to 53 bits are decimal; wider fields are patterns of bits rather than numbers. */
const valueText = ({ value, bits }: ReadingField) =>
  typeof value === 'number' ? String(value) : value.toString(16).padStart(Math.ceil(bits / 4), '0');

export function FieldTable(props: {
  fields: readonly ReadingField[];
  time?: ReadingTime | null;
  lit: Range;
  onLit: (range: Range) => void;
  caption: string;
}) {
  const isLit = ({ offset, bits }: ReadingField) =>
    props.lit !== undefined && offset < props.lit[1] && offset + bits > props.lit[0];
  const light = ({ offset, bits }: ReadingField) => props.onLit([offset, offset + bits]);
  /** The field that holds the whole time follows the reader's choice of times. */
  const isTime = ({ role, reading }: ReadingField) => role === 'time' && reading === props.time?.iso;
  return (
    <Scroll label={props.caption}>
      <table class="fields" data-testid="fields">
        <thead>
          <tr>
            <th scope="col">{words().bits.field}</th>
            <th scope="col" class="place">
              {words().bits.place}
            </th>
            <th scope="col">{words().bits.value}</th>
            <th scope="col">{words().bits.meaning}</th>
          </tr>
        </thead>
        <tbody>
          <For each={props.fields}>
            {(field) => (
              <tr
                class={`role-${field.role}`}
                classList={{ lit: isLit(field), wrong: !field.inRange }}
                onPointerEnter={() => light(field)}
                onPointerLeave={() => props.onLit(undefined)}
              >
                <th scope="row">
                  <span class="swatch" aria-hidden="true" />
                  {field.name}
                </th>
                <td class="mono place">{placeOf(field)}</td>
                <td class="mono value">{valueText(field)}</td>
                <td class="meaning">
                  <Show
                    when={isTime(field)}
                    fallback={
                      field.meaning
                        ? messageText(field.meaning)
                        : field.reading === valueText(field)
                          ? ''
                          : field.reading
                    }
                  >
                    <Moment unixMs={props.time?.unixMs ?? 0} />
                  </Show>
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
