// Two IDs beside each other: how far apart, in what order, how many bits differ, one maker or two.
import type { Certainty, Comparison as Compared, Reading } from 'kazahana/inspect';
import { createSignal, For, Show } from 'solid-js';
import { count, messageText, words } from '../i18n/index.js';
import { duration } from '../state/moments.js';
import { showGiven } from '../state/subject.js';
import type { BitRange } from '../ui/bit-digits.js';
import { BitPicture } from '../ui/bit-picture.jsx';
import { Moment } from '../ui/moment.jsx';
import { IdText } from './id-text.jsx';
import { PairPicture } from './pair-picture.jsx';

const ORDERS = { '-1': 'before', '0': 'equal', '1': 'after' } as const;

export function Comparison(props: { comparison: Compared; readings: readonly [Reading, Reading] }) {
  const [lit, setLit] = createSignal<BitRange>();
  const order = () =>
    words().compare[props.comparison.order === null ? 'unordered' : ORDERS[`${props.comparison.order}`]];
  /** Whether bits of the one stand for bits of the other. */
  const isAlike = () => props.comparison.differingBits !== null && props.readings[0].bits > 0;
  /** Both are no surer than the less sure of them. */
  const certainty = (): Certainty => {
    const both = props.readings.map((one) => one.certainty);
    return both.includes('unlikely') ? 'unlikely' : both.includes('possible') ? 'possible' : 'likely';
  };
  const facts = () => {
    const { msBetween, differingBits, equalFirstBits } = props.comparison;
    return [
      ...(msBetween === null ? [] : [['apart', words().compare.apart, duration(msBetween)] as const]),
      ['order', words().compare.order, order()] as const,
      ...(differingBits === null
        ? []
        : [
            [
              'bits',
              words().compare.bits,
              words().compare.bitsValue(count(differingBits), count(equalFirstBits ?? 0)),
            ] as const,
          ]),
      ['maker', words().compare.maker, messageText(props.comparison.makerNote)] as const,
    ];
  };
  return (
    <>
      <p class="says" data-testid="says">
        <b>{words().compare.says(props.readings[0].title, props.readings[1].title)}</b>
        <span class="more">
          <Show when={certainty() !== 'likely'}>
            {' · '}
            {words().certainty[certainty()]}
          </Show>
          <Show when={props.comparison.msBetween !== null}>
            {' · '}
            {words().compare.apartSays(duration(props.comparison.msBetween ?? 0))}
          </Show>
          {' · '}
          {order()}
        </span>
      </p>
      <dl class="figures compared">
        <For each={facts()}>
          {([name, term, text]) => (
            <div>
              <dt>{term}</dt>
              <dd data-testid={name}>{text}</dd>
            </div>
          )}
        </For>
      </dl>
      <section class="card drawn pair" aria-label={words().compare.title}>
        <For each={props.readings}>
          {(one) => (
            <div class="one">
              <IdText text={one.text} drawing={{ ...one, format: undefined }} />
              <div class="under">
                <p class="note">
                  {words().says.what[one.certainty](one.title)}
                  <Show when={one.time}>
                    {(time) => (
                      <>
                        {' · '}
                        <Moment unixMs={time().unixMs} />
                      </>
                    )}
                  </Show>
                </p>
                <button type="button" class="plain" onClick={() => showGiven(one.text)}>
                  {words().compare.alone}
                </button>
              </div>
              <Show when={!isAlike() && one.bits > 0}>
                <BitPicture drawing={one} title={one.title} lit={lit()} onLit={setLit} />
              </Show>
            </div>
          )}
        </For>
        <Show when={isAlike()}>
          <PairPicture readings={props.readings} lit={lit()} onLit={setLit} />
        </Show>
      </section>
    </>
  );
}
