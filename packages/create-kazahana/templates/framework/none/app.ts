import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { nextId, parseExternalId, toExternalId } from './ids.ts';
import { textOf } from './note-text.ts';
import { findNote, saveNote } from './notes.ts';

function send(
  response: ServerResponse,
  status: number,
  body: object,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}

async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname } = new URL(request.url ?? '/', 'http://localhost');
  if (request.method === 'POST' && pathname === '/notes') {
    const text = textOf(await json(request).catch(() => undefined));
    if (text === undefined) return send(response, 400, { error: 'send {"text":"…"}' });
    const id = await nextId();
    await saveNote(id, text);
    const externalId = toExternalId(id);
    return send(response, 201, { id: externalId, text }, { location: `/notes/${externalId}` });
  }
  const [, name] = /^\/notes\/([^/]+)$/.exec(pathname) ?? [];
  const id = parseExternalId(name);
  const text = id === undefined ? undefined : await findNote(id);
  if (request.method !== 'GET' || text === undefined)
    return send(response, 404, { error: 'there is no such note' });
  return send(response, 200, { id: name, text });
}

export async function listen(port: number): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    respond(request, response).catch((error) => {
      console.error(error);
      send(response, 500, { error: 'something went wrong' });
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, resolve);
  });
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    async close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
