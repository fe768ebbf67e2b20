// A pool, live or simulated: how full, figures, map, leases.
import { createMemo, For, Show } from 'solid-js';
import { count, words } from '../i18n/index.js';
import { duration, moment } from '../state/moments.js';
import { settings } from '../state/settings.js';
import { FillBar } from './fill-bar.jsx';
import { PoolMap } from './pool-map.jsx';
import { type PoolView, storeTime, summarise } from './pool-state.js';
import { PoolTable } from './pool-table.jsx';

export function PoolPicture(props: { view: PoolView; now: number }) {
  const at = () => storeTime(props.view, props.now);
  const summary = createMemo(() => summarise(props.view, at()));
  const figures = () => {
    const { held, free, kept, grantsPerMinute, remainingPerMs, next } = summary();
    return [
      ['held', words().pool.held, count(held)],
      ['free', words().pool.free, count(free)],
      ['kept', words().pool.kept, count(kept)],
      ['rate', words().pool.rate, count(grantsPerMinute)],
      ['capacity', words().pool.capacity, words().pool.capacityValue(count(remainingPerMs))],
      [
        'next',
        words().pool.next,
        // Whole seconds: the clock of the page has no finer ones.
        next ? duration(Math.max(1000, Math.round((next.expired - at()) / 1000) * 1000), 'short') : '—',
        next && words().pool.nextValue(count(next.id)),
      ],
    ] as const;
  };
  return (
    <>
      <Show when={summary().free === 0}>
        <p class="warm" role="alert" data-testid="full">
          {words().pool.full}
        </p>
      </Show>
      <Show when={props.view.pool.quarantinedUntil > at()}>
        <p class="warm" role="alert">
          {words().pool.quarantine(moment(props.view.pool.quarantinedUntil, settings().time, at()))}
        </p>
      </Show>
      <FillBar summary={summary()} slots={props.view.pool.slots} />
      <dl class="figures">
        <For each={figures()}>
          {([name, term, text, note]) => (
            <div>
              <dt>{term}</dt>
              <dd data-testid={`pool-${name}`}>
                {text}
                <Show when={note}>
                  {' '}
                  <span class="note">{note}</span>
                </Show>
              </dd>
            </div>
          )}
        </For>
      </dl>
      <PoolMap view={props.view} summary={summary()} at={at()} />
      <PoolTable view={props.view} at={at()} />
    </>
  );
}
