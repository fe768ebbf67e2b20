// "For a time": the lowest and the highest ID of an instant, for range queries.
import { createMemo, createSignal, Show } from 'solid-js';
import { words } from '../i18n/index.js';
import { Choice } from '../ui/choice.jsx';
import { CopyButton } from '../ui/copy.jsx';
import { Field } from '../ui/field.jsx';
import { boundsAt } from './bounds.js';

export function ForTime() {
  const [kind, setKind] = createSignal<'v7' | 'kazahana'>('v7');
  const [text, setText] = createSignal('2026-01-01T00:00:00.000Z');
  const result = createMemo(() => boundsAt(kind(), text()));
  const bounds = () => {
    const found = result();
    return 'bounds' in found ? found.bounds : undefined;
  };
  const error = () => {
    const found = result();
    if ('bounds' in found) return undefined;
    return found.problem === 'time' ? words().forTime.badTime : words().forTime.outOfRange;
  };
  const row = (label: string, id: string) => (
    <div class="bound">
      <dt>{label}</dt>
      <dd>
        <span class="mono">{id}</span>
        <CopyButton text={() => id} name={`${words().copy}: ${label}`} />
      </dd>
    </div>
  );
  return (
    <section class="card for-time" aria-labelledby="for-time">
      <h2 id="for-time">{words().forTime.title}</h2>
      <p class="note">{words().forTime.lead}</p>
      <div class="controls">
        <Choice
          label={words().generate.kind}
          names={['v7', 'kazahana']}
          text={(name) => (name === 'v7' ? 'UUID v7' : words().chips.kazahana)}
          value={kind()}
          onChange={setKind}
        />
        <Field label={words().forTime.at} value={text()} onInput={setText} error={error()} mono />
      </div>
      <Show when={bounds()}>
        {(found) => (
          <dl class="bounds">
            {row(words().forTime.lowest, found().lowest)}
            {row(words().forTime.highest, found().highest)}
          </dl>
        )}
      </Show>
    </section>
  );
}
