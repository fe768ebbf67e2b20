// The odds of random fallback over the number of clients, both logarithmic; a table says the same.

import { oddsOfMeeting } from 'kazahana';
import { For } from 'solid-js';
import { count, language, words } from '../i18n/index.js';
import { Scroll } from '../ui/scroll.jsx';

/** As wide as it is drawn on a laptop, so that its letters are as large as others; a phone draws it at two thirds. */
const WIDTH = 500;
const HEIGHT = 270;
const PLOT = { left: 76, right: 476, top: 14, bottom: 232 };
const CLIENTS = [2, 5, 10, 20, 50, 100, 200, 500, 1000];
const MAX_CLIENTS = 1000;
const EACH = [1, 16, 256];
/** Labels end above their curves here, where these are well apart. */
const LABEL_AT = 10;
const MIN_POWER = -9;
const POWERS = [0, -3, -6, -9];

const x = (clients: number) =>
  PLOT.left + (Math.log(clients / 2) / Math.log(MAX_CLIENTS / 2)) * (PLOT.right - PLOT.left);
const y = (odds: number) =>
  PLOT.top + (Math.max(MIN_POWER, Math.log10(odds)) / MIN_POWER) * (PLOT.bottom - PLOT.top);

function oddsText(odds: number): string {
  if (odds > 0.999) return words().layout.oddsCertain;
  if (odds >= 0.1) return words().layout.oddsPercent(count(odds * 100));
  return words().layout.oddsOne(count(Number((1 / odds).toPrecision(2))));
}

/** Short enough for the axis: 1 in 1M. */
function axisText(odds: number): string {
  if (odds === 1) return words().layout.oddsCertain;
  return words().layout.oddsOne(new Intl.NumberFormat(language(), { notation: 'compact' }).format(1 / odds));
}

export function OddsChart(props: { places: number }) {
  const steps = Array.from({ length: 49 }, (_, i) => Math.round(2 * (MAX_CLIENTS / 2) ** (i / 48)));
  const line = (each: number) =>
    [...new Set(steps)]
      .map(
        (clients) => `${x(clients).toFixed(1)},${y(oddsOfMeeting(clients, each, props.places)).toFixed(1)}`,
      )
      .join(' ');
  const shown = [2, 10, 100, 1000];
  return (
    <>
      <svg class="chart" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
        <For each={POWERS}>
          {(power) => (
            <>
              <path class="grid" d={`M${PLOT.left} ${y(10 ** power)}H${PLOT.right}`} />
              <text class="axis" x={PLOT.left - 10} y={y(10 ** power) + 4} text-anchor="end">
                {axisText(10 ** power)}
              </text>
            </>
          )}
        </For>
        <For each={CLIENTS}>
          {(clients) => (
            <>
              <path class="grid" d={`M${x(clients)} ${PLOT.top}V${PLOT.bottom}`} />
              <text class="axis" x={x(clients)} y={PLOT.bottom + 18} text-anchor="middle">
                {count(clients)}
              </text>
            </>
          )}
        </For>
        <text class="axis" x={(PLOT.left + PLOT.right) / 2} y={HEIGHT - 4} text-anchor="middle">
          {words().layout.oddsClients}
        </text>
        <For each={EACH}>
          {(each, index) => <polyline class={`curve curve-${index()}`} points={line(each)} />}
        </For>
        <For each={EACH}>
          {(each) => (
            <text
              class="axis of-curve"
              x={x(LABEL_AT) - 6}
              y={y(oddsOfMeeting(LABEL_AT, each, props.places)) - 7}
              text-anchor="end"
            >
              {words().layout.oddsChart(count(each))}
            </text>
          )}
        </For>
      </svg>
      <Scroll label={words().layout.odds}>
        <table>
          <thead>
            <tr>
              <th scope="col">{words().layout.oddsClients}</th>
              <For each={EACH}>{(each) => <th scope="col">{words().layout.oddsChart(count(each))}</th>}</For>
            </tr>
          </thead>
          <tbody>
            <For each={shown}>
              {(clients) => (
                <tr>
                  <th scope="row">{count(clients)}</th>
                  <For each={EACH}>
                    {(each) => <td>{oddsText(oddsOfMeeting(clients, each, props.places))}</td>}
                  </For>
                </tr>
              )}
            </For>
          </tbody>
        </table>
      </Scroll>
    </>
  );
}
