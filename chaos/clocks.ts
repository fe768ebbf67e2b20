// Clocks of single processes, moved while they run (libfaketime). Timers and the monotonic clock stay as they are.
import { existsSync, writeFileSync } from 'node:fs';
import { ensureSystemPackage } from '../scripts/system-packages.ts';

/** Debian keeps it in a folder of the machine's architecture; it may have been installed a moment ago. */
const libraryPath = (): string | undefined =>
  ['x86_64-linux-gnu', 'aarch64-linux-gnu']
    .map((folder) => `/usr/lib/${folder}/faketime/libfaketime.so.1`)
    .find((path) => existsSync(path));

/** What keeps clocks from being moved here; undefined when nothing does. */
export function whyNoClocks(): string | undefined {
  const found = ensureSystemPackage({ commands: ['faketime'], debian: 'faketime' });
  if (found.path === null) return `${found.missing}; ${found.install}`;
  return libraryPath() === undefined ? 'libfaketime.so.1 was not found' : undefined;
}

export class MovableClock {
  readonly #file: string;

  /** The file says what time it is. */
  constructor(file: string) {
    this.#file = file;
    this.set(0);
  }

  /** For the processes that have this clock. They look at the file once a second. */
  get environment(): Record<string, string> {
    return {
      LD_PRELOAD: libraryPath() ?? '',
      FAKETIME_TIMESTAMP_FILE: this.#file,
      FAKETIME_CACHE_DURATION: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    };
  }

  /** Ahead of the machine's time by so much; `rate` 1.1 is ten percent too fast, since the process began. */
  set(aheadMs: number, rate = 1): void {
    const ahead = `${aheadMs < 0 ? '-' : '+'}${(Math.abs(aheadMs) / 1000).toFixed(3)}`;
    writeFileSync(this.#file, `${ahead} x${rate.toFixed(3)}\n`);
  }
}
