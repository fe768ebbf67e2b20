// Reads a log away from the page, so that the page stays awake however long the text is. Rows go over in parts: unpacking
// all of them at once would keep the page busy.
import { analyse, type IdRow, type IdRows } from '../many/id-rows.js';

interface Work {
  readonly number: number;
  readonly text: string;
  readonly now: number;
}

/** The totals come with the last part. */
export interface WorkDone {
  readonly number: number;
  readonly rows: readonly IdRow[];
  readonly totals?: Omit<IdRows, 'rows'>;
}

const ROWS_OF_A_PART = 500;

addEventListener('message', ({ data }: MessageEvent<Work>) => {
  const { rows, ...totals } = analyse(data.text, data.now);
  const send = (part: Omit<WorkDone, 'number'>) => postMessage({ number: data.number, ...part });
  for (let from = 0; from < rows.length; from += ROWS_OF_A_PART) {
    send({ rows: rows.slice(from, from + ROWS_OF_A_PART) });
  }
  send({ rows: [], totals });
});
