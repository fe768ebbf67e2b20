// How full a pool is, as a bar: a piece for each service, what is kept for fallback, and what is free.
import { For, Show } from 'solid-js';
import { count, language, words } from '../i18n/index.js';
import type { PoolSummary } from './pool-state.js';

const COLOURS = 5;

export function FillBar(props: { summary: PoolSummary; slots: number }) {
  const percent = () =>
    new Intl.NumberFormat(language(), { style: 'percent', maximumFractionDigits: 1 }).format(
      (props.summary.held + props.summary.kept) / props.slots,
    );
  const widthOf = (held: number) => ({ width: `${(held / props.slots) * 100}%` });
  return (
    <section class="card fill" aria-label={words().pool.fill}>
      <p data-testid="fill">
        <b class="percent">{percent()}</b>{' '}
        {words().pool.fillValue(count(props.summary.held), count(props.slots))}
      </p>
      <div class="fill-bar" aria-hidden="true">
        <For each={props.summary.services}>
          {({ held }, index) => (
            <span style={{ ...widthOf(held), '--chip': `var(--service-${index() % COLOURS})` }} />
          )}
        </For>
        <span class="kept" style={widthOf(props.summary.kept)} />
      </div>
      <ul class="legend" aria-label={words().pool.services}>
        <For each={props.summary.services} fallback={<li class="note">{words().pool.none}</li>}>
          {({ serviceId, held }, index) => (
            <li>
              <span
                class="swatch"
                style={{ '--chip': `var(--service-${index() % COLOURS})` }}
                aria-hidden="true"
              />
              {serviceId} <b class="num">{count(held)}</b>
            </li>
          )}
        </For>
        <Show when={props.summary.kept > 0}>
          <li>
            <span class="swatch kept" aria-hidden="true" />
            {words().pool.kept} <b class="num">{count(props.summary.kept)}</b>
          </li>
        </Show>
      </ul>
    </section>
  );
}
