// An ID, large and selectable. The characters of a UUID light up with their bits.
import { createMemo, For, Show } from 'solid-js';
import { lit, setLit } from '../state/page-state.js';

const BITS_OF_A_DIGIT = 4;

export function IdText(props: { text: string; isUuid: boolean }) {
  const characters = createMemo(() => {
    let digits = 0;
    return [...props.text].map((character) => ({
      character,
      bit: character === '-' ? -1 : BITS_OF_A_DIGIT * digits++,
    }));
  });
  const isLit = (bit: number) => {
    const range = lit();
    return range !== undefined && bit >= 0 && bit < range[1] && bit + BITS_OF_A_DIGIT > range[0];
  };
  return (
    <p
      class="id"
      data-testid="id"
      onPointerOver={({ target }) => {
        const bit = target instanceof Element ? Number(target.getAttribute('data-from') ?? -1) : -1;
        setLit(bit < 0 ? undefined : [bit, bit + BITS_OF_A_DIGIT]);
      }}
      onPointerLeave={() => setLit(undefined)}
    >
      <Show when={props.isUuid} fallback={props.text}>
        <For each={characters()}>
          {({ character, bit }) => (
            <span data-from={bit} classList={{ lit: isLit(bit) }}>
              {character}
            </span>
          )}
        </For>
      </Show>
    </p>
  );
}
