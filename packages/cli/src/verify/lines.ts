// The lines of a file or a stream as bytes: text for each of millions would be most of the work. In bounded memory,
// whatever the lines are.
import { createReadStream } from 'node:fs';
import type { TemporaryFile } from './temporary-file.js';

const CHUNK_BYTES = 2 ** 18;
/** No ID is longer; of a longer line the beginning is enough to say that it is none. */
const MAX_LINE = 256;
const LF = 10;
const CR = 13;

/** A line is `bytes` from `start` to `end`, and valid during the call only. */
export type OnLine = (bytes: Uint8Array, start: number, end: number) => void;

/** A file by its name, `-` for stdin, or a file that is open, from its beginning. */
export type LineSource = string | TemporaryFile;

function open(source: LineSource): AsyncIterable<Uint8Array> {
  if (source === '-') return process.stdin;
  const highWaterMark = CHUNK_BYTES;
  if (typeof source === 'string') return createReadStream(source, { highWaterMark });
  return createReadStream('', { fd: source.descriptor, start: 0, autoClose: false, highWaterMark });
}

/** Calls back for every line; `onChunk` sees all bytes before their lines are. */
export async function readLines(
  source: LineSource,
  onLine: OnLine,
  onChunk: (chunk: Uint8Array) => void,
): Promise<void> {
  const lines = new LineSplitter(onLine);
  for await (const chunk of open(source)) {
    onChunk(chunk);
    lines.add(chunk);
  }
  lines.end();
}

export class LineSplitter {
  readonly #onLine: OnLine;
  /** The beginning of a line whose end has not come yet. */
  readonly #rest = new Uint8Array(MAX_LINE);
  #restLength = 0;

  constructor(onLine: OnLine) {
    this.#onLine = onLine;
  }

  add(chunk: Uint8Array): void {
    let start = 0;
    for (let end = chunk.indexOf(LF); end !== -1; end = chunk.indexOf(LF, start)) {
      if (this.#restLength === 0) this.#give(chunk, start, end);
      else {
        this.#keep(chunk, start, end);
        this.#flush();
      }
      start = end + 1;
    }
    this.#keep(chunk, start, chunk.length);
  }

  /** The last line need not end. */
  end(): void {
    if (this.#restLength > 0) this.#flush();
  }

  #keep(chunk: Uint8Array, start: number, end: number): void {
    const part = chunk.subarray(start, Math.min(end, start + MAX_LINE - this.#restLength));
    this.#rest.set(part, this.#restLength);
    this.#restLength += part.length;
  }

  #flush(): void {
    const length = this.#restLength;
    this.#restLength = 0;
    this.#give(this.#rest, 0, length);
  }

  #give(bytes: Uint8Array, start: number, end: number): void {
    this.#onLine(bytes, start, end > start && bytes[end - 1] === CR ? end - 1 : end);
  }
}
