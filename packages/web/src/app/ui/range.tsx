// A slider with its label and its value in words.
import { createUniqueId } from 'solid-js';

export function Range(props: {
  label: string;
  min: number;
  max: number;
  step?: number;
  value: number;
  text: string;
  hint?: string;
  onInput: (value: number) => void;
}) {
  const id = createUniqueId();
  return (
    <div class="range">
      <label for={id}>{props.label}</label>
      <output for={id}>{props.text}</output>
      <input
        id={id}
        type="range"
        min={props.min}
        max={props.max}
        step={props.step ?? 1}
        value={props.value}
        aria-valuetext={props.text}
        onInput={(event) => props.onInput(event.currentTarget.valueAsNumber)}
      />
      <span class="note">{props.hint}</span>
    </div>
  );
}
