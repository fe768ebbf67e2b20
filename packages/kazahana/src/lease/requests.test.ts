import { describe, expect, it } from 'vitest';
import { checkAcquire, checkRelease } from './requests.js';

const REPORT = {
  leasedIds: 1,
  fencedIds: 0,
  randomIds: 0,
  exhaustedMs: 0,
  acquireFailures: 0,
  clockSteps: 0,
};
const RELEASE = { id: 5, signature: 'ab', timestamp: 7 };

describe('an acquire is taken', () => {
  const requests: object[] = [
    {},
    { serviceId: 'a', meta: {}, throughputPerMs: 1, requestId: 'r', seen: { pool: 'p', serial: 0 } },
    { meta: { host: 'a', process: '' }, throughputPerMs: 2 ** 31, report: REPORT },
    // A newer client may say more.
    { colour: 'blue' },
  ];
  for (const request of requests) {
    it(JSON.stringify(request), () => expect(checkAcquire(request)).toBe(request));
  }
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
    [{ seen: null }, 'seen must be an object, got null'],
    [{ seen: { pool: '', serial: 1 } }, 'seen.pool must be a string'],
    [{ seen: { pool: 'p', serial: 2 ** 53 } }, 'seen.serial must be an integer from 0'],
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
  ];
  for (const [request, message] of rows) {
    it(JSON.stringify(request), () => expect(() => checkRelease(request)).toThrow(message));
  }

  it('or taken, when it is one', () => {
    expect(checkRelease(RELEASE)).toBe(RELEASE);
    expect(checkRelease({ ...RELEASE, serviceId: 'a' })).toEqual({ ...RELEASE, serviceId: 'a' });
  });
});
