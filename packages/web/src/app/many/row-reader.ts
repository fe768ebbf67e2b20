// Reads texts in a worker, one after another; only the newest counts.
import { createSignal, onCleanup } from 'solid-js';
import { environment } from '../state/environment.js';
import type { WorkDone } from '../worker/log-worker.js';
import { type IdRow, type IdRows, NO_ROWS } from './id-rows.js';

export function createRowReader(onFound: (found: IdRows) => void = () => {}) {
  const worker = new Worker(new URL('../worker/log-worker.ts', import.meta.url), { type: 'module' });
  onCleanup(() => worker.terminate());
  const [found, setFound] = createSignal<IdRows>(NO_ROWS);
  const [isBusy, setIsBusy] = createSignal(false);
  let newest = 0;
  let parts: IdRow[][] = [];
  worker.addEventListener('message', ({ data: { number, rows, totals } }: MessageEvent<WorkDone>) => {
    if (number !== newest) return;
    parts.push([...rows]);
    if (!totals) return;
    const complete = { rows: parts.flat(), ...totals };
    setFound(complete);
    setIsBusy(false);
    onFound(complete);
  });
  const read = (text: string) => {
    newest++;
    parts = [];
    const isEmpty = text.trim() === '';
    setIsBusy(!isEmpty);
    if (isEmpty) setFound(NO_ROWS);
    else worker.postMessage({ number: newest, text, now: environment.now() });
  };
  return { found, isBusy, read };
}
