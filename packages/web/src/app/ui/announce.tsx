// What happened, for readers who do not see it: one polite live region for the page.
import { createSignal } from 'solid-js';

const [message, setMessage] = createSignal('');

export function announce(text: string): void {
  // The same words twice are said twice only if they differ.
  setMessage((before) => (before === text ? `${text}\u00a0` : text));
}

export function Announcer() {
  return (
    <p class="unseen" role="status" aria-live="polite">
      {message()}
    </p>
  );
}
