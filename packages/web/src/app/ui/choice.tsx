// One of a few: a row of radio buttons that looks like a row of words.
import { createUniqueId, For } from 'solid-js';

export function Choice<Name extends string>(props: {
  label: string;
  names: readonly Name[];
  text: (name: Name) => string;
  /** Undefined: none of them. */
  value: Name | undefined;
  onChange: (name: Name) => void;
  disabled?: boolean;
  /** The label is for screen readers only. */
  isBare?: boolean;
}) {
  const group = createUniqueId();
  return (
    <fieldset class="choice" classList={{ bare: props.isBare ?? false }} disabled={props.disabled ?? false}>
      <legend>{props.label}</legend>
      <div class="choices">
        <For each={props.names}>
          {(name) => (
            <label>
              <input
                type="radio"
                name={group}
                value={name}
                checked={props.value === name}
                onChange={() => props.onChange(name)}
              />
              <span>{props.text(name)}</span>
            </label>
          )}
        </For>
      </div>
    </fieldset>
  );
}
