// Many IDs at once: any kind, in any form, in the table.
import { createEffect, createMemo, createSignal, For, on, Show } from 'solid-js';
import { count as countText, words } from '../i18n/index.js';
import {
  generate,
  isUuidKind,
  type Kind,
  MAX_COUNT,
  offeredKinds,
  readCount,
  TAILS,
  type Tail,
} from '../state/generating.js';
import { remember } from '../state/history-state.js';
import { address } from '../state/location.js';
import { serverUrl } from '../state/server.js';
import { generateSnippets } from '../state/snippets.js';
import { announce } from '../ui/announce.jsx';
import { Choice } from '../ui/choice.jsx';
import { CodeTabs } from '../ui/code-tabs.jsx';
import { CopyButton, copyText, saveText } from '../ui/copy.jsx';
import { Field } from '../ui/field.jsx';
import { isNarrow } from '../ui/narrow.js';
import { RouteHead } from '../ui/route-head.jsx';
import { ForTime } from './for-time.jsx';
import { CONTAINERS, FILE_ENDINGS, type Form, PLAIN, WRAPS, writeId, writeIds } from './forms.js';
import { IdTable } from './id-table.jsx';
import { createRowReader } from './row-reader.js';

// Kept while the reader looks at another route.
const [kind, setKind] = createSignal<Kind>('v7');
const [tail, setTail] = createSignal<Tail>('random');
const [countInput, setCountInput] = createSignal('100');
const [form, setForm] = createSignal<Form>(PLAIN);
const [ids, setIds] = createSignal<readonly string[]>([]);
/** On a phone, the ways to write an ID are folded away: the table is what matters. */
const [isUnfolded, setIsUnfolded] = createSignal(false);

export default function GenerateMany() {
  const { found, read } = createRowReader();
  const [problem, setProblem] = createSignal('');
  const make = async () => {
    const count = readCount(countInput());
    const wanted = kind();
    if (count === undefined) return;
    try {
      setIds(await generate(wanted, count, tail()));
      setProblem('');
      if (isUuidKind(wanted)) remember(ids());
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    }
  };
  createEffect(on(ids, (made) => read(made.join('\n'))));
  createEffect(
    on(address, ({ part, values }) => {
      if (part !== 'many/generate') return;
      const wanted = offeredKinds().find((name) => name === values.kind);
      if (wanted) setKind(wanted);
      if (values.count !== undefined && readCount(values.count) !== undefined) setCountInput(values.count);
      if (Object.keys(values).length > 0) void make();
    }),
  );
  const text = createMemo(() => writeIds(ids(), form()));
  const change = (part: Partial<Form>) => setForm({ ...form(), ...part });
  const isUuid = () => isUuidKind(kind());
  const countError = () =>
    readCount(countInput()) === undefined ? words().generate.countError(countText(MAX_COUNT)) : undefined;
  const makeAndCopy = async () => {
    await make();
    if (ids().length > 0 && problem() === '') {
      await copyText(text());
      announce(words().generate.made(countText(ids().length)));
    }
  };
  const take = () => (
    <>
      <CopyButton text={text} label={words().generate.copyAll} />
      <button
        type="button"
        class="quiet"
        onClick={() => saveText(text(), `ids.${FILE_ENDINGS[form().container]}`, 'text/plain')}
      >
        {words().download}
      </button>
    </>
  );
  return (
    <>
      <RouteHead part="many/generate" share={() => ({ kind: kind(), count: countInput() })} />
      <div class="section">
        <div class="controls making">
          <label class="field">
            <span>{words().generate.kind}</span>
            <select
              value={kind()}
              onChange={(event) => {
                setKind(event.currentTarget.value as Kind);
              }}
            >
              <For each={offeredKinds()}>
                {(name) => <option value={name}>{words().generate.kinds[name]}</option>}
              </For>
            </select>
          </label>
          <Field
            label={words().generate.count}
            class="short"
            value={countInput()}
            onInput={setCountInput}
            onEnter={() => void makeAndCopy()}
            error={countError()}
          />
          <button type="button" class="main" onClick={() => void makeAndCopy()}>
            {words().generate.make}
          </button>
          <button
            type="button"
            class="quiet narrow-only"
            aria-expanded={isUnfolded()}
            aria-controls="form"
            onClick={() => setIsUnfolded(!isUnfolded())}
          >
            {words().generate.form}
          </button>
        </div>
        <div class="controls" classList={{ folded: !isUnfolded() }}>
          <div id="form" class="controls foldable">
            <Show when={kind() === 'v7'}>
              <Choice
                label={words().generate.tail}
                names={TAILS}
                text={(name) => words().generate.tails[name]}
                value={tail()}
                onChange={setTail}
              />
            </Show>
            <Choice
              label={words().generate.letterCase}
              names={['lower', 'upper']}
              text={(name) => words().generate[name]}
              value={form().uppercase ? 'upper' : 'lower'}
              onChange={(name) => change({ uppercase: name === 'upper' })}
              disabled={!isUuid()}
            />
            <Choice
              label={words().generate.hyphens}
              names={['on', 'off']}
              text={(name) => words().generate[name]}
              value={form().withHyphens ? 'on' : 'off'}
              onChange={(name) => change({ withHyphens: name === 'on' })}
              disabled={!isUuid() || form().wrap === 'urn'}
            />
            <Choice
              label={words().generate.wrap}
              names={WRAPS}
              text={(name) => words().generate.wraps[name]}
              value={form().wrap}
              onChange={(wrap) => change({ wrap })}
              disabled={!isUuid()}
            />
            <Choice
              label={words().generate.container}
              names={CONTAINERS}
              text={(name) => words().generate.containers[name]}
              value={form().container}
              onChange={(container) => change({ container })}
            />
          </div>
          <Show when={ids().length > 0 && !isNarrow()}>
            <div class="actions end">{take()}</div>
          </Show>
        </div>
        <Show when={problem()}>
          <p class="note warm" role="alert">
            {words().generate.failed}: {problem()}
          </p>
        </Show>
        <Show when={ids().length > 0} fallback={<p class="note">{words().generate.none}</p>}>
          <IdTable
            found={found()}
            write={({ text: id }) => writeId(id, form())}
            actions={<Show when={isNarrow()}>{take()}</Show>}
          />
        </Show>
        <div class="columns">
          <ForTime />
          <CodeTabs
            {...generateSnippets(kind(), readCount(countInput()) ?? 1, form(), tail(), serverUrl())}
          />
        </div>
      </div>
    </>
  );
}
