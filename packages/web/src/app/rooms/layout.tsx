// Room 7: shares out 64 bits, and shows what they give.
import { DEFAULT_ID_LAYOUT, type IdLayout } from 'kazahana/layout';
import { createMemo, createSignal, For, Show } from 'solid-js';
import { count, words } from '../i18n/index.js';
import { type Design, design, toConfiguration } from '../state/layout-design.js';
import { inUtc } from '../state/moments.js';
import { opened } from '../state/opened.js';
import { readTime } from '../state/uuid-bounds.js';
import { CopyButton, saveText } from '../ui/copy.jsx';
import { Field } from '../ui/field.jsx';
import { OddsChart } from '../ui/odds-chart.jsx';
import { Range } from '../ui/range.jsx';
import { Room } from '../ui/room.jsx';
import { Same } from '../ui/same.jsx';
import { Scroll } from '../ui/scroll.jsx';
import { layoutSnippets } from './snippets.js';

const PARTS = ['bitReserve', 'bitTs', 'bitId', 'bitSeq'] as const;
const NAMES = { bitReserve: 'reserve', bitTs: 'ts', bitId: 'machine', bitSeq: 'seq' } as const;
const LIMITS = { bitReserve: [1, 20], bitTs: [30, 52], bitId: [1, 24], bitSeq: [1, 24] } as const;

function fromLink(values: Readonly<Record<string, string>>): IdLayout {
  const part = (text: string | undefined, otherwise: number) =>
    text !== undefined && /^\d{1,16}$/.test(text) ? Number(text) : otherwise;
  return {
    customEpoch: part(values.epoch, DEFAULT_ID_LAYOUT.customEpoch),
    bitReserve: part(values.reserve, DEFAULT_ID_LAYOUT.bitReserve),
    bitTs: part(values.ts, DEFAULT_ID_LAYOUT.bitTs),
    bitId: part(values.machine, DEFAULT_ID_LAYOUT.bitId),
    bitSeq: part(values.seq, DEFAULT_ID_LAYOUT.bitSeq),
  };
}

function Gives(props: { design: Design }) {
  const rows = () =>
    [
      [words().layout.years, words().layout.yearsValue(count(props.design.years, 1))],
      [words().layout.ends, inUtc(props.design.endsAt)],
      [
        words().layout.machines,
        words().layout.machinesValue(count(props.design.leasable), count(props.design.machines)),
      ],
      [
        words().layout.perMs,
        words().layout.perMsValue(count(props.design.idsPerMs), count(props.design.idsPerMsOfAll)),
      ],
    ] as const;
  return (
    <dl class="times" data-testid="gives">
      <For each={rows()}>
        {([term, text]) => (
          <>
            <dt>{term}</dt>
            <dd>{text}</dd>
          </>
        )}
      </For>
    </dl>
  );
}

export default function LayoutDesigner() {
  const [layout, setLayout] = createSignal(fromLink(opened('layout')));
  const [epoch, setEpoch] = createSignal(new Date(layout().customEpoch).toISOString().slice(0, 10));
  const epochMs = () => readTime(epoch());
  const result = createMemo(() => design(layout()));
  const designed = () => {
    const found = result();
    return 'design' in found ? found.design : undefined;
  };
  const problem = () => {
    const found = result();
    if ('design' in found) return '';
    return found.problem === 'sum' ? words().layout.sum(String(found.sum)) : words().layout.refused;
  };
  const configuration = () => toConfiguration(layout());
  /** A bar of 64 bits, each part as wide as it is. */
  const bar = () => PARTS.map((part, index) => ({ part, index, bits: layout()[part] }));

  return (
    <Room
      name="layout"
      lead={words().layout.lead}
      share={() => ({
        epoch: String(layout().customEpoch),
        reserve: String(layout().bitReserve),
        ts: String(layout().bitTs),
        machine: String(layout().bitId),
        seq: String(layout().bitSeq),
      })}
    >
      <div class="bar" aria-hidden="true">
        <For each={bar()}>
          {({ part, index, bits }) => (
            <span class={`field-${index}`} style={{ 'flex-grow': bits }}>
              <span>{words().layout[NAMES[part]]}</span> {bits}
            </span>
          )}
        </For>
      </div>
      <div class="sliders">
        <For each={PARTS}>
          {(part) => (
            <Range
              label={words().layout[NAMES[part]]}
              min={LIMITS[part][0]}
              max={LIMITS[part][1]}
              value={layout()[part]}
              text={String(layout()[part])}
              onInput={(value) => setLayout({ ...layout(), [part]: value })}
            />
          )}
        </For>
        <Field
          label={words().layout.epoch}
          mono
          value={epoch()}
          onInput={(text) => {
            setEpoch(text);
            const unixMs = readTime(text);
            if (unixMs !== undefined) setLayout({ ...layout(), customEpoch: unixMs });
          }}
          error={epochMs() === undefined ? words().layout.badEpoch : undefined}
        />
      </div>
      <Show
        when={designed()}
        fallback={
          <p class="warm" role="alert">
            {problem()}
          </p>
        }
      >
        {(found) => (
          <>
            <Gives design={found()} />
            <div>
              <h3>{words().layout.odds}</h3>
              <Show when={found().randomPlaces} fallback={<p class="note warm">{words().layout.noRandom}</p>}>
                {(places) => (
                  <>
                    <p class="note">{words().layout.oddsLead}</p>
                    <OddsChart places={places()} />
                  </>
                )}
              </Show>
            </div>
            <div class="code">
              <h3>{words().layout.configuration}</h3>
              <Scroll label={words().layout.configuration} testId="configuration">
                <pre>{configuration()}</pre>
              </Scroll>
              <div class="actions">
                <CopyButton text={configuration} name={`${words().copy}: ${words().layout.configuration}`} />
                <button
                  type="button"
                  class="quiet"
                  onClick={() => saveText(configuration(), 'kazahana.json', 'application/json')}
                >
                  {words().download}
                </button>
              </div>
            </div>
          </>
        )}
      </Show>
      <Same {...layoutSnippets(configuration(), JSON.stringify(layout()))} />
    </Room>
  );
}
