// What is too wide or too long scrolls in its own frame, which the keyboard reaches and screen readers name.
import type { JSX } from 'solid-js';

export function Scroll(props: { label: string; class?: string; testId?: string; children: JSX.Element }) {
  return (
    <section
      class={`scroll ${props.class ?? ''}`}
      tabindex="0"
      aria-label={props.label}
      data-testid={props.testId}
    >
      {props.children}
    </section>
  );
}
