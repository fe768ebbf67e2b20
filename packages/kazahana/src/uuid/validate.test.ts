import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  isCanonicalUuid,
  isMaxUuid,
  isNilUuid,
  isUuid,
  MAX_UUID,
  NIL_UUID,
  UuidFormatError,
  type UuidVersion,
  uuidVersion,
  type ValidationResult,
  validateUuid,
} from './index.js';

const V4 = '550e8400-e29b-41d4-a716-446655440000';
const BARE_V4 = V4.replaceAll('-', '');

/** The errors as `CODE@position`, in order. */
function faultsOf(input: unknown): string[] {
  return validateUuid(input).errors.map(({ code, position }) => `${code}@${position}`);
}

describe('every form of the matrix is valid and is normalised', () => {
  const forms: [title: string, input: string][] = [
    ['with hyphens', V4],
    ['without hyphens', BARE_V4],
    ['in braces', `{${V4}}`],
    ['in braces without hyphens', `{${BARE_V4}}`],
    ['as a URN', `urn:uuid:${V4}`],
    ['as a URN without hyphens', `urn:uuid:${BARE_V4}`],
    ['as a URN in capitals', `URN:UUID:${V4.toUpperCase()}`],
    ['as a URN in mixed case', `Urn:uUid:${V4}`],
    ['in capitals', V4.toUpperCase()],
  ];
  for (const [title, input] of forms) {
    it(title, () => {
      expect(validateUuid(input)).toEqual({
        isValid: true,
        version: 'v4',
        variant: 'RFC4122',
        normalized: V4,
        errors: [],
        isSupported: true,
      });
      expect(isUuid(input)).toBe(true);
    });
  }
});

describe('every version is recognised', () => {
  // RFC 9562, appendix A and B.
  const vectors: [uuid: string, version: UuidVersion, isSupported: boolean][] = [
    ['C232AB00-9414-11EC-B3C8-9F6BDECED846', 'v1', true],
    ['000003e8-cbb9-21ea-b201-00045a86c8a1', 'v2', false],
    ['5df41881-3aed-3515-88a7-2f4a814cf09e', 'v3', false],
    ['919108f7-52d1-4320-9bac-f847db4148a8', 'v4', true],
    ['2ed6657d-e927-568b-95e1-2665a8aea6a2', 'v5', false],
    ['1EC9414C-232A-6B00-B3C8-9F6BDECED846', 'v6', false],
    ['017F22E2-79B0-7CC3-98C4-DC0C0C07398F', 'v7', true],
    ['2489E9AD-2EE2-8E00-8EC9-32D5F69181C0', 'v8', false],
    ['5c146b14-3c52-8afd-938a-375d0df1fbf6', 'v8', false],
  ];
  for (const [uuid, version, isSupported] of vectors) {
    it(`${version} ${uuid}`, () => {
      expect(validateUuid(uuid)).toMatchObject({
        isValid: true,
        version,
        isSupported,
        normalized: uuid.toLowerCase(),
      });
    });
  }
});

