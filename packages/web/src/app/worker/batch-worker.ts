// Reads a batch away from the page, so that the page stays awake however long the text is.
import { analyse } from '../state/batch.js';

interface Work {
  readonly number: number;
  readonly text: string;
  readonly now: number;
}

addEventListener('message', ({ data }: MessageEvent<Work>) => {
  postMessage({ number: data.number, batch: analyse(data.text, data.now) });
});
