// A text or number field with its label, its hint, and what is wrong with what stands in it.
import { createUniqueId, Show } from 'solid-js';

export function Field(props: {
  label: string;
  value: string;
  onInput: (value: string) => void;
  onEnter?: () => void;
  hint?: string;
  error?: string | undefined;
  type?: 'text' | 'number' | 'password' | 'search';
  mono?: boolean;
  min?: number;
  max?: number;
  class?: string;
  /** The label is for screen readers, and stands in the empty field. */
  isBare?: boolean;
}) {
  const id = createUniqueId();
  return (
    <div class={`field ${props.class ?? ''}`}>
      <label for={id} classList={{ unseen: props.isBare ?? false }}>
        {props.label}
      </label>
      <input
        id={id}
        type={props.type ?? 'text'}
        classList={{ mono: props.mono ?? false }}
        value={props.value}
        min={props.min}
        max={props.max}
        placeholder={props.isBare ? props.label : undefined}
        autocomplete="off"
        spellcheck={false}
        aria-invalid={props.error !== undefined}
        aria-describedby={`${id}-note`}
        onInput={(event) => props.onInput(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && !event.isComposing) props.onEnter?.();
        }}
      />
      <p class="note" id={`${id}-note`} classList={{ warm: props.error !== undefined }}>
        <Show when={props.error} fallback={props.hint}>
          {props.error}
        </Show>
      </p>
    </div>
  );
}