describe('what is wrong is named, and its first offending character pointed at', () => {
  const rows: [title: string, input: unknown, faults: string[]][] = [
    ['nothing', '', ['INVALID_LENGTH@0']],
    ['one digit', '5', ['INVALID_LENGTH@1']],
    ['a digit too few', V4.slice(0, -1), ['INVALID_LENGTH@35']],
    ['a digit too many', `${V4}7`, ['INVALID_LENGTH@36']],
    ['a bare digit too few', BARE_V4.slice(0, -1), ['INVALID_LENGTH@31']],
    ['a bare digit too many', `${BARE_V4}7`, ['INVALID_LENGTH@32']],
    ['36 bare digits', `${BARE_V4}0000`, ['INVALID_LENGTH@32']],
    ['a letter that is no digit', '550e8400-e29b-41d4-a716-44665544000g', ['INVALID_HEX@35']],
    ['a bare letter that is no digit', `x${BARE_V4.slice(1)}`, ['INVALID_HEX@0']],
    ['the first of several such letters', '550e84zz-e29b-41d4-a716-4466554400zz', ['INVALID_HEX@6']],
    ['a full-width digit', '550e8400-e29b-41d4-a716-44665544000０', ['INVALID_HEX@35']],
    ['a digit of another script', '٥50e8400-e29b-41d4-a716-446655440000', ['INVALID_HEX@0']],
    // U+0130 and U+0230 share their low byte with '0'; a careless table look-up takes them for it.
    [
      'characters that share a low byte with a digit',
      'İ50e8400-e29b-41d4-a716-44665544000Ȱ',
      ['INVALID_HEX@0'],
    ],
    ['a space before it', ` ${V4}`, ['INVALID_HEX@0', 'INVALID_HYPHEN_POSITION@8', 'INVALID_LENGTH@36']],
    ['a space after it', `${V4} `, ['INVALID_HEX@36', 'INVALID_LENGTH@36']],
    ['a line break after it', `${V4}\n`, ['INVALID_HEX@36', 'INVALID_LENGTH@36']],
    ['a hyphen one place early', '550e840-0e29b-41d4-a716-446655440000', ['INVALID_HYPHEN_POSITION@7']],
    ['a missing hyphen', '550e8400e29b-41d4-a716-446655440000', ['INVALID_HYPHEN_POSITION@8']],
    ['an underscore for a hyphen', '550e8400_e29b-41d4-a716-446655440000', ['INVALID_HYPHEN_POSITION@8']],
    ['underscores for all hyphens', V4.replaceAll('-', '_'), ['INVALID_HEX@8', 'INVALID_LENGTH@32']],
    ['a hyphen after the end', `${V4}-`, ['INVALID_HYPHEN_POSITION@36']],
    ['only hyphens', '----', ['INVALID_HYPHEN_POSITION@0', 'INVALID_LENGTH@4']],
    ['an empty pair of braces', '{}', ['INVALID_LENGTH@1']],
    ['a lone brace', '{', ['INVALID_FORMAT@1']],
    ['a brace that is never closed', `{${V4}`, ['INVALID_FORMAT@37']],
    ['a brace that was never opened', `${V4}}`, ['INVALID_FORMAT@36']],
    ['text after the closing brace', `{${V4}}x`, ['INVALID_FORMAT@38']],
    ['the wrong brackets', `(${V4})`, ['INVALID_HEX@0', 'INVALID_HYPHEN_POSITION@8', 'INVALID_LENGTH@36']],
    ['a fault inside braces', '{550e8400-e29b-41d4-a716-44665544000g}', ['INVALID_HEX@36']],
    ['a URN of something else', `urn:isbn:${V4}`, ['INVALID_FORMAT@4']],
    ['a URN that breaks off', 'urn:uui', ['INVALID_FORMAT@7']],
    ['a URN without its second colon', `urn:uuid${V4}`, ['INVALID_FORMAT@8']],
    ['an empty URN', 'urn:uuid:', ['INVALID_LENGTH@9']],
    ['a fault inside a URN', 'urn:uuid:550e8400-e29b-41d4-a716-44665544000g', ['INVALID_HEX@44']],
    [
      'a URN in braces',
      `{urn:uuid:${V4}}`,
      ['INVALID_HEX@1', 'INVALID_HYPHEN_POSITION@9', 'INVALID_LENGTH@38'],
    ],
    ['version 0', '550e8400-e29b-01d4-a716-446655440000', ['INVALID_VERSION@14']],
    ['version 9', '550e8400-e29b-91d4-a716-446655440000', ['INVALID_VERSION@14']],
    ['version f, bare', '550e8400e29bf1d4a716446655440000', ['INVALID_VERSION@12']],
    ['version 9 in braces', '{550e8400-e29b-91d4-a716-446655440000}', ['INVALID_VERSION@15']],
    ['version 9 as a URN', 'urn:uuid:550e8400e29b91d4a716446655440000', ['INVALID_VERSION@21']],
    ['a variant of Microsoft', '24688438-40e1-70d0-d97e-084cfc8992c7', ['INVALID_VARIANT@19']],
    ['a variant of NCS, bare', '550e8400e29b41d47716446655440000', ['INVALID_VARIANT@16']],
    ['a variant of the future in braces', '{550e8400e29b41d4e716446655440000}', ['INVALID_VARIANT@17']],
    [
      'version and variant',
      '550e8400-e29b-91d4-c716-446655440000',
      ['INVALID_VERSION@14', 'INVALID_VARIANT@19'],
    ],
    ['markup', '<img src=x onerror=alert(1)>', ['INVALID_HEX@0', 'INVALID_LENGTH@28']],
    ['a megabyte of digits', 'a'.repeat(1_000_000), ['INVALID_LENGTH@32']],
    ['a megabyte of hyphens', '-'.repeat(1_000_000), ['INVALID_HYPHEN_POSITION@0', 'INVALID_LENGTH@64']],
    ['a megabyte in braces', `{${V4}}${'x'.repeat(1_000_000)}`, ['INVALID_FORMAT@38']],
  ];
  for (const [title, input, faults] of rows) {
    it(title, () => {
      expect(faultsOf(input)).toEqual(faults);
      expect(validateUuid(input)).toMatchObject({
        isValid: false,
        normalized: null,
        isSupported: false,
      });
      expect(isUuid(input)).toBe(false);
    });
  }

  for (const place of [8, 13, 18, 23]) {
    it(`another character in the place of the hyphen at ${place}`, () => {
      for (const other of ['_', '0', 'f', ' ', '\u00ad', '\u012d']) {
        const input = V4.slice(0, place) + other + V4.slice(place + 1);
        expect([isUuid(input), isCanonicalUuid(input)]).toEqual([false, false]);
        expect(faultsOf(input)).toContain(`INVALID_HYPHEN_POSITION@${place}`);
        expect(isUuid(`{${input}}`)).toBe(false);
      }
    });
  }

  for (let place = 0; place < 36; place++) {
    it(`a letter that is no digit at ${place}`, () => {
      expect(isUuid(`${V4.slice(0, place)}g${V4.slice(place + 1)}`)).toBe(false);
    });
  }

  for (const value of [
    undefined,
    null,
    0,
    1n,
    true,
    Symbol('s'),
    {},
    [],
    [V4],
    new String(V4),
    () => V4,
    new Date(),
  ]) {
    it(`not a string: ${Object.prototype.toString.call(value)}`, () => {
      expect(faultsOf(value)).toEqual(['INVALID_FORMAT@undefined']);
      expect(isUuid(value)).toBe(false);
    });
  }

  it('a value that resists every question', () => {
    const hostile = new Proxy(
      {},
      {
        get: () => {
          throw new Error('no');
        },
        getPrototypeOf: () => {
          throw new Error('no');
        },
      },
    );
    expect(faultsOf(hostile)).toEqual(['INVALID_FORMAT@undefined']);
    expect(isUuid(hostile)).toBe(false);
  });
});

