import { HttpLeaseError, InvalidArgumentError } from 'kazahana';
import { LeaseError, PoolExhaustedError, StoreError } from 'kazahana/lease';
import { describe, expect, it } from 'vitest';
import { exitCodeOf, messageOf } from './failures.js';
import { UsageError } from './terminal.js';

describe('the exit code of a failure', () => {
  it.each([
    [new UsageError('wrong'), 2],
    [new InvalidArgumentError('it', 'something', 5), 2],
    [new LeaseError('UNREACHABLE', 'no server responds'), 3],
    [new StoreError('STORE_UNAVAILABLE', 'the store is away'), 3],
    [new PoolExhaustedError('default', 5), 4],
    [new StoreError('STORE_REFUSED', 'no'), 1],
    [new LeaseError('toString', 'a name that every object has'), 1],
    [new Error('anything'), 1],
    ['a text', 1],
    [undefined, 1],
  ])('%s', (error, code) => expect(exitCodeOf(error)).toBe(code));
});

describe('the message of a failure', () => {
  it.each([
    [new UsageError('wrong'), 'wrong'],
    [
      new HttpLeaseError('FORBIDDEN', 403, 'the token is for other services'),
      'the token is for other services (HTTP status 403, FORBIDDEN)',
    ],
    [new HttpLeaseError('FORBIDDEN', 403, undefined), 'the lease server refuses: FORBIDDEN, HTTP status 403'],
    ['a text', 'a text'],
    [undefined, 'undefined'],
  ])('%s', (error, message) => expect(messageOf(error)).toBe(message));
});
