import { describe, expect, it } from 'vitest';
import { believedAcquire, checkAcquire, checkRelease } from './requests.js';

const REPORT = {
  leasedIds: 1,
  fencedIds: 0,
  randomIds: 0,
  exhaustedMs: 0,
  acquireFailures: 0,
  clockSteps: 0,
};
const RELEASE = { id: 5, signature: 'ab', timestamp: 7 };
const CLAIM = {
  pool: 'p',
  id: 5,
  bitId: 14,
  bitSeq: 8,
  created: 1,
  expired: 2,
  fallbackUntil: 3,
  timestamp: 1,
  signature: 'ab',
};
const claims = (count: number) => Array.from({ length: count }, () => CLAIM);
/** A request to renew a lease of which one thing is wrong. */
const renewing = (change: object) => ({ renew: [CLAIM, { ...CLAIM, ...change }] });

describe('an acquire is taken', () => {
  const requests: object[] = [
    {},
    { serviceId: 'a', meta: {}, throughputPerMs: 1, requestId: 'r', seen: { pool: 'p', serial: 0 } },
    { meta: { host: 'a', process: '' }, throughputPerMs: 2 ** 31, report: REPORT },
    { meta: { a: 'x'.repeat(1016) } },
    { renew: [] },
    { renew: [CLAIM, { ...CLAIM, proof: 'cd' }] },
    { seen: { pool: 'p', serial: 0, proof: 'cd' } },
    // A newer client may say more.
    { colour: 'blue' },
  ];
  for (const request of requests) {
    it(JSON.stringify(request), () => expect(checkAcquire(request)).toBe(request));
  }

  it('with as many leases to renew as a client can hold, and no more', () => {
    expect(checkAcquire({ renew: claims(1024) })).toEqual({ renew: claims(1024) });
    expect(() => checkAcquire({ renew: claims(1025) })).toThrow(
      'renew must be a list of at most 1024 leases',
    );
  });
});

describe('an acquire is refused', () => {
  const rows: [request: unknown, message: string][] = [
    [undefined, 'options must be an object, got undefined'],
    [[], 'options must be an object'],
    [{ serviceId: '' }, 'serviceId must be a string of 1 to 200 characters, got ""'],
    [{ requestId: 5 }, 'requestId must be a string of 1 to 200 characters, got 5'],
    [{ throughputPerMs: 0 }, 'throughputPerMs must be an integer from 1 to 2147483648, got 0'],
    [{ throughputPerMs: null }, 'throughputPerMs must be an integer'],
    [{ meta: null }, 'meta must be an object, got null'],
    [{ meta: ['a'] }, 'meta must be an object'],
    [{ meta: { host: 5 } }, 'meta.host must be a string, got 5'],
    [{ meta: { a: 'x'.repeat(1017) } }, 'meta must be at most 1024 bytes of JSON, got "1025 bytes"'],
    [{ meta: { a: 'é'.repeat(600) } }, 'meta must be at most 1024 bytes of JSON, got "1208 bytes"'],
    [{ meta: { a: '\0'.repeat(200) } }, 'meta must be at most 1024 bytes of JSON, got "1208 bytes"'],
    [{ seen: null }, 'seen must be an object, got null'],
    [{ seen: { pool: '', serial: 1 } }, 'seen.pool must be a string'],
    [{ seen: { pool: 'p', serial: 2 ** 53 } }, 'seen.serial must be an integer from 0'],
    [{ seen: { pool: 'p', serial: 1, proof: 5 } }, 'seen.proof must be a string, got "number"'],
    [{ renew: {} }, 'renew must be a list of at most 1024 leases'],
    [{ renew: null }, 'renew must be a list'],
    [{ renew: [5] }, 'a lease of renew must be an object, got 5'],
    [renewing({ pool: '' }), 'renew.pool must be a string of 1 to 200 characters'],
    [renewing({ id: -1 }), 'renew.id must be an integer from 0 to 1073741823, got -1'],
    [renewing({ bitId: 31 }), 'renew.bitId must be an integer from 1 to 30, got 31'],
    [renewing({ bitSeq: 0 }), 'renew.bitSeq must be an integer from 1 to 30, got 0'],
    [renewing({ created: undefined }), 'renew.created must be an integer'],
    [renewing({ expired: 0.5 }), 'renew.expired must be an integer'],
    [renewing({ fallbackUntil: 2 ** 53 }), 'renew.fallbackUntil must be an integer'],
    [renewing({ timestamp: -1 }), 'renew.timestamp must be an integer'],
    [renewing({ signature: 5 }), 'renew.signature must be a string, got "number"'],
    [renewing({ proof: null }), 'renew.proof must be a string, got "object"'],
    [{ report: 5 }, 'report must be an object, got 5'],
    [{ report: { ...REPORT, randomIds: -1 } }, 'report.randomIds must be an integer from 0'],
    [{ report: {} }, 'report.leasedIds must be an integer from 0'],
  ];
  for (const [request, message] of rows) {
    it(JSON.stringify(request) ?? 'undefined', () => expect(() => checkAcquire(request)).toThrow(message));
  }
});

describe('a release is refused', () => {
  const rows: [request: unknown, message: string][] = [
    [null, 'options must be an object, got null'],
    [{ ...RELEASE, id: -1 }, 'id must be an integer from 0 to 1073741823, got -1'],
    [{ ...RELEASE, id: '5' }, 'id must be an integer'],
    [{ ...RELEASE, timestamp: 0.5 }, 'timestamp must be an integer'],
    [{ ...RELEASE, signature: 5 }, 'signature must be a string, got "number"'],
    [{ ...RELEASE, serviceId: '' }, 'serviceId must be a string'],
    [{ ...RELEASE, report: { ...REPORT, clockSteps: 0.5 } }, 'report.clockSteps must be an integer from 0'],
  ];
  for (const [request, message] of rows) {
    it(JSON.stringify(request), () => expect(() => checkRelease(request)).toThrow(message));
  }

  it('or taken, when it is one', () => {
    expect(checkRelease(RELEASE)).toBe(RELEASE);
    const full = { ...RELEASE, serviceId: 'a', report: REPORT };
    expect(checkRelease(full)).toBe(full);
  });
});

describe('R7: of a serial that a client has seen', () => {
  const seen = (serial: number) => ({ seen: { pool: '0af3'.repeat(8), serial, proof: 'cd' } });

  it('the highest that leaves a pool room to count is believed', () => {
    expect(believedAcquire(seen(2 ** 52))).toEqual(seen(2 ** 52));
  });

  it('a higher one is not, and the rest of the request is', () => {
    const request = { requestId: 'r', ...seen(2 ** 52 + 1) };
    expect(believedAcquire(request)).toEqual({ requestId: 'r', ...seen(0) });
  });

  it('nothing is believed of a pool whose id is not of our form, and the rest of the request is', () => {
    for (const pool of ['x', 'lie 7', '0af3'.repeat(7), '0AF3'.repeat(8), `${'0af3'.repeat(8)} `]) {
      const request = { requestId: 'r', seen: { pool, serial: 5 } };
      expect(believedAcquire(request)).toEqual({ requestId: 'r' });
    }
  });

  it('nothing is believed of what is no request', () => {
    expect(() => believedAcquire({ seen: 5 })).toThrow('seen must be an object');
  });
});
