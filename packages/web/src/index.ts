// @kazahana/web: the files of the page, for a lease server to serve. The page itself is in ./app and is built by vite.
import { readdir, readFile } from 'node:fs/promises';
import { extname, join, posix, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface PageFile {
  readonly type: string;
  readonly body: string | Uint8Array<ArrayBuffer>;
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webmanifest': 'application/manifest+json',
};

/** Where the built page lies: for whoever puts it on a file server of their own. */
export const siteFolder: string = fileURLToPath(new URL('./site/', import.meta.url));

/** On its own the page connects to nothing at all; served by a lease server it may ask that server for the pool. */
function forServer(html: string): string {
  const changed = html
    .replace("connect-src 'none'", "connect-src 'self'")
    .replace('name="kazahana-server" content="none"', 'name="kazahana-server" content="here"');
  if (!changed.includes("connect-src 'self'") || !changed.includes('content="here"')) {
    throw new Error('the built page is not the one that this version of @kazahana/web expects');
  }
  return changed;
}

/** The files of the page by their paths, `/` the first of them. */
export async function loadPage(): Promise<ReadonlyMap<string, PageFile>> {
  const page = new Map<string, PageFile>();
  page.set('/', {
    type: TYPES['.html'] as string,
    body: forServer(await readFile(join(siteFolder, 'index.html'), 'utf8')),
  });
  const entries = await readdir(siteFolder, { recursive: true, withFileTypes: true });
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (!entry.isFile() || entry.name === 'index.html') continue;
    const path = join(entry.parentPath, entry.name);
    const name = relative(siteFolder, path).split(sep).join(posix.sep);
    const type = TYPES[extname(name)] ?? 'application/octet-stream';
    page.set(`/${name}`, { type, body: new Uint8Array(await readFile(path)) });
  }
  return page;
}
