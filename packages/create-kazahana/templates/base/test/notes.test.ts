import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { listen } from '../src/app.ts';
import { closeIds } from '../src/ids.ts';
import { closeNotes } from '../src/notes.ts';

const app = await listen(0);
after(async () => {
  await app.close();
  await closeIds();
  await closeNotes();
});

const post = (body: string) =>
  fetch(`${app.url}/notes`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
const get = (path: string) => fetch(app.url + path);

test('a note is found under its external ID', async () => {
  const created = await post('{"text":"tea"}');
  assert.equal(created.status, 201);
  const note = (await created.json()) as { id: string; text: string };
  assert.match(note.id, /^note_[\w-]{11}$/);
  assert.equal(created.headers.get('location'), `/notes/${note.id}`);

  const found = await get(`/notes/${note.id}`);
  assert.equal(found.status, 200);
  assert.deepEqual(await found.json(), { id: note.id, text: 'tea' });
});

test('two notes have two IDs', async () => {
  const [a, b] = await Promise.all([post('{"text":"a"}'), post('{"text":"b"}')]);
  assert.notEqual(((await a.json()) as { id: string }).id, ((await b.json()) as { id: string }).id);
});

for (const id of ['note_AAAAAAAAAAA', 'user_aaWuim-eZZM', '115749112905695232', 'hello world', '%00']) {
  test(`there is no note ${id}`, async () => {
    const { status } = await get(`/notes/${encodeURIComponent(id)}`);
    assert.equal(status, 404);
  });
}

for (const body of ['{"text":""}', '{"text":5}', '{}', 'null', 'no JSON']) {
  test(`a note cannot be made of ${body}`, async () => {
    assert.equal((await post(body)).status, 400);
  });
}
