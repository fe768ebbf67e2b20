// The time that "two minutes ago" is counted from: one signal for the page, which moves every few seconds and stands
// still in a page that is not in view.
import { createSignal } from 'solid-js';
import { environment } from './environment.js';

const STEP_MS = 5000;
const [now, setNow] = createSignal(environment.now());

export { now };

export async function runClock(): Promise<void> {
  for (;;) {
    await environment.sleep(STEP_MS);
    if (!document.hidden) setNow(environment.now());
  }
}
