// A file for what does not fit into memory. Its name is gone at once, so that nothing is left behind however the process
// ends.
import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export class TemporaryFile {
  readonly descriptor: number;

  constructor() {
    const folder = mkdtempSync(join(tmpdir(), 'kazahana-verify-'));
    this.descriptor = openSync(join(folder, 'data'), 'w+');
    rmSync(folder, { recursive: true });
  }

  /** Appends. */
  write(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; ) at += writeSync(this.descriptor, bytes, at);
  }

  /** Fills the array from a place in the file. */
  read(bytes: Uint8Array, place: number): void {
    for (let at = 0; at < bytes.length; ) {
      const read = readSync(this.descriptor, bytes, at, bytes.length - at, place + at);
      if (read === 0) throw new Error('a temporary file has been cut short');
      at += read;
    }
  }

  close(): void {
    closeSync(this.descriptor);
  }
}
