// The ID, large, in the colours of its fields where its characters stand for bits. A click copies it.
import type { ReadingField } from 'kazahana/inspect';
import { createMemo, For } from 'solid-js';
import { words } from '../i18n/index.js';
import type { BitRange } from '../ui/bit-digits.js';
import { copyText } from '../ui/copy.jsx';
import { type Drawing, lit, setLit } from './answer-state.js';
import { bitsOfCharacters } from './character-bits.js';

const fieldAt = (fields: readonly ReadingField[], bit: number) =>
  fields.find(({ offset, bits }) => bit >= offset && bit < offset + bits);

export function IdText(props: { text: string; drawing?: Drawing | undefined; onCopy?: () => void }) {
  const characters = createMemo(() => {
    const { drawing, text } = props;
    const places = drawing ? bitsOfCharacters(text, drawing.bits) : [];
    const roles = places.map((range) => range && drawing && fieldAt(drawing.fields, range[0])?.role);
    return [...text].map((character, index) => {
      const role = roles[index];
      const isFirst = roles[index - 1] !== role;
      const isLast = roles[index + 1] !== role;
      const name =
        role &&
        `role-${role}${isFirst ? ' first' : ''}${isLast ? ' last' : ''}${isFirst || isLast ? '' : ' join'}`;
      return { character, range: places[index], name };
    });
  });
  const isLit = (range: BitRange) => {
    const wanted = lit();
    return range !== undefined && wanted !== undefined && range[0] < wanted[1] && range[1] > wanted[0];
  };
  const copy = () => {
    // A selection was made to be copied by hand.
    if (String(getSelection()) !== '') return;
    if (props.onCopy) props.onCopy();
    else void copyText(props.text);
  };
  const size = () => (props.text.length > 64 ? 'longer' : props.text.length > 37 ? 'long' : '');
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the button Copy beside it does the same by keyboard
    <p
      class={`id ${size()}`}
      data-testid="id"
      title={words().clickToCopy}
      onClick={copy}
      onPointerOver={({ target }) => {
        const index = target instanceof Element ? target.getAttribute('data-at') : null;
        setLit(index === null ? undefined : characters()[Number(index)]?.range);
      }}
      onPointerLeave={() => setLit(undefined)}
    >
      <For each={characters()}>
        {({ character, range, name }, index) => (
          <span class={name || undefined} classList={{ lit: isLit(range) }} data-at={index()}>
            {character}
          </span>
        )}
      </For>
    </p>
  );
}
