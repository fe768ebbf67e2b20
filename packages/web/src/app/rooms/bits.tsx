// Room 3: the bits of the ID in view.
import { Show } from 'solid-js';
import { words } from '../i18n/index.js';
import { drawing, flipBit, lit, reading, setLit, subject } from '../state/page-state.js';
import { BitPicture } from '../ui/bit-picture.jsx';
import { FieldTable } from '../ui/field-table.jsx';
import { Room } from '../ui/room.jsx';
import { Same } from '../ui/same.jsx';
import { titleOf } from './inspect.jsx';
import { bitsSnippets } from './snippets.js';

export function Bits() {
  const title = () => {
    const read = reading();
    return read ? titleOf(read) : 'UUID';
  };
  return (
    <Room name="bits" lead={words().bits.lead}>
      <Show when={drawing()} fallback={<p class="note">{words().bits.nothing}</p>}>
        {(drawn) => (
          <>
            <BitPicture drawing={drawn()} title={title()} lit={lit()} onLit={setLit} onFlip={flipBit} />
            <FieldTable
              fields={drawn().fields}
              lit={lit()}
              onLit={setLit}
              caption={words().bits.picture(title(), String(drawn().bits))}
            />
          </>
        )}
      </Show>
      <Same {...bitsSnippets(subject().trim())} />
    </Room>
  );
}
