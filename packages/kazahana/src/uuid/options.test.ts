import { describe, expect, it } from 'vitest';
import {
  applyOptions,
  generateMany,
  UnsupportedUuidVersionError,
  UuidFormatError,
  validateUuid,
} from './index.js';
import { SUPPORTED_UUID_VERSIONS } from './types.js';

const UUID = '9b2f4c5e-0d1a-4f6b-8c3d-2e1f0a9b8c7d';

describe('applyOptions', () => {
  const rows: [uppercase: boolean, withHyphens: boolean, expected: string][] = [
    [false, true, UUID],
    [true, true, UUID.toUpperCase()],
    [false, false, UUID.replaceAll('-', '')],
    [true, false, UUID.replaceAll('-', '').toUpperCase()],
  ];
  for (const [uppercase, withHyphens, expected] of rows) {
    it(`uppercase ${uppercase}, withHyphens ${withHyphens}: from any form`, () => {
      for (const input of [UUID, UUID.toUpperCase(), `{${UUID}}`, `urn:uuid:${UUID.replaceAll('-', '')}`]) {
        expect(applyOptions(input, { uppercase, withHyphens })).toBe(expected);
      }
    });
  }

  it('refuses what is no UUID', () => {
    expect(() => applyOptions('hello', { uppercase: true, withHyphens: true, count: 1 })).toThrow(
      UuidFormatError,
    );
  });
});

describe('generateMany', () => {
  for (const version of SUPPORTED_UUID_VERSIONS) {
    it(`makes different ${version}s, as many as requested`, () => {
      const uuids = generateMany(version, { count: 3000 });
      expect(new Set(uuids).size).toBe(3000);
      expect(uuids.every((uuid) => validateUuid(uuid).version === version)).toBe(true);
    });
  }

  it('makes one when no count is given', () => {
    expect(generateMany('v4', {})).toHaveLength(1);
    expect(generateMany('v7', undefined as never)).toHaveLength(1);
  });

  it('writes them as the options say', () => {
    expect(generateMany('v7', { count: 2, uppercase: true, withHyphens: false })[1]).toMatch(
      /^[0-9A-F]{32}$/,
    );
  });

  for (const count of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, '3', 2 ** 32, null]) {
    it(`refuses a count of ${JSON.stringify(count)} ${String(count)}`, () => {
      expect(() => generateMany('v4', { count: count as number })).toThrow(RangeError);
      expect(() => generateMany('v4', { count: count as number })).toThrow(
        /^count must be an integer from 1 to 4294967295/,
      );
    });
  }

  for (const version of ['v2', 'v6', '7', 7, undefined, 'constructor']) {
    it(`refuses version ${String(version)}`, () => {
      expect(() => generateMany(version as 'v4', {})).toThrow(UnsupportedUuidVersionError);
    });
  }

  for (const [title, options, message] of [
    ['a case that is no boolean', { uppercase: 'yes' }, 'uppercase must be a boolean, got "yes"'],
    ['hyphens that are no boolean', { withHyphens: 0 }, 'withHyphens must be a boolean, got 0'],
    [
      'an unknown name',
      { upperCase: true },
      'an option must be one of uppercase, withHyphens, count, got "upperCase"',
    ],
    ['options that are no object', 5, 'options must be an object, got 5'],
  ] as const) {
    it(`refuses ${title}`, () => {
      expect(() => generateMany('v4', options as never)).toThrow(message);
    });
  }
});
