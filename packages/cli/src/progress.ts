// Progress of long work, on stderr and at a terminal only; nothing for work that is soon done.

const SOON_MS = 500;
const BETWEEN_MS = 100;
const BAR = 20;

export interface Progress {
  /** So much is done; `share` of it, from 0 to 1, where that is known. */
  at(done: number, share?: number): void;
  end(): void;
}

const NONE: Progress = { at: () => {}, end: () => {} };

/** What is counted: `lines`, `IDs`. */
export function showProgress(what: string): Progress {
  if (!process.stderr.isTTY) return NONE;
  let next = performance.now() + SOON_MS;
  let isShown = false;
  return {
    at(done, share) {
      const now = performance.now();
      if (now < next) return;
      next = now + BETWEEN_MS;
      isShown = true;
      process.stderr.write(`\r${share === undefined ? '' : bar(share)}${done.toLocaleString('en')} ${what} `);
    },
    end() {
      if (isShown) process.stderr.write('\r\u001b[K');
    },
  };
}

/** For work that writes all the while: data on a terminal show themselves how far it is. */
export function showProgressOfWriting(what: string): Progress {
  return process.stdout.isTTY ? NONE : showProgress(what);
}

function bar(share: number): string {
  const full = Math.floor(share * BAR);
  return `${'█'.repeat(full)}${'░'.repeat(BAR - full)} ${String(Math.floor(share * 100)).padStart(3)} %  `;
}
