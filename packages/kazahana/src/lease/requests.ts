// Refuses requests that are not what their types say, before anything is read or changed for them. Every provider
// asks here first, so that bad input looks the same to all of them.
import { checkInteger, InvalidArgumentError } from '../errors.js';
import type { AcquireOptions, ReleaseOptions } from './types.js';

const MAX_THROUGHPUT = 2 ** 31;
const MAX_MACHINE_ID = 2 ** 30 - 1;
const MAX_TEXT = 200;
/**
 * A pool goes on counting from the highest serial that a client has seen, and needs room to count. Whoever claims more
 * is not believed; nor are clients refused that have seen more, should somebody once have claimed nearly as much.
 */
const MAX_BELIEVED_SERIAL = 2 ** 52;

const COUNTS = ['leasedIds', 'fencedIds', 'randomIds', 'exhaustedMs', 'acquireFailures', 'clockSteps'];

function checkObject(what: string, value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return value as Readonly<Record<string, unknown>>;
  }
  throw new InvalidArgumentError(what, 'an object', value);
}

function checkText(what: string, value: unknown): void {
  if (typeof value !== 'string' || value === '' || value.length > MAX_TEXT) {
    throw new InvalidArgumentError(what, `a string of 1 to ${MAX_TEXT} characters`, value);
  }
}

/** The request, if it is one. */
export function checkAcquire(options: unknown): AcquireOptions {
  const { serviceId, meta, throughputPerMs, requestId, seen, report } = checkObject('options', options);
  if (serviceId !== undefined) checkText('serviceId', serviceId);
  if (requestId !== undefined) checkText('requestId', requestId);
  if (throughputPerMs !== undefined) checkInteger('throughputPerMs', throughputPerMs, 1, MAX_THROUGHPUT);
  if (meta !== undefined) {
    for (const [name, text] of Object.entries(checkObject('meta', meta))) {
      if (typeof text !== 'string') throw new InvalidArgumentError(`meta.${name}`, 'a string', text);
    }
  }
  if (seen !== undefined) {
    const { pool, serial } = checkObject('seen', seen);
    checkText('seen.pool', pool);
    checkInteger('seen.serial', serial, 0, Number.MAX_SAFE_INTEGER);
  }
  if (report !== undefined) {
    const counts = checkObject('report', report);
    for (const name of COUNTS) checkInteger(`report.${name}`, counts[name], 0, Number.MAX_SAFE_INTEGER);
  }
  return options as AcquireOptions;
}

/** The request, if it is one, with what a pool believes of it: for providers that decide themselves. */
export function believedAcquire(options: unknown): AcquireOptions {
  const request = checkAcquire(options);
  const { seen } = request;
  if (seen === undefined || seen.serial <= MAX_BELIEVED_SERIAL) return request;
  return { ...request, seen: { ...seen, serial: 0 } };
}

/** The request, if it is one; whether its signature fits is the pool's question. */
export function checkRelease(options: unknown): ReleaseOptions {
  const { id, signature, timestamp, serviceId } = checkObject('options', options);
  checkInteger('id', id, 0, MAX_MACHINE_ID);
  checkInteger('timestamp', timestamp, 0, Number.MAX_SAFE_INTEGER);
  // What was given may be the secret itself: it must not reach a message.
  if (typeof signature !== 'string')
    throw new InvalidArgumentError('signature', 'a string', typeof signature);
  if (serviceId !== undefined) checkText('serviceId', serviceId);
  return options as ReleaseOptions;
}
