// Shares out 64 bits, and shows what they give.
import { DEFAULT_ID_LAYOUT, type IdLayout } from 'kazahana/layout';
import { createEffect, createMemo, createSignal, For, on, Show } from 'solid-js';
import { count, words } from '../i18n/index.js';
import { address } from '../state/location.js';
import { layoutSnippets } from '../state/snippets.js';
import { readTime } from '../state/written-time.js';
import { CodeTabs } from '../ui/code-tabs.jsx';
import { CopyButton, saveText } from '../ui/copy.jsx';
import { Field } from '../ui/field.jsx';
import { Moment } from '../ui/moment.jsx';
import { RouteHead } from '../ui/route-head.jsx';
import { Scroll } from '../ui/scroll.jsx';
import { isAllowed, PARTS } from './dividers.js';
import { LayoutBar } from './layout-bar.jsx';
import {
  type Design,
  designOf,
  fromLink,
  type LinkProblem,
  PRESETS,
  type PresetName,
  toConfiguration,
  toLink,
} from './layout-design.js';
import { OddsChart } from './odds-chart.jsx';

// Kept while the reader looks at another route.
const [layout, setLayout] = createSignal<IdLayout>(DEFAULT_ID_LAYOUT);
const [epochText, setEpochText] = createSignal(dayOf(DEFAULT_ID_LAYOUT));

function dayOf({ customEpoch }: IdLayout): string {
  const iso = new Date(customEpoch).toISOString();
  return iso.endsWith('T00:00:00.000Z') ? iso.slice(0, 10) : iso;
}

function take(wanted: IdLayout): void {
  setLayout(wanted);
  setEpochText(dayOf(wanted));
}

function Gives(props: { design: Design }) {
  const rows = () =>
    [
      ['years', words().layout.years, words().layout.yearsValue(count(props.design.years, 1))],
      [
        'machines',
        words().layout.machines,
        words().layout.machinesValue(count(props.design.leasable), count(props.design.machines)),
      ],
      [
        'perMs',
        words().layout.perMs,
        words().layout.perMsValue(count(props.design.idsPerMs), count(props.design.idsPerMsOfAll)),
      ],
    ] as const;
  return (
    <dl class="figures" data-testid="gives">
      <For each={rows()}>
        {([, term, text]) => (
          <div>
            <dt>{term}</dt>
            <dd>{text}</dd>
          </div>
        )}
      </For>
      <div>
        <dt>{words().layout.ends}</dt>
        <dd>
          <Moment unixMs={props.design.endsAt} />
        </dd>
      </div>
    </dl>
  );
}

export default function LayoutDesigner() {
  const [problem, setProblem] = createSignal<LinkProblem>();
  createEffect(
    on(address, ({ part, values }) => {
      if (part !== '64-bit/layout' || Object.keys(values).length === 0) return;
      const linked = fromLink(values);
      setProblem('problem' in linked ? linked.problem : undefined);
      if ('layout' in linked) take(linked.layout);
    }),
  );
  const change = (wanted: IdLayout) => {
    setProblem(undefined);
    setLayout(wanted);
  };
  const typeEpoch = (text: string) => {
    setEpochText(text);
    setProblem(undefined);
    const customEpoch = readTime(text);
    if (customEpoch !== undefined && isAllowed({ ...layout(), customEpoch }))
      setLayout({ ...layout(), customEpoch });
  };
  const epochError = () => {
    const customEpoch = readTime(epochText());
    if (customEpoch === undefined) return words().layout.badEpoch;
    return isAllowed({ ...layout(), customEpoch }) ? undefined : words().layout.epochRange;
  };
  const preset = (): PresetName | undefined =>
    (Object.keys(PRESETS) as PresetName[]).find(
      (name) =>
        PRESETS[name].customEpoch === layout().customEpoch &&
        PARTS.every((part) => PRESETS[name][part] === layout()[part]),
    );
  const design = createMemo(() => designOf(layout()));
  const configuration = () => toConfiguration(layout());
  return (
    <>
      <RouteHead part="64-bit/layout" share={() => toLink(layout())} />
      <div class="section">
        <Show when={problem()}>
          {(wrong) => (
            <p class="warm" role="alert" data-testid="link-problem">
              {words().layout.linkProblems[wrong()]}
            </p>
          )}
        </Show>
        <div class="controls">
          <fieldset class="chips" aria-label={words().layout.presets}>
            <For each={Object.keys(PRESETS) as PresetName[]}>
              {(name) => (
                <button
                  type="button"
                  class="chip"
                  aria-pressed={preset() === name}
                  onClick={() => {
                    setProblem(undefined);
                    take(PRESETS[name]);
                  }}
                >
                  {words().layout.presetNames[name]}
                </button>
              )}
            </For>
          </fieldset>
          <div class="end">
            <Field
              label={words().layout.epoch}
              mono
              value={epochText()}
              onInput={typeEpoch}
              error={epochError()}
            />
          </div>
        </div>
        <div>
          <LayoutBar layout={layout()} onChange={change} />
          <p class="note">{words().layout.lead}</p>
        </div>
        <Gives design={design()} />
        <div class="columns">
          <section class="card" aria-labelledby="odds">
            <h2 id="odds">{words().layout.odds}</h2>
            <Show when={design().randomPlaces} fallback={<p class="note warm">{words().layout.noRandom}</p>}>
              {(places) => (
                <>
                  <p class="note">{words().layout.oddsLead}</p>
                  <OddsChart places={places()} />
                </>
              )}
            </Show>
          </section>
          <div class="stack">
            <section class="card" aria-labelledby="configuration">
              <div class="code-head">
                <h2 id="configuration">{words().layout.configuration}</h2>
                <div class="actions">
                  <CopyButton
                    class="plain"
                    text={configuration}
                    name={`${words().copy}: ${words().layout.configuration}`}
                  />
                  <button
                    type="button"
                    class="plain"
                    onClick={() => saveText(configuration(), 'kazahana.json', 'application/json')}
                  >
                    {words().download}
                  </button>
                </div>
              </div>
              <Scroll label={words().layout.configuration} testId="configuration">
                <pre>{configuration()}</pre>
              </Scroll>
            </section>
            <CodeTabs {...layoutSnippets(configuration(), JSON.stringify(layout()))} />
          </div>
        </div>
      </div>
    </>
  );
}
