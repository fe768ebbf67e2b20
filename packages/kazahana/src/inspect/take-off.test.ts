import { describe, expect, it } from 'vitest';
import { inspectId } from './index.js';

const NOW = Date.UTC(2026, 10, 16);
const ID = '01941f29-7c00-7aaa-aaaa-aaaaaaaaaaaa';

describe('what stands around an ID is taken off, and noted', () => {
  const rows: [text: string, ...notes: string[]][] = [
    [ID],
    [`  ${ID}\n`],
    [`"${ID}"`, 'took-quotes'],
    [`'${ID}',`, 'took-punctuation', 'took-quotes'],
    [`“${ID}”`, 'took-quotes'],
    [`\`${ID}\`;`, 'took-punctuation', 'took-quotes'],
    [`\\"${ID}\\"`, 'took-quotes'],
    [`"${ID}`, 'took-quotes'],
    [`(${ID})`, 'took-brackets'],
    [`[${ID}]`, 'took-brackets'],
    [`["${ID}"]`, 'took-brackets', 'took-quotes'],
    [`<${ID}>`, 'took-brackets'],
    [`{${ID}`, 'took-brackets'],
    [`${ID}.`, 'took-punctuation'],
    [`- ${ID}`, 'took-punctuation'],
    [`'${ID}'::uuid`, 'took-cast', 'took-quotes'],
    [`CAST('${ID}' AS uuid)`, 'took-cast', 'took-quotes'],
    [`UUID('${ID}')`, 'took-call'],
    [`new ObjectId("${ID}")`, 'took-call'],
    [`uuid '${ID}'`, 'took-call'],
    [`UUID_TO_BIN('${ID}', 1)`, 'took-call'],
    [`Uuid::parse_str("${ID}")`, 'took-words'],
    [`uuid!("${ID}")`, 'took-call'],
    [`id=${ID}`, 'took-name'],
    [`"id": "${ID}",`, 'took-json'],
    [`user_id => '${ID}'`, 'took-name', 'took-quotes'],
    [`{"id":"${ID}"}`, 'took-json'],
    [`{"name": "x", "age": 7, "_id": "${ID}"}`, 'took-json'],
    [`{ id: '${ID}', at: 1735689600000 }`, 'took-json'],
    [`https://example.com/users/${ID}`, 'took-address'],
    [`https://example.com/users/${ID}/edit?tab=1#top`, 'took-address'],
    [`http://localhost:3000/?id=${ID}&x=1`, 'took-address'],
    [`example.com/users/${ID}`, 'took-address'],
    [`GET /users/${ID} HTTP/1.1`, 'took-words'],
  ];
  for (const [text, ...notes] of rows) {
    it(text.trim(), () => {
      const { subject, takenOff, readings } = inspectId(text, { now: NOW });
      expect(subject).toBe(ID);
      expect(readings[0]?.format).toBe('uuid-v7');
      expect(takenOff.map(({ key }) => key)).toEqual(notes);
    });
  }

  it('names what it took off', () => {
    const said = (text: string) => inspectId(text, { now: NOW }).takenOff.map((note) => note.text);
    expect(said(`'${ID}'::uuid`)).toEqual([
      'The cast to uuid was taken off.',
      'The quotes around it were taken off.',
    ]);
    expect(said(`{"_id":"${ID}","x":1}`)).toEqual(['It was found among other values, as _id.']);
    expect(said(`https://example.com/${ID}`)).toEqual(['It was found in an address of example.com.']);
  });

  it('leaves a text that has two IDs as it is', () => {
    const text = `${ID} ${ID}`;
    expect(inspectId(text, { now: NOW })).toMatchObject({ subject: text, takenOff: [], readings: [] });
  });

  it('a suffix of a number', () => {
    expect(inspectId('1735689600000n', { now: NOW })).toMatchObject({
      subject: '1735689600000',
      takenOff: [{ key: 'took-suffix' }],
      readings: [{ format: 'unix-milliseconds' }, {}],
    });
  });
});
