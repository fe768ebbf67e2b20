// The lease server of packages that are installed in a folder, in a process of its own.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** The command `kazahana` of that folder, for Node. */
export const commandIn = (folder: string): string =>
  join(folder, 'node_modules/@kazahana/cli/bin/kazahana.cjs');

/** The first address that a process prints on its output. */
export async function addressFrom(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new Error('the process has no output');
  for await (const line of createInterface({ input: child.stdout })) {
    const [url] = /http:\/\/[\w.]+:\d+/.exec(line) ?? [];
    if (url) return url;
  }
  throw new Error('the process ended before it listened');
}

/** Runs a server for as long as `use` takes; `store` as for `kazahana serve --store`. */
export async function withServer<Result>(
  node: string,
  folder: string,
  store: string,
  use: (url: string) => Promise<Result>,
): Promise<Result> {
  const args = [commandIn(folder), 'serve', '--port', '0', '--log-format', 'json', '--store', store];
  const server = spawn(node, args, { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(server, 'exit');
  try {
    return await use(await addressFrom(server));
  } finally {
    server.kill('SIGTERM');
    await ended;
  }
}
