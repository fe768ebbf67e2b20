// The recogniser of `kazahana/inspect`, which knows every format, is loaded when the first ID has been painted.
import { createSignal } from 'solid-js';

type Recogniser = typeof import('./answer.js');

const [recogniser, setRecogniser] = createSignal<Recogniser>();
let loading: Promise<Recogniser> | undefined;

export { recogniser };

export function loadRecogniser(): Promise<Recogniser> {
  loading ??= import('./answer.js').then((loaded) => {
    setRecogniser(() => loaded);
    return loaded;
  });
  return loading;
}
