// The text of the log; the box hands over what is too much for it.
import { createSignal } from 'solid-js';

export const [logText, setLogText] = createSignal('');
