import type { AddressInfo } from 'node:net';
import { fastify } from 'fastify';
import { nextId, parseExternalId, toExternalId } from './ids.ts';
import { textOf } from './note-text.ts';
import { findNote, saveNote } from './notes.ts';

const app = fastify({ forceCloseConnections: true });

app.post('/notes', async (request, response) => {
  const text = textOf(request.body);
  if (text === undefined) return response.code(400).send({ error: 'send {"text":"…"}' });
  const id = await nextId();
  await saveNote(id, text);
  const externalId = toExternalId(id);
  return response.code(201).header('location', `/notes/${externalId}`).send({ id: externalId, text });
});

app.get<{ Params: { id: string } }>('/notes/:id', async (request, response) => {
  const id = parseExternalId(request.params.id);
  const text = id === undefined ? undefined : await findNote(id);
  if (text === undefined) return response.code(404).send({ error: 'there is no such note' });
  return { id: request.params.id, text };
});

export async function listen(port: number): Promise<{ url: string; close(): Promise<void> }> {
  await app.listen({ port });
  return {
    url: `http://localhost:${(app.server.address() as AddressInfo).port}`,
    async close() {
      await app.close();
    },
  };
}
