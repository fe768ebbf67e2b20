// A file server as plain as there is: the built page in a folder of its own, and nothing else.
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';
import { siteFolder } from '@kazahana/web';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webmanifest': 'application/manifest+json',
};

export interface StaticServer {
  readonly url: string;
  readonly port: number;
  stop(): Promise<void>;
}

/** Serves the page, or another folder, under `/some/folder/`: it must not mind where it lies. */
export async function serveStatically(port = 0, folder = siteFolder): Promise<StaticServer> {
  const prefix = '/some/folder/';
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const name = pathname.startsWith(prefix)
      ? normalize(pathname.slice(prefix.length) || 'index.html')
      : '..';
    try {
      if (name.startsWith('..')) throw new Error('outside');
      const body = await readFile(join(folder, name));
      response.writeHead(200, { 'content-type': TYPES[extname(name)] ?? 'text/plain' }).end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise<void>((resolve, reject) =>
    server.once('error', reject).listen(port, '127.0.0.1', resolve),
  );
  const { port: taken } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${taken}${prefix}`,
    port: taken,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
