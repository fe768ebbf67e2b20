// @kazahana/web: the files of the page, for a lease server to serve. The page itself is in ./app and is built by vite.
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join, posix, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';

export interface PageFile {
  readonly type: string;
  readonly body: string | Uint8Array<ArrayBuffer>;
  /** The body, compressed when the page was built. */
  readonly encodings: { readonly br?: Uint8Array<ArrayBuffer>; readonly gzip?: Uint8Array<ArrayBuffer> };
  /** Changes with the body. */
  readonly etag: string;
  /** Its name changes with its body: a browser may keep it for ever. */
  readonly isImmutable: boolean;
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webmanifest': 'application/manifest+json',
  '.md': 'text/markdown; charset=utf-8',
};

/** Where the built page lies: for a file server of your own. */
export const siteFolder: string = fileURLToPath(new URL('./site/', import.meta.url));

/** What other sites show beside a link to the page. */
const SHARED_PICTURE = 'property="og:image" content="./share.png"';

/**
 * On its own the page connects to nothing at all; served by a lease server it may send requests to that server. Sites that show a
 * link want the whole address of its picture: it is written where the page's own is known, and is relative elsewhere.
 */
function forServer(html: string, url: string | undefined): string {
  const changed = html
    .replace("connect-src 'none'", "connect-src 'self'")
    .replace('name="kazahana-server" content="none"', 'name="kazahana-server" content="here"')
    .replace(SHARED_PICTURE, (relative) =>
      url === undefined ? relative : relative.replace('./share.png', new URL('/share.png', url).href),
    );
  if (!changed.includes("connect-src 'self'") || !changed.includes('content="here"')) {
    throw new Error('the built page is not the one that this version of @kazahana/web expects');
  }
  return changed;
}

/** Compressed copies, which stand beside their files. */
const ENCODED = /\.(?:br|gz)$/;

const etagOf = (body: string | Uint8Array) =>
  `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;

export interface LoadPageOptions {
  /** The address by which visitors reach the page, where it is known. */
  readonly url?: string;
}

/** The files of the page by their paths, `/` the first of them. */
export async function loadPage({ url }: LoadPageOptions = {}): Promise<ReadonlyMap<string, PageFile>> {
  const page = new Map<string, PageFile>();
  const html = forServer(await readFile(join(siteFolder, 'index.html'), 'utf8'), url);
  page.set('/', {
    type: TYPES['.html'] as string,
    body: html,
    encodings: { br: new Uint8Array(brotliCompressSync(html)), gzip: new Uint8Array(gzipSync(html)) },
    etag: etagOf(html),
    isImmutable: false,
  });
  const entries = await readdir(siteFolder, { recursive: true, withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(siteFolder, join(entry.parentPath, entry.name)).split(sep).join(posix.sep))
    .sort();
  const read = async (name: string) => new Uint8Array(await readFile(join(siteFolder, name)));
  for (const name of names) {
    if (name.startsWith('index.html') || ENCODED.test(name)) continue;
    const body = await read(name);
    page.set(`/${name}`, {
      type: TYPES[extname(name)] ?? 'application/octet-stream',
      body,
      encodings: {
        ...(names.includes(`${name}.br`) && { br: await read(`${name}.br`) }),
        ...(names.includes(`${name}.gz`) && { gzip: await read(`${name}.gz`) }),
      },
      etag: etagOf(body),
      // The build puts a hash of the body into these names.
      isImmutable: name.startsWith('assets/'),
    });
  }
  return page;
}
