import {
  InvalidArgumentError,
  InvalidSignatureError,
  LeaseError,
  LeaseNotFoundError,
  OutOfRangeError,
  PoolExhaustedError,
  PoolMismatchError,
  StaleSignatureError,
  StoreError,
  TooManyLeasesError,
} from 'kazahana/lease';
import { describe, expect, it } from 'vitest';
import { INTERNAL_REFUSAL, Refusal, toProblem, toRefusal } from './problem.js';

describe('an error of the pool becomes', () => {
  const rows: [title: string, error: Error, expected: object][] = [
    [
      '503 with the time until the next slot frees, when all are held',
      new PoolExhaustedError('default', 1234),
      {
        status: 503,
        code: 'POOL_EXHAUSTED',
        members: { pool: 'default', retryAfterMs: 1234, reason: 'every slot is held' },
        headers: { 'retry-after': '2' },
      },
    ],
    [
      '503 in quarantine',
      new PoolExhaustedError('default', 60_000, 'in quarantine'),
      { status: 503, code: 'POOL_EXHAUSTED', headers: { 'retry-after': '60' } },
    ],
    [
      '429 when it is the quota of the caller',
      new PoolExhaustedError('default', 5, 'the quota is used up'),
      { status: 429, code: 'POOL_EXHAUSTED', headers: { 'retry-after': '1' } },
    ],
    [
      '422 for too many leases at once',
      new TooManyLeasesError('orders', 16, 32),
      { status: 422, code: 'TOO_MANY_LEASES', members: { serviceId: 'orders', allowed: 16, requested: 32 } },
    ],
    [
      '409 for another layout',
      new PoolMismatchError('bitTs', 41, 40),
      { status: 409, code: 'POOL_MISMATCH', members: { what: 'bitTs', expected: 41, got: 40 } },
    ],
    [
      '409 for a signature of another time',
      new StaleSignatureError(1, 100_000, 30_000),
      { status: 409, code: 'STALE_SIGNATURE', members: { now: 100_000, toleranceMs: 30_000 } },
    ],
    [
      '503 when too few replicas have the lease: a code of its own, and nothing for the log',
      new LeaseError('REPLICAS_BEHIND', '0 of 1 replicas'),
      { status: 503, code: 'REPLICAS_BEHIND', headers: { 'retry-after': '1' } },
    ],
    [
      '503 when the store may evict leases',
      new LeaseError('STORE_MAY_EVICT', 'Redis may evict keys'),
      { status: 503, code: 'STORE_UNAVAILABLE' },
    ],
    [
      '400 for what the provider refuses',
      new OutOfRangeError('id', 0, 5, 6),
      { status: 400, code: 'INVALID_REQUEST' },
    ],
    [
      '400 for what is of another type',
      new InvalidArgumentError('pool', 'one of a, b', 5),
      { status: 400, code: 'INVALID_REQUEST' },
    ],
    [
      '503 for whatever ails the store, without its words',
      new StoreError('STORE_REFUSED', 'password authentication failed for user "kaza"'),
      {
        status: 503,
        code: 'STORE_UNAVAILABLE',
        detail: 'the store of the leases cannot be used now',
        members: {},
        headers: { 'retry-after': '1' },
      },
    ],
  ];
  it.each(rows)('%s', (_title, error, expected) => {
    expect(toRefusal(error)).toMatchObject(expected);
  });

  it('the same for a lease that is not there as for a signature that does not fit', () => {
    const missing = toRefusal(new LeaseNotFoundError(7));
    expect(missing).toMatchObject({ status: 404, code: 'LEASE_NOT_FOUND', members: {} });
    expect(toRefusal(new InvalidSignatureError(7))).toEqual(missing);
    expect(toRefusal(new LeaseNotFoundError(8))).toEqual(missing);
  });

  it.each([[new Error('own')], [new TypeError('own')], ['text'], [undefined], [null]])(
    'none, when it is not for the caller: %s',
    (error) => {
      expect(toRefusal(error)).toBe(undefined);
    },
  );
});

describe('a problem on the wire', () => {
  it('is problem+json with type, title, status, code, detail, and more where there is more', () => {
    const refusal = new Refusal(429, 'RATE_LIMITED', 'too fast', { retryAfterMs: 5 }, { 'retry-after': '1' });
    const { status, headers, body } = toProblem(refusal);
    expect({ status, headers }).toMatchObject({
      status: 429,
      headers: {
        'content-type': 'application/problem+json',
        'retry-after': '1',
        'cache-control': 'no-store',
      },
    });
    expect(JSON.parse(body)).toEqual({
      type: 'about:blank',
      title: 'Too Many Requests',
      status: 429,
      code: 'RATE_LIMITED',
      detail: 'too fast',
      retryAfterMs: 5,
    });
  });

  it('says nothing of what happened when the server itself has failed', () => {
    expect(JSON.parse(toProblem(INTERNAL_REFUSAL).body)).toMatchObject({
      status: 500,
      code: 'INTERNAL',
      detail: 'the server has failed; its log knows more',
    });
  });
});
