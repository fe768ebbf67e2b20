import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isAcquire } from './acquire-check.js';
import { acquireRequest } from './schemas.js';

const COUNTS = ['leasedIds', 'fencedIds', 'randomIds', 'exhaustedMs', 'acquireFailures', 'clockSteps'];

/** Mostly right, and now and then wrong in every way that JSON can be. */
const anything = fc.jsonValue();
const mostly = <Value>(right: fc.Arbitrary<Value>, wrong: fc.Arbitrary<unknown>) =>
  fc.oneof({ weight: 40, arbitrary: right as fc.Arbitrary<unknown> }, { weight: 1, arbitrary: wrong });
const nearly = (right: fc.Arbitrary<unknown>) => mostly(right, anything);
const whole = (min: number, max: number) =>
  mostly(
    fc.oneof(fc.integer({ min, max: min + 5 }), fc.constant(max)),
    fc.constantFrom(min - 1, max + 1, 0.5),
  );
const text = (max: number) =>
  mostly(
    fc.oneof(fc.string({ minLength: 1 }), fc.constant('x'.repeat(max))),
    fc.constantFrom('', 'x'.repeat(max + 1)),
  );
const withMore = (fields: fc.Arbitrary<object>) =>
  fc
    .tuple(fields, mostly(fc.constant({}), fc.dictionary(fc.string(), anything, { maxKeys: 1 })))
    .map(([own, more]) => ({ ...own, ...(more as object) }));

const meta = fc.dictionary(fc.string({ maxLength: 66 }), nearly(text(256)), { maxKeys: 17 });
const seen = withMore(
  fc.record(
    { pool: nearly(text(200)), serial: nearly(whole(0, Number.MAX_SAFE_INTEGER)) },
    { requiredKeys: [] },
  ),
);
const report = withMore(
  fc.record(Object.fromEntries(COUNTS.map((name) => [name, nearly(whole(0, Number.MAX_SAFE_INTEGER))])), {
    requiredKeys: COUNTS,
  }),
);
const request = withMore(
  fc.record(
    {
      serviceId: nearly(text(200)),
      requestId: nearly(text(200)),
      throughputPerMs: nearly(whole(1, 2 ** 31)),
      meta: nearly(meta),
      seen: nearly(seen),
      report: nearly(report),
    },
    { requiredKeys: [] },
  ),
);

describe('the quick check of an acquire', () => {
  it('says yes to what the schema says yes to, and no to what it says no to', () => {
    const answers = { yes: 0, no: 0 };
    fc.assert(
      fc.property(nearly(request), (value) => {
        // As it comes: there are no other prototypes in JSON, and no -0 that matters.
        const parsed: unknown = JSON.parse(JSON.stringify(value));
        const isRight = acquireRequest.safeParse(parsed).success;
        answers[isRight ? 'yes' : 'no']++;
        expect(isAcquire(parsed)).toBe(isRight);
      }),
      { numRuns: 3000 },
    );
    // Both have come up often enough to mean something.
    expect(Math.min(answers.yes, answers.no)).toBeGreaterThan(300);
  });

  it.each([
    [{ meta: Object.fromEntries(Array.from({ length: 16 }, (_, i) => [`${i}`, ''])) }, true],
    [{ meta: Object.fromEntries(Array.from({ length: 17 }, (_, i) => [`${i}`, ''])) }, false],
    [{ meta: { ['n'.repeat(64)]: 'x'.repeat(256) } }, true],
    [{ serviceId: 'a', color: 1 }, false],
    [[], false],
    [null, false],
  ])('of %j: %s', (value, isRight) => {
    expect(isAcquire(value)).toBe(isRight);
    expect(acquireRequest.safeParse(value).success).toBe(isRight);
  });
});
