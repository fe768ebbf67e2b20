// The two functions for callers who do not want to hold a codec. They remember codecs, because deriving a
// key takes longer than converting an ID.
import type { KazahanaId } from '../id/layout.js';
import type { ExternalId } from './base64url.js';
import { codecFor, type ExternalIdCodec } from './codec.js';
import { choose, type ExternalIdOptions } from './options.js';
import { rememberByContent, rememberUpTo } from './remember.js';
import type { Secret } from './secret.js';

// Enough for the handful of secrets that a program has. One with more loses microseconds, not correctness,
// and can hold codecs itself; so can one that uses prefixes or labels, which are not remembered.
const MAX_SECRETS = 64;

const plain = /* @__PURE__ */ codecFor({ cipher: { algorithm: 'none' } });
const mixed = /* @__PURE__ */ codecFor({ cipher: { algorithm: 'mix' } });
const ofString = /* @__PURE__ */ rememberUpTo(MAX_SECRETS, keyed);
const ofBytes = /* @__PURE__ */ rememberByContent(keyed);

function keyed(secret: Secret): ExternalIdCodec {
  return codecFor({ cipher: { algorithm: 'xtea', secret } });
}

function codecOfOptions(options: ExternalIdOptions | undefined): ExternalIdCodec {
  const choice = choose(options);
  if (choice.frame !== undefined) return codecFor(choice);
  const { cipher } = choice;
  if (cipher.algorithm === 'mix') return mixed;
  if (cipher.algorithm === 'none') return plain;
  return typeof cipher.secret === 'string' ? ofString(cipher.secret) : ofBytes(cipher.secret);
}

/**
 * The external form of a 64-bit ID: 11 characters that do not show its order.
 *
 * ```ts
 * toExternalId(0x0123456789abcdefn, { algorithm: 'none' }); // → 'ASNFZ4mrze8'
 * ```
 */
export function toExternalId(id: bigint, options?: ExternalIdOptions): ExternalId {
  return codecOfOptions(options).toExternalId(id);
}

/**
 * The ID of an external form, read with the options it was made with.
 *
 * ```ts
 * toInternalId('ASNFZ4mrze8', { algorithm: 'none' }); // → 81985529216486895n
 * ```
 */
export function toInternalId(externalId: string, options?: ExternalIdOptions): KazahanaId {
  return codecOfOptions(options).toInternalId(externalId);
}
