// Room 6: Estelle IDs. Sliders, integer and bits are three views of one number.
import { createMemo, createSignal, For, Show } from 'solid-js';
import { words } from '../i18n/index.js';
import { drawAs, flip } from '../state/drawing.js';
import {
  bitsOf,
  branchOf,
  changeLevel,
  encode,
  isAllowed,
  LEVELS,
  type Level,
  type Slider,
  slidersOf,
} from '../state/hierarchy.js';
import { opened } from '../state/opened.js';
import { BitPicture } from '../ui/bit-picture.jsx';
import { Choice } from '../ui/choice.jsx';
import { CopyButton } from '../ui/copy.jsx';
import { Field } from '../ui/field.jsx';
import { FieldTable } from '../ui/field-table.jsx';
import { Range } from '../ui/range.jsx';
import { Room } from '../ui/room.jsx';
import { Same } from '../ui/same.jsx';
import { hierarchySnippets } from './snippets.js';

const EXAMPLE = 8786953;

function Tree(props: { level: Level; id: number }) {
  return (
    <ol class="tree" aria-label={words().hierarchy.tree} data-testid="tree">
      <For each={branchOf(props.level, props.id)}>
        {(node, depth) => (
          <li style={{ '--depth': depth() }}>
            <span class="faint">
              {node.title === 'environment' ? words().hierarchy.envId : words().hierarchy.levels[node.title]}
            </span>{' '}
            <span>{node.label}</span>{' '}
            <span class="mono">{node.title === 'environment' ? '' : `= ${node.id}`}</span>
          </li>
        )}
      </For>
    </ol>
  );
}

export default function Hierarchy() {
  const shared = Number(opened('hierarchy').id ?? '');
  const start = LEVELS.toReversed().find((level) => isAllowed(level, shared));
  const [level, setLevel] = createSignal<Level>(start ?? 'conversation');
  const [id, setId] = createSignal(start ? shared : EXAMPLE);
  const [typed, setTyped] = createSignal<string>();
  const [lit, setLit] = createSignal<readonly [number, number]>();
  const drawing = createMemo(() => drawAs(level(), BigInt(id())));
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
    <Room name="hierarchy" lead={words().hierarchy.lead} share={() => ({ id: String(id()) })}>
      <div class="controls">
        <Choice
          label={words().hierarchy.level}
          names={LEVELS}
          text={(name) => words().hierarchy.levels[name]}
          value={level()}
          onChange={(to) => {
            const safe = allowed() ? id() : encode(level(), {});
            const changed = changeLevel(level(), safe, to);
            setLevel(to);
            take(changed);
          }}
        />
        <Field
          label={words().hierarchy.integer}
          mono
          class="large"
          value={typed() ?? String(id())}
          onInput={type}
          error={typed() !== undefined || !allowed() ? words().hierarchy.bad : undefined}
        />
        <CopyButton text={() => String(id())} name={`${words().copy}: ${words().hierarchy.integer}`} />
      </div>
      <div class="sliders">
        <For each={slidersOf(level(), id()).map(({ name }) => name)}>
          {(name) => (
            <Show when={slidersOf(level(), id()).find((slider) => slider.name === name)}>
              {(slider) => (
                <Range
                  label={words().hierarchy[name]}
                  hint={words().hierarchy.range(String(slider().min), String(slider().max))}
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
        <p class="note">{words().hierarchy.clientEnds}</p>
      </Show>
      <BitPicture
        drawing={drawing()}
        title={words().hierarchy.levels[level()]}
        lit={lit()}
        onLit={setLit}
        onFlip={(index) => take(Number(flip(BigInt(id()), bitsOf(level()), index)))}
      />
      <FieldTable
        fields={drawing().fields}
        lit={lit()}
        onLit={setLit}
        caption={words().bits.picture(words().hierarchy.levels[level()], String(bitsOf(level())))}
      />
      <Show when={allowed()} fallback={<p class="note warm">{words().hierarchy.bad}</p>}>
        <Tree level={level()} id={id()} />
      </Show>
      <Same {...hierarchySnippets(level(), id())} />
    </Room>
  );
}