describe('the variant and version are kept when they are wrong', () => {
  const rows: [digit: string, variant: ValidationResult['variant']][] = [
    ['0', 'NCS'],
    ['7', 'NCS'],
    ['8', 'RFC4122'],
    ['b', 'RFC4122'],
    ['c', 'Microsoft'],
    ['d', 'Microsoft'],
    ['e', 'Future'],
    ['f', 'Future'],
  ];
  for (const [digit, variant] of rows) {
    it(`variant digit ${digit} is ${variant}`, () => {
      const result = validateUuid(`550e8400-e29b-41d4-${digit}716-446655440000`);
      expect(result).toMatchObject({ variant, version: 'v4', isValid: variant === 'RFC4122' });
    });
  }
});

describe('Nil and Max', () => {
  it('are not valid, and the messages name them', () => {
    expect(validateUuid(NIL_UUID)).toMatchObject({ isValid: false, version: null, variant: 'NCS' });
    expect(validateUuid(MAX_UUID)).toMatchObject({ isValid: false, version: null, variant: 'Future' });
    expect(validateUuid(NIL_UUID).errors.every(({ message }) => message.includes('Nil UUID'))).toBe(true);
    expect(validateUuid(MAX_UUID).errors.every(({ message }) => message.includes('Max UUID'))).toBe(true);
    expect(faultsOf(NIL_UUID)).toEqual(['INVALID_VERSION@14', 'INVALID_VARIANT@19']);
  });

  it('are recognised in every form', () => {
    for (const wrap of [
      (s: string) => s,
      (s: string) => `{${s}}`,
      (s: string) => `urn:uuid:${s}`,
      (s: string) => s.toUpperCase(),
    ]) {
      expect([isNilUuid(wrap(NIL_UUID)), isMaxUuid(wrap(NIL_UUID))]).toEqual([true, false]);
      expect([isNilUuid(wrap(MAX_UUID)), isMaxUuid(wrap(MAX_UUID))]).toEqual([false, true]);
    }
    for (const other of [V4, '', '0', null, 0, NIL_UUID.slice(1)]) {
      expect([isNilUuid(other), isMaxUuid(other)]).toEqual([false, false]);
    }
  });
});

describe('isCanonicalUuid', () => {
  const rows: [title: string, input: unknown, expected: boolean][] = [
    ['a v4', V4, true],
    ['capitals', V4.toUpperCase(), true],
    ['a version that is not supported here', '5df41881-3aed-3515-88a7-2f4a814cf09e', true],
    ['Nil', NIL_UUID, true],
    ['Max', MAX_UUID, true],
    ['Max in capitals', MAX_UUID.toUpperCase(), true],
    ['braces', `{${V4}}`, false],
    ['a URN', `urn:uuid:${V4}`, false],
    ['bare digits', V4.replaceAll('-', ''), false],
    ['bare digits in braces', `{${V4.replaceAll('-', '')}}`, false],
    ['Nil in braces', `{${NIL_UUID}}`, false],
    ['version 9', '550e8400-e29b-91d4-a716-446655440000', false],
    ['version 0', '550e8400-e29b-01d4-a716-446655440000', false],
    ['another variant', '550e8400-e29b-41d4-c716-446655440000', false],
    ['almost Nil', '00000000-0000-0000-0000-000000000001', false],
    ['almost Max', 'ffffffff-ffff-ffff-ffff-fffffffffffe', false],
    ['a space before', ` ${V4}`, false],
    ['nothing', undefined, false],
    ['a number', 5, false],
  ];
  for (const [title, input, expected] of rows) {
    it(`${expected}: ${title}`, () => expect(isCanonicalUuid(input)).toBe(expected));
  }
});

