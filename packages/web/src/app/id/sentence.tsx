// The answer in one sentence: what it is, when it was made, and what else follows from its bits.
import type { Reading, ReadingTime } from 'kazahana/inspect';
import { For, Show } from 'solid-js';
import { count, messageText, words } from '../i18n/index.js';
import { now } from '../state/clock.js';
import { inRelation, spoken } from '../state/moments.js';
import { settings } from '../state/settings.js';

export function Sentence(props: {
  reading: Reading;
  hasSession: boolean;
  /** It was made here: there is nothing to guess. */
  isKnown: boolean;
}) {
  /** The time in the words of the setting, and in those of another. */
  const times = (time: ReadingTime) => {
    const { time: mode } = settings();
    const relative = inRelation(time.unixMs, now());
    return mode === 'relative' ? [relative, spoken(time, 'utc')] : [spoken(time, mode), relative];
  };
  const more = () => {
    const { time, order, randomBits, maker, family } = props.reading;
    return [
      ...(time ? times(time).slice(1) : []),
      ...(maker && family !== 'time' ? [words().says.maker(maker.field, maker.text)] : []),
      ...(order === 'time' ? [words().says.sorts] : []),
      ...(props.hasSession ? [words().says.session] : []),
      ...(randomBits && !props.hasSession ? [words().says.random(count(randomBits))] : []),
    ];
  };
  return (
    <p class="says" data-testid="says">
      <b>{words().says.what[props.isKnown ? 'likely' : props.reading.certainty](props.reading.title)}</b>
      <Show when={props.reading.time}>
        {(time) => (
          <>
            {words().says.created(props.reading.family === 'time')}
            <b data-testid="time">{times(time())[0]}</b>
          </>
        )}
      </Show>
      <span class="more">
        <For each={more()}>{(part) => <> · {part}</>}</For>
        <Show
          when={!props.reading.time && props.reading.randomBits === null && props.reading.notes.length === 0}
        >
          {' · '}
          {words().says.noTime}
        </Show>
      </span>
    </p>
  );
}

/** How sure the reading is, and why; nothing for what is certain by its form. */
export function Certainty(props: { reading: Reading }) {
  return (
    <span class={`sure ${props.reading.certainty}`} title={messageText(props.reading.reason)}>
      {words().certainty[props.reading.certainty]}
    </span>
  );
}
