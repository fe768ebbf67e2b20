// Holds kazahana/compat/uuid, as it is built, against npm `uuid` itself: the same results, the same errors, the same types.
import fc from 'fast-check';
import * as ours from 'kazahana/compat/uuid';
import * as theirs from 'uuid';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

type Uuid = typeof theirs;
/** A function that makes UUIDs, with the options that a caller without types might pass. */
type Maker = (options?: object, buf?: Uint8Array, offset?: number) => string;
const maker = (uuid: Uuid, name: 'v1' | 'v4' | 'v6' | 'v7') => uuid[name] as Maker;

// What is written for one compiles with the other, in both directions.
const libraries: readonly Uuid[] = [ours, theirs];
const asOurs: typeof ours = theirs;
type SameTypes = [
  theirs.UUIDTypes,
  theirs.Version1Options,
  theirs.Version4Options,
  theirs.Version6Options,
  theirs.Version7Options,
  theirs.NonSharedArrayBuffer,
];
const _types: SameTypes extends [
  ours.UUIDTypes,
  ours.Version1Options,
  ours.Version4Options,
  ours.Version6Options,
  ours.Version7Options,
  ours.NonSharedArrayBuffer,
]
  ? true
  : false = true;

/** What came of a call: its value, or the class and message of its error. */
function outcome(call: () => unknown): unknown {
  try {
    return { value: call() };
  } catch (error) {
    const { name, message } = error as Error;
    // The words of an engine's own errors are the engine's, and differ with the expression that failed.
    const isEngines = /Cannot read|is not a function|is not iterable|invalid typed array/i.test(message);
    return { threw: name, message: isEngines ? 'of the engine' : message, isReal: error instanceof Error };
  }
}

/** Both libraries do the same; arguments are made for each, so that neither sees what the other changed. */
function expectSame(use: (uuid: Uuid) => unknown): void {
  const [our, their] = libraries.map((uuid) => outcome(() => use(uuid)));
  expect(our).toEqual(their);
}

const anyBytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
const anyUuid = fc.uuid();
const anyV1 = fc.uuid({ version: 1 });
const anyV6 = fc.uuid({ version: 6 });
const anyCase = (texts: fc.Arbitrary<string>) =>
  fc.tuple(texts, fc.boolean()).map(([text, isUpper]) => (isUpper ? text.toUpperCase() : text));
/** Texts that are UUIDs, that nearly are, and that are nothing of the kind. */
const anyText = fc.oneof(
  anyCase(anyUuid),
  fc.constantFrom(theirs.NIL, theirs.MAX, theirs.MAX.toUpperCase()),
  fc
    .tuple(anyUuid, fc.nat(35), fc.string({ minLength: 1, maxLength: 1, unit: 'binary' }))
    .map(([text, at, other]) => text.slice(0, at) + other + text.slice(at + 1)),
  fc.tuple(anyBytes(16), fc.nat()).map(([bytes]) => {
    const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
    return hex.replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/, '$1-$2-$3-$4-$5');
  }),
  anyUuid.map((text) => `{${text}}`),
  anyUuid.map((text) => `urn:uuid:${text}`),
  anyUuid.map((text) => text.replaceAll('-', '')),
  anyUuid.map((text) => `${text}\n`),
  fc.string(),
);
const anyThing = fc.oneof(anyText, fc.anything());
const anyOffset = fc.constantFrom(undefined, 0, 1, 4, 5, 16, -1);
const maybe = <Value>(values: fc.Arbitrary<Value>) => fc.option(values, { nil: undefined });
/** Options as callers write them: some names are left out, some are undefined. */
const withoutSome = <Value extends object>(model: { [Name in keyof Value]: fc.Arbitrary<Value[Name]> }) =>
  fc.record(model, { requiredKeys: [] });

const v1Options = withoutSome({
  node: maybe(
    fc.oneof(
      anyBytes(6),
      anyBytes(6).map((bytes) => [...bytes] as never as Uint8Array),
    ),
  ),
  clockseq: maybe(fc.nat(0xffff)),
  random: anyBytes(16),
  msecs: maybe(fc.integer({ min: -12_219_292_800_000, max: 103_072_857_660_684 })),
  nsecs: maybe(fc.nat(20_000)),
}).map((options) => ({ random: new Uint8Array(16), ...options }));
const v7Options = withoutSome({
  random: anyBytes(17),
  msecs: maybe(fc.integer({ min: 0, max: 2 ** 48 - 1 })),
  seq: maybe(fc.integer({ min: -(2 ** 31), max: 2 ** 32 - 1 })),
}).map((options) => ({ random: new Uint8Array(16).fill(7), ...options }));
const clone = <Options extends { random?: Uint8Array }>(options: Options): Options => ({
  ...options,
  ...(options.random && { random: options.random.slice() }),
});

