// Texts that nothing recognises: what they come close to, and what is wrong with those that are nearly UUIDs.
import { describe, expect, it } from 'vitest';
import { diagnoseUuid, inspectId } from './index.js';

const NOW = Date.UTC(2026, 10, 18);
const inspect = (text: string) => inspectId(text, { now: NOW });

describe('a text that nothing recognises', () => {
  const rows: [text: string, format: string, problem: string][] = [
    ['01ARZ3NDEKTSV4RRFFQ69G5FAU', 'ulid', 'The character "U" at 25 cannot stand in it.'],
    ['507f1f77bcf86cd79943901', 'mongodb-object-id', 'It would have 24 characters; this has 23.'],
    ['507f1f77bcf86cd79943901G', 'mongodb-object-id', 'The character "G" at 23 cannot stand in it.'],
    ['0ujtsYcgvSTl8PAuAdqWYSMnLOv0', 'ksuid', 'It would have 27 characters; this has 28.'],
    ['01941f29-7c00-7aaa-aaaa-aaaaaaaaaaa', 'uuid-v7', 'It would have 36 characters; this has 35.'],
    [
      '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-0',
      'w3c-traceparent',
      'It would have 55 characters; this has 54.',
    ],
  ];
  for (const [text, format, problem] of rows) {
    it(`${text} is near to ${format}`, () => {
      const { readings, near } = inspect(text);
      expect(readings.filter(({ certainty }) => certainty !== 'unlikely')).toEqual([]);
      expect(near.find((one) => one.format === format)?.problem.text).toBe(problem);
    });
  }

  it('names three at most, the closest first', () => {
    expect(inspect('01ARZ3NDEKTSV4RRFFQ69G5FAU!').near.length).toBeLessThanOrEqual(3);
  });

  for (const text of ['hello', 'helloworld', 'a text of words', '', '12', 'x'.repeat(100)]) {
    it(`${JSON.stringify(text.slice(0, 20))} is near to nothing`, () =>
      expect(inspect(text).near).toEqual([]));
  }
});

describe('diagnoseUuid', () => {
  const rows: [text: string, code: string, position: number][] = [
    ['24688438-40e1-70d0-d97e-084cfc8992c7', 'INVALID_VARIANT', 19],
    ['01941f29-7c00-9aaa-aaaa-aaaaaaaaaaaa', 'INVALID_VERSION', 14],
    ['01941f29-7c00-7aaa-aaaa-aaaaaaaaaaag', 'INVALID_HEX', 35],
    ['01941f29-7c00-7aaa-aaaa-aaaaaaaaaaa', 'INVALID_LENGTH', 35],
    ['01941f297-c00-7aaa-aaaa-aaaaaaaaaaaa', 'INVALID_HYPHEN_POSITION', 8],
    ['01941f297c007aaaaaaaaaaaaaaaaaa', 'INVALID_LENGTH', 31],
    ['urn:uuid:01941f29-7c00-7aaa-aaaa-aaaaaaaaaaa', 'INVALID_LENGTH', 44],
  ];
  for (const [text, code, position] of rows) {
    it(`${text}: ${code} at ${position}`, () => {
      expect(diagnoseUuid(text)).toMatchObject({ code, position });
      expect(inspect(text).diagnosis).toMatchObject({ code, position });
    });
  }

  it('says nothing of a valid UUID', () => {
    expect(diagnoseUuid('01941f29-7c00-7aaa-aaaa-aaaaaaaaaaaa')).toBeNull();
    expect(inspect('00000000-0000-0000-0000-000000000000').diagnosis).toBeNull();
  });

  it('says nothing of a text that is not nearly a UUID', () => {
    for (const text of [
      '',
      'hello',
      'a-b-c-d-e',
      '01ARZ3NDEKTSV4RRFFQ69G5FAV',
      'd41d8cd98f00b204e9800998ecf8427e',
      'a9993e364706816aba3e25717850c26c9cd0d89d',
      '2026-11-18T12:00:00Z',
      '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
      '978-3-16-148410-0',
      'x'.repeat(36),
    ]) {
      expect([text, diagnoseUuid(text)]).toEqual([text, null]);
    }
  });
});
