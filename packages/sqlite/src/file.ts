// The file on the disk. It holds secrets, so it is made for its owner alone; SQLite gives its companions, the
// write-ahead log and its index, the same mode. And it is told from a file that was put in its place (rule R7).
import { randomUUID } from 'node:crypto';
import { chmodSync, linkSync, rmSync, statSync, writeFileSync } from 'node:fs';

const OWNER_ONLY = 0o600;

/** Inode and time of birth. Not the device: its number may change when the machine restarts. */
export function identify(path: string): string | undefined {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found && `${found.ino}-${found.birthtimeNs}`;
}

/** Makes an empty file where there is none. */
export function ensureFile(path: string): void {
  if (identify(path)) return;
  // It gets its name when it is closed: to close a file ends the locks of all threads of the process on it (POSIX).
  const unnamed = `${path}-${randomUUID()}`;
  try {
    writeFileSync(unnamed, '', { flag: 'wx', mode: OWNER_ONLY });
    // Whatever the umask took away.
    chmodSync(unnamed, OWNER_ONLY);
    linkSync(unnamed, path);
  } catch (error) {
    // Another process was first.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(unnamed, { force: true });
  }
}
