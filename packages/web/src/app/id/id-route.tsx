// Home: one ID, answered where the reader looks. A fresh one, or what was pasted.
import type { Reading } from 'kazahana/inspect';
import { createMemo, For, Match, Show, Switch } from 'solid-js';
import { messageText, words } from '../i18n/index.js';
import type { Answer } from '../state/answer.js';
import { copySubject, problem, subject, undoFlip } from '../state/subject.js';
import { BitPicture } from '../ui/bit-picture.jsx';
import { FieldTable } from '../ui/field-table.jsx';
import { answer, drawing, flipBit, lit, reading, setLit } from './answer-state.js';
import { Comparison } from './comparison.jsx';
import { IdText } from './id-text.jsx';
import { MakeBar } from './make-bar.jsx';
import { Rail } from './rail.jsx';
import { SavePicture } from './save-picture.jsx';
import { Certainty, Sentence } from './sentence.jsx';
import { UnknownText } from './unknown-text.jsx';

/** What was taken off around the ID, why it may be another, and what its fields do not say. */
function Notes(props: { reading: Reading; answer: Extract<Answer, { kind: 'one' }> }) {
  const notes = () => [
    ...props.answer.inspection.takenOff,
    ...(props.reading.certainty === 'likely' || subject().origin === 'fresh' ? [] : [props.reading.reason]),
    ...props.reading.notes,
  ];
  return (
    <Show when={notes().length > 0}>
      <ul class="notes note">
        <For each={notes()}>{(each) => <li>{messageText(each)}</li>}</For>
      </ul>
    </Show>
  );
}

function OneId(props: { answer: Extract<Answer, { kind: 'one' }> }) {
  const hasSession = () => drawing()?.fields.some(({ name }) => name === 'session') ?? false;
  return (
    <Show when={reading()}>
      {(read) => (
        <>
          <IdText
            text={read().text.length > 0 ? read().text : subject().text}
            drawing={drawing()}
            onCopy={() => void copySubject()}
          />
          <Sentence reading={read()} hasSession={hasSession()} isKnown={subject().origin === 'fresh'} />
          <Notes reading={read()} answer={props.answer} />
          <Drawn title={read().title} time={read().time} />
        </>
      )}
    </Show>
  );
}

/** The bits and the fields, of an ID or of what a flipped bit made of one. */
function Drawn(props: { title: string; time: Reading['time'] }) {
  return (
    <Show when={drawing()}>
      {(drawn) => (
        <>
          <div class="card drawn">
            <BitPicture
              drawing={drawn()}
              title={props.title}
              lit={lit()}
              onLit={setLit}
              onFlip={drawn().format === undefined ? undefined : flipBit}
            />
          </div>
          <div class="under">
            <p class="note save">
              {drawn().format === undefined ? '' : words().bits.lead}
              <Show when={subject().origin === 'flipped'}>
                <button type="button" class="plain" onClick={undoFlip}>
                  {words().undo} <kbd>Esc</kbd>
                </button>
              </Show>
            </p>
            <SavePicture drawing={drawn()} title={props.title} />
          </div>
          <FieldTable
            fields={drawn().fields}
            time={props.time}
            lit={lit()}
            onLit={setLit}
            caption={words().bits.fieldsOf(props.title)}
          />
        </>
      )}
    </Show>
  );
}

export function IdRoute() {
  const found = createMemo(answer);
  /** The answer, if it is of that kind: for `Match`, which narrows no unions. */
  const as = <Kind extends Answer['kind']>(kind: Kind) => {
    const current = found();
    return current?.kind === kind ? (current as Extract<Answer, { kind: Kind }>) : undefined;
  };
  const others = () => as('one')?.readings.slice(1) ?? as('none')?.inspection.readings ?? [];
  const title = () => {
    const current = found();
    if (!current) return words().parts.id.title;
    if (current.kind === 'one') return current.readings[0]?.title ?? '';
    return current.kind === 'two' ? words().compare.title : words().unknown.title;
  };
  return (
    <div class="home">
      <section
        class="answer"
        data-testid="answer"
        data-kind={found()?.kind ?? 'waiting'}
        data-format={as('one')?.readings[0]?.format ?? found()?.kind}
      >
        <div class="head">
          <h1 tabindex="-1" data-testid="title">
            {title()}
          </h1>
          <Show when={subject().origin !== 'fresh' && reading()}>
            {(read) => <Certainty reading={read()} />}
          </Show>
          <MakeBar />
        </div>
        <Show when={problem()}>
          <p class="note warm" role="alert">
            {words().generate.failed}: {problem()}
          </p>
        </Show>
        <Switch
          fallback={
            <>
              <IdText text={subject().text} />
              <div class="waiting" />
            </>
          }
        >
          <Match when={as('one')}>{(one) => <OneId answer={one()} />}</Match>
          <Match when={as('two')}>
            {(two) => <Comparison comparison={two().comparison} readings={two().readings} />}
          </Match>
          <Match when={as('none')}>
            {(none) => (
              <>
                <UnknownText inspection={none().inspection} text={subject().text} />
                <Drawn title={words().unknown.title} time={null} />
              </>
            )}
          </Match>
        </Switch>
      </section>
      <Rail reading={reading()} others={others()} />
    </div>
  );
}
