// Whether the window is as narrow as a phone's, where rows have two lines. The style sheets ask for the same width.
import { createSignal } from 'solid-js';

const query = matchMedia('(max-width: 720px)');
const [isNarrow, setIsNarrow] = createSignal(query.matches);
query.addEventListener('change', ({ matches }) => setIsNarrow(matches));

export { isNarrow };
