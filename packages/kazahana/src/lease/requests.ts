// Refuses requests that are not what their types say, before anything is read or changed for them. Every provider
// checks here first, so that they all refuse bad input alike.
import { checkInteger, InvalidArgumentError } from '../errors.js';
import { checkObject, checkOptions } from '../options.js';
import { REPORT_FIELDS } from './report.js';
import type { AcquireOptions, LeasePage, ReleaseOptions } from './types.js';

const MAX_THROUGHPUT = 2 ** 31;
const MAX_MACHINE_ID = 2 ** 30 - 1;
const MAX_TEXT = 200;
/** Ignore serials above this: a pool goes on counting from the highest serial seen, and needs room to count. */
const MAX_BELIEVED_SERIAL = 2 ** 52;
/** The id that an engine gives a pool. Any other text names no pool that a store of ours could have lost. */
const POOL_ID = /^[0-9a-f]{32}$/;

/** More than any client holds leases; each costs a signature to check. */
const MAX_CLAIMS = 1024;

/** Of `meta` as JSON in UTF-8. A store keeps it with each lease, and with the last eight windows of each slot. */
const MAX_META_BYTES = 1024;

const CLAIM_TIMES = ['created', 'expired', 'fallbackUntil', 'timestamp'] as const;

function checkReport(report: unknown): void {
  if (report === undefined) return;
  const counts = checkObject('report', report);
  for (const name of REPORT_FIELDS) checkInteger(`report.${name}`, counts[name], 0, Number.MAX_SAFE_INTEGER);
}

function checkClaims(renew: unknown): void {
  if (renew === undefined) return;
  if (!Array.isArray(renew) || renew.length > MAX_CLAIMS) {
    throw new InvalidArgumentError('renew', `a list of at most ${MAX_CLAIMS} leases`, renew);
  }
  for (const claim of renew) {
    const { pool, id, bitId, bitSeq, signature, proof, ...times } = checkObject('a lease of renew', claim);
    checkText('renew.pool', pool);
    checkInteger('renew.id', id, 0, MAX_MACHINE_ID);
    checkInteger('renew.bitId', bitId, 1, 30);
    checkInteger('renew.bitSeq', bitSeq, 1, 30);
    for (const name of CLAIM_TIMES) checkInteger(`renew.${name}`, times[name], 0, Number.MAX_SAFE_INTEGER);
    checkSignature('renew.signature', signature);
    if (proof !== undefined) checkSignature('renew.proof', proof);
  }
}

/** The value may be a secret itself: it must not reach a message. */
function checkSignature(what: string, value: unknown): void {
  if (typeof value !== 'string') throw new InvalidArgumentError(what, 'a string', typeof value);
}

function checkText(what: string, value: unknown): void {
  if (typeof value !== 'string' || value === '' || value.length > MAX_TEXT) {
    throw new InvalidArgumentError(what, `a string of 1 to ${MAX_TEXT} characters`, value);
  }
}

function checkMeta(meta: unknown): void {
  for (const [name, text] of Object.entries(checkObject('meta', meta))) {
    if (typeof text !== 'string') throw new InvalidArgumentError(`meta.${name}`, 'a string', text);
  }
  const bytes = new TextEncoder().encode(JSON.stringify(meta)).length;
  if (bytes > MAX_META_BYTES) {
    throw new InvalidArgumentError('meta', `at most ${MAX_META_BYTES} bytes of JSON`, `${bytes} bytes`);
  }
}

/** The page of a list, if it is one. */
export function checkPage(page: LeasePage): LeasePage {
  const { after, limit } = checkOptions('a page', page, { after: true, limit: true });
  if (after !== undefined) checkInteger('after', after, -1, MAX_MACHINE_ID);
  if (limit !== undefined) checkInteger('limit', limit, 1, Number.MAX_SAFE_INTEGER);
  return page;
}

/** The request, if it is one. */
export function checkAcquire(options: unknown): AcquireOptions {
  const { serviceId, meta, throughputPerMs, requestId, seen, renew, report } = checkObject(
    'options',
    options,
  );
  if (serviceId !== undefined) checkText('serviceId', serviceId);
  if (requestId !== undefined) checkText('requestId', requestId);
  if (throughputPerMs !== undefined) checkInteger('throughputPerMs', throughputPerMs, 1, MAX_THROUGHPUT);
  if (meta !== undefined) checkMeta(meta);
  if (seen !== undefined) {
    const { pool, serial, proof } = checkObject('seen', seen);
    checkText('seen.pool', pool);
    checkInteger('seen.serial', serial, 0, Number.MAX_SAFE_INTEGER);
    if (proof !== undefined) checkSignature('seen.proof', proof);
  }
  checkClaims(renew);
  checkReport(report);
  return options as AcquireOptions;
}

/** The request, if it is one, with what a pool believes of it: for providers that decide themselves. */
export function believedAcquire(options: unknown): AcquireOptions {
  const { seen, ...request } = checkAcquire(options);
  if (seen === undefined || !POOL_ID.test(seen.pool)) return request;
  return { ...request, seen: { ...seen, serial: seen.serial <= MAX_BELIEVED_SERIAL ? seen.serial : 0 } };
}

/** The request, if it is one; whether its signature fits is the pool's question. */
export function checkRelease(options: unknown): ReleaseOptions {
  const { id, signature, timestamp, serviceId, report } = checkObject('options', options);
  checkInteger('id', id, 0, MAX_MACHINE_ID);
  checkInteger('timestamp', timestamp, 0, Number.MAX_SAFE_INTEGER);
  checkSignature('signature', signature);
  if (serviceId !== undefined) checkText('serviceId', serviceId);
  checkReport(report);
  return options as ReleaseOptions;
}
