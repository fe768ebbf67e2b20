import type { AddressInfo } from 'node:net';
import express, { type ErrorRequestHandler } from 'express';
import { nextId, parseExternalId, toExternalId } from './ids.ts';
import { textOf } from './note-text.ts';
import { findNote, saveNote } from './notes.ts';

const app = express();
app.use(express.json());

app.post('/notes', async (request, response) => {
  const text = textOf(request.body);
  if (text === undefined) {
    response.status(400).json({ error: 'send {"text":"…"}' });
    return;
  }
  const id = await nextId();
  await saveNote(id, text);
  const externalId = toExternalId(id);
  response.status(201).location(`/notes/${externalId}`).json({ id: externalId, text });
});

app.get('/notes/:id', async (request, response) => {
  const id = parseExternalId(request.params.id);
  const text = id === undefined ? undefined : await findNote(id);
  if (text === undefined) response.status(404).json({ error: 'there is no such note' });
  else response.json({ id: request.params.id, text });
});

// A body that is not JSON comes here with status 400.
const onError: ErrorRequestHandler = (error, _request, response, _next) => {
  const status = error.status ?? 500;
  if (status >= 500) console.error(error);
  response.status(status).json({ error: status < 500 ? error.message : 'something went wrong' });
};
app.use(onError);

export function listen(port: number): Promise<{ url: string; close(): Promise<void> }> {
  return new Promise((resolve, reject) => {
    const server = app.listen(port, (error) => {
      if (error) return reject(error);
      resolve({
        url: `http://localhost:${(server.address() as AddressInfo).port}`,
        async close() {
          server.close();
          server.closeAllConnections();
        },
      });
    });
  });
}