describe('uuidVersion', () => {
  it('is the digit of every version, in any form', () => {
    for (let version = 1; version <= 8; version++) {
      const uuid = `550e8400-e29b-${version}1d4-a716-446655440000`;
      for (const text of [uuid, uuid.toUpperCase(), `{${uuid}}`, `urn:uuid:${uuid.replaceAll('-', '')}`]) {
        expect(uuidVersion(text)).toBe(version);
      }
    }
  });

  it('is 0 for Nil and 15 for Max', () => {
    expect([NIL_UUID, MAX_UUID].map(uuidVersion)).toEqual([0, 15]);
  });

  for (const input of [
    '550e8400-e29b-91d4-a716-446655440000',
    '550e8400-e29b-41d4-c716-446655440000',
    'x',
    5,
  ]) {
    it(`refuses ${String(input)} with what is wrong with it`, () => {
      expect(() => uuidVersion(input as string)).toThrow(UuidFormatError);
      const [error] = validateUuid(input).errors;
      expect(() => uuidVersion(input as string)).toThrow(error?.message);
    });
  }
});

describe('for every input', () => {
  /** Text near enough to a UUID to reach every branch. */
  const nearUuid = fc
    .tuple(
      fc.uuid(),
      fc.constantFrom('', '{', 'urn:uuid:', 'URN:', ' '),
      fc.constantFrom('', '}', 'x', '-', ' '),
      fc.array(fc.tuple(fc.nat(50), fc.constantFrom('', '-', 'g', '0', 'F', '}', '{', 'é', '\u0000', '0-')), {
        maxLength: 3,
      }),
    )
    .map(([uuid, before, after, edits]) =>
      edits.reduce(
        (text, [at, edit]) => text.slice(0, at) + edit + text.slice(at + 1),
        before + uuid + after,
      ),
    );

  /** What is wrong with a result, by name; comparing once an input, since thousands of `expect`s take seconds. */
  function contradictions(input: unknown): string[] {
    const { isValid, normalized, errors } = validateUuid(input);
    const positions = errors.map(({ position }) => position ?? 0);
    const end = typeof input === 'string' ? input.length : 0;
    const laws: [name: string, holds: boolean][] = [
      ['isUuid agrees', isUuid(input) === isValid],
      ['errors only when invalid', (errors.length === 0) === isValid],
      ['normalised only when valid', (normalized !== null) === isValid],
      ['positions rise', positions.every((position, i) => i === 0 || position >= (positions[i - 1] ?? 0))],
      ['positions are in the input', positions.every((position) => position >= 0 && position <= end)],
      ['each code once', new Set(errors.map(({ code }) => code)).size === errors.length],
    ];
    return laws.filter(([, holds]) => !holds).map(([name]) => name);
  }

  // Arbitrary values take a hundred times as long to make as texts that are nearly UUIDs.
  const inputs: [title: string, input: fc.Arbitrary<unknown>, numRuns: number][] = [
    ['text that is nearly a UUID', nearUuid, 1000],
    ['any text', fc.oneof(fc.string(), fc.string({ unit: 'binary' })), 200],
    ['any value', fc.anything(), 100],
  ];
  for (const [title, input, numRuns] of inputs) {
    it(`isUuid agrees with validateUuid, and faults have rising positions inside ${title}`, () => {
      const property = fc.property(input, (value) => {
        expect(contradictions(value)).toEqual([]);
      });
      fc.assert(property, { numRuns });
    });
  }

  it('agrees with a plain regular expression on what is valid', () => {
    const digits = '[0-9a-f]{8}(-?)[0-9a-f]{4}\\1[1-8][0-9a-f]{3}\\1[89ab][0-9a-f]{3}\\1[0-9a-f]{12}';
    const plain = [`^${digits}$`, `^\\{${digits}\\}$`, `^urn:uuid:${digits}$`].map(
      (source) => new RegExp(source, 'i'),
    );
    fc.assert(
      fc.property(nearUuid, (input) => {
        // `$` and the i flag have no surprises here: no input has a line break or a character that folds to ASCII.
        expect(isUuid(input)).toBe(plain.some((expression) => expression.test(input)));
      }),
      { numRuns: 1000 },
    );
  });
});