describe('kazahana/compat/uuid does what uuid does', () => {
  beforeEach(() => vi.useFakeTimers({ now: Date.parse('2026-11-18T12:00:00Z'), toFake: ['Date'] }));
  afterEach(() => vi.useRealTimers());

  it('exports the same names', () => {
    expect(Object.keys(ours).sort()).toEqual(Object.keys(theirs).sort());
    expect(_types && asOurs).toBe(theirs);
    expect([ours.NIL, ours.MAX, ours.v3.DNS, ours.v3.URL, ours.v5.DNS, ours.v5.URL]).toEqual([
      theirs.NIL,
      theirs.MAX,
      theirs.v3.DNS,
      theirs.v3.URL,
      theirs.v5.DNS,
      theirs.v5.URL,
    ]);
  });

  it('validate, version and parse, for any text and anything else', () => {
    fc.assert(
      fc.property(anyThing, (text) => {
        expectSame(({ validate }) => validate(text));
        expectSame(({ version }) => version(text as string));
        expectSame(({ parse }) => parse(text as string));
      }),
      { numRuns: 2000 },
    );
  });

  it('stringify, for bytes at any offset, for arrays of anything, and too few', () => {
    const anyArray = fc.oneof(
      anyUuid.map((text) => theirs.parse(text)),
      fc.constantFrom(theirs.parse(theirs.NIL), theirs.parse(theirs.MAX)),
      fc.uint8Array({ maxLength: 24 }),
      fc.array(fc.integer({ min: -1, max: 300 }), { minLength: 12, maxLength: 18 }),
      anyUuid.map((text) => [...theirs.parse(text).slice(0, 15), 1.5]),
    );
    fc.assert(
      fc.property(anyArray, anyOffset, (bytes, offset) => {
        expectSame(({ stringify }) => stringify(bytes as Uint8Array, offset));
      }),
      { numRuns: 1000 },
    );
  });

  for (const name of ['v1', 'v6'] as const) {
    it(`${name} with options`, () => {
      fc.assert(
        fc.property(v1Options, anyOffset, (options, offset) => {
          expectSame((uuid) => maker(uuid, name)(clone(options)));
          expectSame((uuid) => maker(uuid, name)(clone(options), new Uint8Array(20), offset));
        }),
        { numRuns: 1000 },
      );
    });
  }

  it('v4 with options', () => {
    fc.assert(
      fc.property(anyBytes(17), anyOffset, (random, offset) => {
        expectSame(({ v4 }) => v4({ random: random.slice() }));
        expectSame(({ v4 }) => v4({ rng: () => random.slice() }));
        expectSame(({ v4 }) => v4({ random: random.slice() }, new Uint8Array(20), offset));
        expectSame(({ v4 }) => v4({ random: [...random] as never }, [] as never, offset));
      }),
    );
  });

  it('v7 with options', () => {
    fc.assert(
      fc.property(v7Options, anyOffset, (options, offset) => {
        expectSame((uuid) => maker(uuid, 'v7')(clone(options)));
        expectSame((uuid) => maker(uuid, 'v7')(clone(options), new Uint8Array(20), offset));
      }),
      { numRuns: 1000 },
    );
  });

  for (const name of ['v3', 'v5'] as const) {
    it(`${name}, for any name, namespace and buffer`, () => {
      const anyName = fc.oneof(fc.string({ unit: 'binary' }), fc.string(), fc.uint8Array({ maxLength: 200 }));
      const anyNamespace = fc.oneof(
        anyText,
        anyBytes(16),
        fc.uint8Array({ maxLength: 20 }),
        fc.constant(undefined),
      );
      fc.assert(
        fc.property(anyName, anyNamespace, anyOffset, (value, namespace, offset) => {
          expectSame((uuid) => uuid[name](value, namespace as string));
          expectSame((uuid) => uuid[name](value, namespace as string, new Uint8Array(20), offset));
        }),
        { numRuns: 1000 },
      );
    });

    it(`${name} of a lone surrogate`, () => {
      expectSame((uuid) => uuid[name]('a\ud800', uuid[name].DNS));
    });
  }

  it('v1ToV6 and v6ToV1, for texts and bytes', () => {
    fc.assert(
      fc.property(fc.oneof(anyCase(anyV1), anyCase(anyV6), anyText), anyBytes(16), (text, bytes) => {
        for (const name of ['v1ToV6', 'v6ToV1'] as const) {
          expectSame((uuid) => uuid[name](text));
          expectSame((uuid) => uuid[name](bytes));
        }
      }),
      { numRuns: 1000 },
    );
  });

  it('without options: the time of the clock, also when it stands still, jumps ahead or steps back', () => {
    const timeOf = (name: 'v1' | 'v6' | 'v7', uuid: string) =>
      name === 'v7' ? uuid.slice(0, 13) : (name === 'v6' ? uuid : theirs.v1ToV6(uuid)).slice(0, 12);
    for (const jump of [0, 0, 1, 5000, -3000, 10_000]) {
      vi.setSystemTime(Date.now() + jump);
      for (const name of ['v1', 'v6', 'v7'] as const) {
        const [our, their] = libraries.map((uuid) => timeOf(name, maker(uuid, name)()));
        expect([name, our]).toEqual([name, their]);
      }
    }
  });

  it('bad randomness and bad buffers', () => {
    for (const name of ['v1', 'v4', 'v6', 'v7'] as const) {
      expectSame((uuid) => maker(uuid, name)({ random: new Uint8Array(15) }));
      expectSame((uuid) => maker(uuid, name)({ rng: () => new Uint8Array(3) }));
      expectSame((uuid) => maker(uuid, name)(undefined, new Uint8Array(15)));
      expectSame((uuid) => maker(uuid, name)(undefined, new Uint8Array(16), 1));
      expectSame((uuid) => maker(uuid, name)(undefined, new Uint8Array(16), -1));
    }
  });
});
