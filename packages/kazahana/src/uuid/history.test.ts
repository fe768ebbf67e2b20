import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  deserializeHistory,
  generateMany,
  HistoryFormatError,
  serializeHistory,
  type UuidHistoryItem,
} from './index.js';

const ITEM: UuidHistoryItem = {
  id: '1',
  uuid: '9b2f4c5e-0d1a-4f6b-8c3d-2e1f0a9b8c7d',
  version: 'v4',
  createdAt: '2026-01-02T03:04:05.678Z',
};

describe('the history', () => {
  it('is read as it was written', () => {
    const item = fc.record({
      id: fc.string({ minLength: 1 }),
      uuid: fc.constantFrom(...generateMany('v7', { count: 5 })),
      version: fc.constant('v7' as const),
      createdAt: fc
        .date({ noInvalidDate: true, min: new Date(0), max: new Date('9999-01-01') })
        .map((date) => date.toISOString()),
    });
    fc.assert(
      fc.property(fc.array(item), (items) => {
        expect(deserializeHistory(serializeHistory(items))).toEqual(items);
      }),
    );
  });

  it('takes every valid version and any time zone', () => {
    const items: UuidHistoryItem[] = [
      { ...ITEM, uuid: '5df41881-3aed-3515-88a7-2f4a814cf09e', version: 'v3' },
      { ...ITEM, createdAt: '2026-01-02T03:04:05+09:00' },
      { ...ITEM, createdAt: '2026-01-02T03:04-11:30' },
      { ...ITEM, createdAt: '2028-02-29T23:59:59.123456Z' },
    ];
    expect(deserializeHistory(serializeHistory(items))).toEqual(items);
  });

  const wrong: [title: string, items: unknown, message: string][] = [
    ['is no array', {}, 'history must be JSON of an array, got "{}"'],
    ['is null', null, 'history must be JSON of an array, got "null"'],
    ['is a number', 5, 'history must be JSON of an array, got "5"'],
    ['has an item that is no object', [ITEM, 5], 'history[1].id must be a non-empty string, got undefined'],
    ['has an item of null', [null], 'history[0].id must be a non-empty string, got undefined'],
    ['lacks an id', [{ ...ITEM, id: undefined }], 'history[0].id must be a non-empty string'],
    ['has an empty id', [{ ...ITEM, id: '' }], 'history[0].id must be a non-empty string, got ""'],
    ['has a broken uuid', [{ ...ITEM, uuid: 'x' }], 'history[0].uuid must be a valid UUID, got "x"'],
    [
      "has a version that is not the uuid's",
      [{ ...ITEM, version: 'v7' }],
      'history[0].version must be the version of its uuid',
    ],
    [
      'has a time that is none',
      [{ ...ITEM, createdAt: 'yesterday' }],
      'history[0].createdAt must be an ISO 8601 time with a zone, got "yesterday"',
    ],
    [
      'has a day that does not exist',
      [{ ...ITEM, createdAt: '2026-13-01T00:00:00Z' }],
      'history[0].createdAt',
    ],
    ['has a 30th of February', [{ ...ITEM, createdAt: '2026-02-30T00:00:00Z' }], 'history[0].createdAt'],
    [
      'has a 29th of February in a year that has none',
      [{ ...ITEM, createdAt: '2026-02-29T00:00:00Z' }],
      'history[0].createdAt',
    ],
    ['has a 31st of April', [{ ...ITEM, createdAt: '2026-04-31T00:00:00+09:00' }], 'history[0].createdAt'],
    [
      'has an hour that does not exist',
      [{ ...ITEM, createdAt: '2026-01-01T25:00Z' }],
      'history[0].createdAt',
    ],
    ['has a time that is all dots', [{ ...ITEM, createdAt: '2026-01-01T...Z' }], 'history[0].createdAt'],
    ['has a date without a time', [{ ...ITEM, createdAt: '2026-01-01' }], 'history[0].createdAt'],
    ['has a time without a zone', [{ ...ITEM, createdAt: '2026-01-01T00:00:00' }], 'history[0].createdAt'],
    ['has a time as a number', [{ ...ITEM, createdAt: 5 }], 'history[0].createdAt'],
  ];
  for (const [title, items, message] of wrong) {
    it(`is refused, written or read, when it ${title}`, () => {
      expect(() => serializeHistory(items as UuidHistoryItem[])).toThrow(HistoryFormatError);
      expect(() => serializeHistory(items as UuidHistoryItem[])).toThrow(message);
      expect(() => deserializeHistory(JSON.stringify(items))).toThrow(message);
    });
  }

  it('is refused when an item only inherits its fields', () => {
    // JSON would not write them.
    expect(() => serializeHistory([Object.create(ITEM)])).toThrow('history[0].id');
    expect(() => serializeHistory(new Array(1))).toThrow('history[0].id must be');
  });

  it('keeps what a program has added to its items', () => {
    const items = [{ ...ITEM, pinned: true }];
    expect(deserializeHistory(serializeHistory(items))).toEqual(items);
  });

  for (const json of ['', '{', 'undefined', '[{"id":}]', undefined, null, 5, {}]) {
    it(`is refused when it is not JSON: ${String(json)}`, () => {
      expect(() => deserializeHistory(json as string)).toThrow('history must be JSON of an array');
    });
  }
});
