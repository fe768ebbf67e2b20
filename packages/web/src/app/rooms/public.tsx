// Room 5: public IDs, both ways. The key stays in its field: no storage, no link.
import { createExternalIdCodec, type ExternalIdAlgorithm, type ExternalIdCodec } from 'kazahana/external';
import { createMemo, createSignal, Show } from 'solid-js';
import { words } from '../i18n/index.js';
import { opened } from '../state/opened.js';
import { Choice } from '../ui/choice.jsx';
import { CopyButton } from '../ui/copy.jsx';
import { Field } from '../ui/field.jsx';
import { Room } from '../ui/room.jsx';
import { Same } from '../ui/same.jsx';
import { publicSnippets } from './snippets.js';

const ALGORITHMS = ['mix', 'xtea', 'none'] as const;
const EXAMPLE = '115892101120000263';

function readId(text: string): bigint | undefined {
  const trimmed = text.trim();
  if (!/^(?:\d{1,20}|0x[0-9a-f]{1,16})$/i.test(trimmed)) return undefined;
  const id = BigInt(trimmed);
  return id < 2n ** 64n ? id : undefined;
}

export default function PublicIds() {
  const shared = opened('public');
  const [algorithm, setAlgorithm] = createSignal<ExternalIdAlgorithm>(
    // A link never holds the key, so one for the keyed mode would only show an error.
    shared.algorithm === 'none' ? 'none' : 'mix',
  );
  const [key, setKey] = createSignal('');
  /** The side that was written last; the other one follows it. */
  const [written, setWritten] = createSignal<{ readonly side: 'id' | 'external'; readonly text: string }>({
    side: 'id',
    text: shared.id ?? EXAMPLE,
  });
  const codec = createMemo((): ExternalIdCodec | undefined => {
    if (algorithm() !== 'xtea') return createExternalIdCodec({ algorithm: algorithm() });
    return key() === '' ? undefined : createExternalIdCodec({ algorithm: 'xtea', secret: key() });
  });
  const id = createMemo((): bigint | undefined => {
    const { side, text } = written();
    if (side === 'id') return readId(text);
    try {
      return codec()?.toInternalId(text.trim());
    } catch {
      return undefined;
    }
  });
  const idText = () => (written().side === 'id' ? written().text : String(id() ?? ''));
  const externalText = () => {
    if (written().side === 'external') return written().text;
    const value = id();
    return value === undefined ? '' : (codec()?.toExternalId(value) ?? '');
  };
  const error = (side: 'id' | 'external') => {
    if (written().side !== side || codec() === undefined || id() !== undefined) return undefined;
    return side === 'id' ? words().public.badId : words().public.badExternal;
  };

  return (
    <Room
      name="public"
      lead={words().public.lead}
      share={() => ({ id: String(id() ?? ''), algorithm: algorithm() })}
    >
      <div class="controls">
        <Choice
          label={words().public.algorithm}
          names={ALGORITHMS}
          text={(name) => words().public.algorithms[name]}
          value={algorithm()}
          onChange={setAlgorithm}
        />
        <Show when={algorithm() === 'xtea'}>
          <Field
            label={words().public.key}
            type="password"
            class="grow"
            value={key()}
            onInput={setKey}
            error={key() === '' ? words().public.needKey : undefined}
          />
        </Show>
      </div>
      <p class="note" classList={{ warm: algorithm() === 'mix' }}>
        {words().public.notes[algorithm()]}
      </p>
      <div class="both">
        <Field
          label={words().public.id}
          mono
          class="large"
          value={idText()}
          onInput={(text) => setWritten({ side: 'id', text })}
          error={error('id')}
        />
        <span class="arrow" aria-hidden="true">
          ⇄
        </span>
        <Field
          label={words().public.external}
          mono
          class="large"
          value={externalText()}
          onInput={(text) => setWritten({ side: 'external', text })}
          error={error('external')}
        />
      </div>
      <div class="actions">
        <CopyButton text={idText} label={`${words().copy}: ${words().public.id}`} />
        <CopyButton text={externalText} label={`${words().copy}: ${words().public.external}`} />
      </div>
      <Same {...publicSnippets(String(id() ?? 0n), externalText(), algorithm())} />
    </Room>
  );
}
