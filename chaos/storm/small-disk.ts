// A disk that is soon full.
import { execFileSync } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { dataFolder } from '../../tests/services/process.ts';

/** A small disk of its own for a file; undefined where nothing can be mounted. */
export async function smallDisk(): Promise<{ folder: string; unmount(): void } | undefined> {
  const folder = await dataFolder('disk');
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=6m', 'kazahana-chaos', folder], { stdio: 'ignore' });
  } catch {
    await rm(folder, { recursive: true, force: true });
    return undefined;
  }
  let isMounted = true;
  const unmount = () => {
    if (isMounted) execFileSync('umount', ['-l', folder], { stdio: 'ignore' });
    isMounted = false;
  };
  process.on('exit', unmount);
  return { folder, unmount };
}
