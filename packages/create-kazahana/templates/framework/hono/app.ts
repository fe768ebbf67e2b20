import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { nextId, parseExternalId, toExternalId } from './ids.ts';
import { textOf } from './note-text.ts';
import { findNote, saveNote } from './notes.ts';

const app = new Hono();

app.post('/notes', async (context) => {
  const text = textOf(await context.req.json().catch(() => undefined));
  if (text === undefined) return context.json({ error: 'send {"text":"…"}' }, 400);
  const id = await nextId();
  await saveNote(id, text);
  const externalId = toExternalId(id);
  return context.json({ id: externalId, text }, 201, { location: `/notes/${externalId}` });
});

app.get('/notes/:id', async (context) => {
  const name = context.req.param('id');
  const id = parseExternalId(name);
  const text = id === undefined ? undefined : await findNote(id);
  if (text === undefined) return context.json({ error: 'there is no such note' }, 404);
  return context.json({ id: name, text });
});

export function listen(port: number): Promise<{ url: string; close(): Promise<void> }> {
  return new Promise((resolve, reject) => {
    const server = serve({ fetch: app.fetch, port }, (address) =>
      resolve({
        url: `http://localhost:${address.port}`,
        async close() {
          server.close();
          if ('closeAllConnections' in server) server.closeAllConnections();
        },
      }),
    );
    server.once('error', reject);
  });
}
