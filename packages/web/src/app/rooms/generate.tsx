// Room 1: makes IDs. One is there on load; every way of writing shows the same IDs.
import { createMemo, createSignal, For, onMount, Show } from 'solid-js';
import { count as countText, words } from '../i18n/index.js';
import { CONTAINERS, FILE_ENDINGS, type Format, PLAIN, WRAPS, writeId, writeIds } from '../state/formats.js';
import {
  generateNumbers,
  generateUuids,
  isUuidKind,
  type Kind,
  MAX_COUNT,
  offeredKinds,
  readCount,
} from '../state/generating.js';
import { remember } from '../state/history-state.js';
import { made, setMade } from '../state/page-state.js';
import { Choice } from '../ui/choice.jsx';
import { CopyButton, copyText, saveText } from '../ui/copy.jsx';
import { Field } from '../ui/field.jsx';
import { Room } from '../ui/room.jsx';
import { Same } from '../ui/same.jsx';
import { Scroll } from '../ui/scroll.jsx';
import { ForTime } from './for-time.jsx';
import { generateSnippets } from './snippets.js';

const [kind, setKind] = createSignal<Kind>('v7');
const [countInput, setCountInput] = createSignal('1');
const [format, setFormat] = createSignal<Format>(PLAIN);
const [problem, setProblem] = createSignal('');

/** Makes as many as the room says; undefined when it says nothing that can be made. */
export async function makeAnother(): Promise<string | undefined> {
  const count = readCount(countInput());
  if (count === undefined) return undefined;
  const wanted = kind();
  try {
    const ids =
      wanted === 'kazahana' || wanted === 'leased'
        ? await generateNumbers(wanted, count)
        : generateUuids(wanted, count);
    setMade(ids);
    setProblem('');
    if (isUuidKind(wanted)) remember(ids);
    return shownText();
  } catch (error) {
    setProblem(error instanceof Error ? error.message : String(error));
    return undefined;
  }
}

export async function makeAndCopy(): Promise<void> {
  const text = await makeAnother();
  if (text !== undefined) await copyText(text);
}

/** All IDs as they are shown; one alone without a container is the ID itself. */
export function shownText(): string {
  return writeIds(made(), format());
}

/** What a link to this room asked for. */
export function openGenerate(values: Readonly<Record<string, string>>): void {
  const wanted = offeredKinds().find((name) => name === values.kind);
  if (wanted) setKind(wanted);
  if (values.count !== undefined && readCount(values.count) !== undefined) setCountInput(values.count);
  // On load the room makes its first IDs itself.
  if (made().length > 0 && Object.keys(values).length > 0) void makeAnother();
}

/** Long texts in pieces, of which the browser lays out only those in view. Together they are the text, to the letter. */
const LINES_OF_A_CHUNK = 100;

function inChunks(text: string): string[] {
  const lines = text.split('\n');
  const chunks: string[] = [];
  for (let from = 0; from < lines.length; from += LINES_OF_A_CHUNK) {
    const isLast = from + LINES_OF_A_CHUNK >= lines.length;
    chunks.push(lines.slice(from, from + LINES_OF_A_CHUNK).join('\n') + (isLast ? '' : '\n'));
  }
  return chunks;
}

export function Generate() {
  onMount(() => {
    // The first one is remembered when it is used; a reload should not fill the history.
    if (made().length === 0 && isUuidKind(kind()) && readCount(countInput()) === 1) {
      setMade(generateUuids(kind() as 'v7', 1));
    } else if (made().length === 0) void makeAnother();
  });
  const change = (part: Partial<Format>) => setFormat({ ...format(), ...part });
  const countError = () =>
    readCount(countInput()) === undefined ? words().generate.countError(countText(MAX_COUNT)) : undefined;
  const first = () => writeId(made()[0] ?? '', format());
  const hasList = createMemo(() => made().length > 1 || format().container !== 'lines');
  const list = createMemo(() => (hasList() ? shownText() : ''));
  const isUuid = () => isUuidKind(kind());
  const copyFirst = () => {
    if (isUuid() && made()[0] !== undefined) remember(made().slice(0, 1));
    return first();
  };

  return (
    <Room name="generate" lead={words().generate.lead} share={() => ({ kind: kind(), count: countInput() })}>
      <div class="fresh">
        <output class="id" data-testid="made" aria-label={words().rooms.generate}>
          {first()}
        </output>
        <div class="actions">
          <button type="button" class="main" onClick={() => void makeAndCopy()}>
            {words().generate.again}
          </button>
          <CopyButton text={copyFirst} />
        </div>
        <Show when={problem()}>
          <p class="note warm" role="alert">
            {words().generate.failed}: {problem()}
          </p>
        </Show>
      </div>
      <div class="controls">
        <label class="field">
          <span>{words().generate.kind}</span>
          <select
            value={kind()}
            onChange={(event) => {
              setKind(event.currentTarget.value as Kind);
              void makeAnother();
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
      </div>
      <div class="controls">
        <Choice
          label={words().generate.letterCase}
          names={['lower', 'upper']}
          text={(name) => words().generate[name]}
          value={format().uppercase ? 'upper' : 'lower'}
          onChange={(name) => change({ uppercase: name === 'upper' })}
          disabled={!isUuid()}
        />
        <Choice
          label={words().generate.hyphens}
          names={['on', 'off']}
          text={(name) => words().generate[name]}
          value={format().withHyphens ? 'on' : 'off'}
          onChange={(name) => change({ withHyphens: name === 'on' })}
          disabled={!isUuid()}
        />
        <Choice
          label={words().generate.wrap}
          names={WRAPS}
          text={(name) => words().generate.wraps[name]}
          value={format().wrap}
          onChange={(wrap) => change({ wrap })}
          disabled={!isUuid()}
        />
        <Choice
          label={words().generate.container}
          names={CONTAINERS}
          text={(name) => words().generate.containers[name]}
          value={format().container}
          onChange={(container) => change({ container })}
        />
      </div>
      <Show when={hasList()}>
        <Scroll class="list" testId="list" label={words().generate.list}>
          <pre>
            <For each={inChunks(list())}>{(lines) => <span class="chunk">{lines}</span>}</For>
          </pre>
        </Scroll>
        <div class="actions">
          <CopyButton text={list} label={words().generate.copyAll} />
          <button
            type="button"
            class="quiet"
            onClick={() => saveText(list(), `ids.${FILE_ENDINGS[format().container]}`, 'text/plain')}
          >
            {words().download}
          </button>
        </div>
      </Show>
      <ForTime />
      <Same {...generateSnippets(kind(), readCount(countInput()) ?? 1, format())} />
    </Room>
  );
}
