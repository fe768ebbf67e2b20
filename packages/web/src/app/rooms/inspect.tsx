// Room 2: what the text in the box is, or the character that is wrong with it.
import type { OldReading as Reading, ReadingName } from 'kazahana/inspect';
import { createMemo, For, Match, Show, Switch } from 'solid-js';
import { count, words } from '../i18n/index.js';
import { now } from '../state/clock.js';
import { orderOf } from '../state/inspection.js';
import { duration, inLocal, inRelation, inUtc } from '../state/moments.js';
import {
  box,
  inspection,
  picked,
  reading,
  setBatchText,
  setPicked,
  show,
  subject,
} from '../state/page-state.js';
import { CopyButton } from '../ui/copy.jsx';
import { IdText } from '../ui/id-text.jsx';
import { MarkedText } from '../ui/marked-text.jsx';
import { Room } from '../ui/room.jsx';
import { Same } from '../ui/same.jsx';
import { inspectSnippets } from './snippets.js';

/** The name of a reading in the reader's language; UUIDs say their version. */
export function titleOf({ as, title }: Pick<Reading, 'as' | 'title'>): string {
  return as === 'uuid' ? title : words().inspect.titles[as];
}

/** The name of a reading, if a link has one. */
export function readingName(text: string | undefined): ReadingName | undefined {
  return text !== undefined && Object.hasOwn(words().inspect.titles, text)
    ? (text as ReadingName)
    : undefined;
}

function Times(props: { unixMs: number }) {
  return (
    <dl class="times">
      <dt>{words().time.utc}</dt>
      <dd class="mono" data-testid="utc">
        {inUtc(props.unixMs)}
      </dd>
      <dt>{words().time.local}</dt>
      <dd data-testid="local">{inLocal(props.unixMs)}</dd>
      <dt>{words().time.relative}</dt>
      <dd>{inRelation(props.unixMs, now())}</dd>
      <dt>{words().time.unix}</dt>
      <dd class="mono">{String(props.unixMs)}</dd>
    </dl>
  );
}

/** What the fields do not say. */
function Notes(props: { of: Reading }) {
  return (
    <>
      <Show when={props.of.as === 'external'}>
        <p class="note">{words().inspect.internal(String(props.of.value))}</p>
      </Show>
      <Show when={props.of.as === 'uuid' && props.of.notes.length > 0}>
        <p class="note">{words().inspect.otherVersion}</p>
      </Show>
      <Show when={props.of.fallback}>
        <p class="note warm">{words().inspect.fallback}</p>
      </Show>
    </>
  );
}

function OneId(props: { readings: readonly Reading[] }) {
  const current = () => reading() ?? props.readings[0];
  return (
    <Show when={current()}>
      {(shown) => (
        <>
          <p class="kind" data-testid="title">
            {titleOf(shown())}
          </p>
          <div class="with-copy">
            <IdText text={shown().text} isUuid={shown().as === 'uuid'} />
            <CopyButton text={() => shown().text} name={`${words().copy}: ${shown().text}`} />
          </div>
          <Show when={shown().unixMs !== null} fallback={<p class="note">{words().inspect.noTime}</p>}>
            <Times unixMs={shown().unixMs ?? 0} />
          </Show>
          <Notes of={shown()} />
          <Show when={props.readings.length > 1}>
            <h3>{words().inspect.readings}</h3>
            <ul class="readings">
              <For each={props.readings}>
                {(other) => (
                  <li>
                    <button
                      type="button"
                      class="row"
                      aria-pressed={other.as === shown().as}
                      onClick={() => setPicked(other.as)}
                    >
                      <span>{titleOf(other)}</span>
                      <span>{other.unixMs === null ? '' : inUtc(other.unixMs)}</span>
                      <span class="faint">
                        {words().inspect.plausibility(`${count(other.plausibility * 100)} %`)}
                      </span>
                    </button>
                  </li>
                )}
              </For>
            </ul>
          </Show>
        </>
      )}
    </Show>
  );
}

const ORDERS = { '-1': 'before', '0': 'equal', '1': 'after' } as const;

function Pair(props: { readings: readonly [Reading, Reading] }) {
  const apart = () => {
    const [a, b] = props.readings;
    return a.unixMs === null || b.unixMs === null ? undefined : b.unixMs - a.unixMs;
  };
  const order = () => {
    const compared = orderOf(...props.readings);
    return words().inspect[compared === null ? 'unordered' : ORDERS[`${compared}`]];
  };
  return (
    <>
      <h3>{words().inspect.pair}</h3>
      <ol class="pair">
        <For each={props.readings}>
          {(one) => (
            <li>
              <p class="id">{one.text}</p>
              <p class="note">
                {titleOf(one)}
                {one.unixMs === null ? '' : ` · ${inUtc(one.unixMs)}`}
              </p>
            </li>
          )}
        </For>
      </ol>
      <dl class="times">
        <Show when={apart() !== undefined}>
          <dt>{words().inspect.difference}</dt>
          <dd data-testid="apart">{duration(apart() ?? 0)}</dd>
        </Show>
        <dt>{words().inspect.order}</dt>
        <dd data-testid="order">{order()}</dd>
      </dl>
    </>
  );
}

export function Inspect() {
  const found = createMemo(inspection);
  /** The inspection, if it is of that kind: for `Match`, which narrows no unions. */
  const as = <Kind extends ReturnType<typeof inspection>['kind']>(kind: Kind) => {
    const current = found();
    return current.kind === kind ? (current as Extract<typeof current, { kind: Kind }>) : undefined;
  };
  return (
    <Room
      name="inspect"
      lead={words().inspect.lead}
      share={() => ({
        id: subject().slice(0, 200),
        ...(picked() !== undefined && { as: picked() as string }),
      })}
    >
      <Show when={box().trim() === ''}>
        <p class="note">{words().inspect.ofGenerated}</p>
      </Show>
      <div data-testid="inspection" data-kind={found().kind}>
        <Switch>
          <Match when={as('id')}>{(one) => <OneId readings={one().readings} />}</Match>
          <Match when={as('pair')}>{(pair) => <Pair readings={pair().readings} />}</Match>
          <Match when={as('many')}>
            {(many) => (
              <>
                <OneId readings={many().first} />
                <p class="note warm">{words().inspect.many}</p>
                <button
                  type="button"
                  class="quiet"
                  onClick={() => {
                    setBatchText(many().text);
                    location.hash = '#batch';
                  }}
                >
                  {words().inspect.toBatch}
                </button>
              </>
            )}
          </Match>
          <Match when={as('broken')}>
            {(broken) => (
              <>
                <p class="kind warm">{words().inspect.wrong}</p>
                <MarkedText text={broken().text} faults={broken().faults} />
                <Show when={broken().fix}>
                  {(fix) => (
                    <div class="actions">
                      <button type="button" class="main" onClick={() => show(fix())}>
                        {words().inspect.fix}
                      </button>
                      <span class="mono">{fix()}</span>
                    </div>
                  )}
                </Show>
              </>
            )}
          </Match>
        </Switch>
      </div>
      <Same {...inspectSnippets(subject().trim())} />
    </Room>
  );
}
