// Estelle IDs. Sliders, integer and bits are three views of one number.
import { createEffect, createMemo, createSignal, For, on, Show } from 'solid-js';
import { words } from '../i18n/index.js';
import { flip } from '../state/flip.js';
import { address } from '../state/location.js';
import { estelleSnippets } from '../state/snippets.js';
import { BitPicture } from '../ui/bit-picture.jsx';
import { Choice } from '../ui/choice.jsx';
import { CodeTabs } from '../ui/code-tabs.jsx';
import { CopyButton } from '../ui/copy.jsx';
import { Field } from '../ui/field.jsx';
import { FieldTable } from '../ui/field-table.jsx';
import { Range } from '../ui/range.jsx';
import { RouteHead } from '../ui/route-head.jsx';
import {
  bitsOf,
  branchOf,
  changeLevel,
  drawEstelle,
  encode,
  isAllowed,
  LEVELS,
  type Level,
  type Slider,
  slidersOf,
} from './estelle-fields.js';

const EXAMPLE = 8786953;

// Kept while the reader looks at another route.
const [level, setLevel] = createSignal<Level>('conversation');
const [id, setId] = createSignal(EXAMPLE);

function Tree(props: { level: Level; id: number }) {
  return (
    <ol class="tree" aria-label={words().estelle.tree} data-testid="tree">
      <For each={branchOf(props.level, props.id)}>
        {(node, depth) => (
          <li style={{ '--depth': depth() }}>
            <span class="faint">
              {node.title === 'environment' ? words().estelle.envId : words().estelle.levels[node.title]}
            </span>{' '}
            <span>{node.label}</span>{' '}
            <span class="mono">{node.title === 'environment' ? '' : `= ${node.id}`}</span>
          </li>
        )}
      </For>
    </ol>
  );
}

export default function Estelle() {
  createEffect(
    on(address, ({ part, values }) => {
      const linked = Number(values.id ?? '');
      const found = LEVELS.toReversed().find((name) => isAllowed(name, linked));
      if (part !== '64-bit/estelle' || values.id === undefined || !found) return;
      setLevel(found);
      setId(linked);
    }),
  );
  const [typed, setTyped] = createSignal<string>();
  const [lit, setLit] = createSignal<readonly [number, number]>();
  const drawing = createMemo(() => drawEstelle(level(), id()));
  const allowed = () => isAllowed(level(), id());

  const take = (number: number) => {
    setId(number);
    setTyped(undefined);
  };
  const type = (text: string) => {
    setTyped(text);
    const number = /^\d{1,8}$/.test(text.trim()) ? Number(text) : -1;
    if (isAllowed(level(), number)) take(number);
  };
  const slide = ({ name }: Slider, value: number) => {
    const values = Object.fromEntries(slidersOf(level(), id()).map((slider) => [slider.name, slider.value]));
    // A bit that was flipped may have left another field outside its range; the slider's own value is right.
    const inRange = slidersOf(level(), id()).map(({ name: other, min, max, value: before }) => [
      other,
      Math.min(max, Math.max(min, before)),
    ]);
    take(encode(level(), { ...values, ...Object.fromEntries(inRange), [name]: value }));
  };
  const sliderText = ({ name, value }: Slider) =>
    name === 'envId' ? `${value} · ${['release', 'stage', 'dev'][value] ?? '?'}` : String(value);

  return (
    <>
      <RouteHead part="64-bit/estelle" share={() => ({ id: String(id()) })} />
      <div class="section">
        <p class="note">{words().estelle.lead}</p>
        <div class="controls">
          <Choice
            label={words().estelle.level}
            names={LEVELS}
            text={(name) => words().estelle.levels[name]}
            value={level()}
            onChange={(to) => {
              const safe = allowed() ? id() : encode(level(), {});
              const changed = changeLevel(level(), safe, to);
              setLevel(to);
              take(changed);
            }}
          />
          <Field
            label={words().estelle.integer}
            mono
            class="large"
            value={typed() ?? String(id())}
            onInput={type}
            error={typed() !== undefined || !allowed() ? words().estelle.bad : undefined}
          />
          <CopyButton text={() => String(id())} name={`${words().copy}: ${words().estelle.integer}`} />
        </div>
        <div class="sliders">
          <For each={slidersOf(level(), id()).map(({ name }) => name)}>
            {(name) => (
              <Show when={slidersOf(level(), id()).find((slider) => slider.name === name)}>
                {(slider) => (
                  <Range
                    label={words().estelle[name]}
                    hint={words().estelle.range(String(slider().min), String(slider().max))}
                    min={slider().min}
                    max={slider().max}
                    value={slider().value}
                    text={sliderText(slider())}
                    onInput={(value) => slide(slider(), value)}
                  />
                )}
              </Show>
            )}
          </For>
        </div>
        <Show when={level() === 'client'}>
          <p class="note">{words().estelle.clientEnds}</p>
        </Show>
        <div class="card drawn">
          <BitPicture
            drawing={drawing()}
            title={words().estelle.levels[level()]}
            lit={lit()}
            onLit={setLit}
            onFlip={(index) => take(Number(flip(BigInt(id()), bitsOf(level()), index)))}
          />
        </div>
        <FieldTable
          fields={drawing().fields}
          lit={lit()}
          onLit={setLit}
          caption={words().bits.fieldsOf(words().estelle.levels[level()])}
        />
        <Show when={allowed()} fallback={<p class="note warm">{words().estelle.bad}</p>}>
          <Tree level={level()} id={id()} />
        </Show>
        <CodeTabs {...estelleSnippets(level(), id())} />
      </div>
    </>
  );
}
