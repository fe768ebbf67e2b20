// External IDs, both ways. Keys stay in their fields: no storage, no link.
import type { ExternalIdAlgorithm } from 'kazahana/external';
import { createEffect, createMemo, createSignal, For, on, Show } from 'solid-js';
import { words } from '../i18n/index.js';
import { address } from '../state/location.js';
import { externalSnippets } from '../state/snippets.js';
import { showGiven } from '../state/subject.js';
import { Choice } from '../ui/choice.jsx';
import { CodeTabs } from '../ui/code-tabs.jsx';
import { CopyButton } from '../ui/copy.jsx';
import { Field } from '../ui/field.jsx';
import { RouteHead } from '../ui/route-head.jsx';
import {
  ALGORITHMS,
  addKey,
  canAddKey,
  changeKey,
  codecOf,
  DEFAULT_CHOICE,
  type ExternalChoice,
  removeKey,
} from './external-choice.js';

const EXAMPLE = '115892101120000263';

/** The side that was written last; the other one follows it. */
interface Written {
  readonly side: 'id' | 'external';
  readonly text: string;
}

// Kept while the reader looks at another route.
const [choice, setChoice] = createSignal<ExternalChoice>(DEFAULT_CHOICE);
const [written, setWritten] = createSignal<Written>({ side: 'id', text: EXAMPLE });

function readId(text: string): bigint | undefined {
  const trimmed = text.trim();
  if (!/^(?:\d{1,20}|0x[0-9a-f]{1,16})$/i.test(trimmed)) return undefined;
  const id = BigInt(trimmed);
  return id < 2n ** 64n ? id : undefined;
}

function Keys() {
  return (
    <Show
      when={choice().keys.length > 0}
      fallback={
        <Field
          label={words().external.key}
          type="password"
          class="grow"
          value={choice().secret}
          onInput={(secret) => setChoice({ ...choice(), secret })}
          error={choice().secret === '' ? words().external.needKey : undefined}
        />
      }
    >
      <For each={choice().keys.map(({ label }) => label)}>
        {(label) => (
          <div class="key">
            <label class="check">
              <input
                type="radio"
                name="current-key"
                checked={choice().current === label}
                onChange={() => setChoice({ ...choice(), current: label })}
                aria-label={words().external.current(label)}
              />
              <span class="mono">{label}</span>
            </label>
            <Field
              label={words().external.keyNamed(label)}
              isBare
              type="password"
              class="grow"
              value={choice().keys.find((key) => key.label === label)?.secret ?? ''}
              onInput={(secret) => setChoice(changeKey(choice(), label, secret))}
            />
            <button type="button" class="plain" onClick={() => setChoice(removeKey(choice(), label))}>
              {words().external.removeKey}
            </button>
          </div>
        )}
      </For>
    </Show>
  );
}

export default function ExternalIds() {
  createEffect(
    on(address, ({ part, values }) => {
      if (part !== '64-bit/external') return;
      if (values.id !== undefined) setWritten({ side: 'id', text: values.id });
      // A link never holds a key, so one for the keyed mode would only show an error.
      if (values.algorithm === 'none' || values.algorithm === 'mix')
        setChoice({ ...choice(), algorithm: values.algorithm });
    }),
  );
  const found = createMemo(() => codecOf(choice()));
  const codec = () => {
    const current = found();
    return 'codec' in current ? current.codec : undefined;
  };
  const problem = () => {
    const current = found();
    return 'problem' in current ? current.problem : undefined;
  };
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
  const error = (side: Written['side']) => {
    if (written().side !== side || codec() === undefined || id() !== undefined) return undefined;
    return side === 'id' ? words().external.badId : words().external.badExternal;
  };
  return (
    <>
      <RouteHead
        part="64-bit/external"
        share={() => ({ id: String(id() ?? ''), algorithm: choice().algorithm })}
      />
      <div class="section">
        <div class="controls">
          <Choice
            label={words().external.algorithm}
            names={ALGORITHMS}
            text={(name) => words().external.algorithms[name]}
            value={choice().algorithm}
            onChange={(algorithm: ExternalIdAlgorithm) => setChoice({ ...choice(), algorithm })}
          />
          <Field
            label={words().external.prefix}
            mono
            class="short"
            value={choice().prefix}
            onInput={(prefix) => setChoice({ ...choice(), prefix: prefix.trim() })}
            error={problem() === 'prefix' ? words().external.badPrefix : undefined}
          />
          <Show when={choice().algorithm === 'xtea'}>
            <Keys />
            <button
              type="button"
              class="quiet"
              disabled={!canAddKey(choice())}
              onClick={() => setChoice(addKey(choice()))}
            >
              {words().external.addKey}
            </button>
          </Show>
        </div>
        <p class="note" classList={{ warm: choice().algorithm === 'mix' }}>
          {words().external.notes[choice().algorithm]}
          <Show when={choice().keys.length > 0}> {words().external.rotation}</Show>
        </p>
        <div class="both card">
          <Field
            label={words().external.id}
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
            label={words().external.external}
            mono
            class="large of-external"
            value={externalText()}
            onInput={(text) => setWritten({ side: 'external', text })}
            error={error('external')}
          />
          <div class="actions">
            <CopyButton text={idText} name={`${words().copy}: ${words().external.id}`} />
            <button
              type="button"
              class="quiet"
              onClick={() => showGiven(idText())}
              disabled={id() === undefined}
            >
              {words().table.read}
            </button>
          </div>
          <span />
          <div class="actions of-external">
            <CopyButton text={externalText} name={`${words().copy}: ${words().external.external}`} />
          </div>
        </div>
        <CodeTabs {...externalSnippets(String(id() ?? 0n), externalText(), choice())} />
      </div>
    </>
  );
}
