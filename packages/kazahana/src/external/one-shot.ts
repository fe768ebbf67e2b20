// The two functions for callers who do not want to hold a codec. They remember codecs, because deriving a
// key takes longer than converting an ID.
import type { KazahanaId } from '../id/layout.js';
import type { ExternalId } from './base64url.js';
import { codecFor, type ExternalIdCodec } from './codec.js';
import { choose, type ExternalIdOptions } from './options.js';
import { rememberByContent, rememberUpTo } from './remember.js';
import type { Secret } from './secret.js';

// Enough for the handful of secrets that a program has. One with more loses microseconds, not correctness,
// and can hold codecs itself.
const MAX_SECRETS = 64;

const plain = /* @__PURE__ */ codecFor({ algorithm: 'none' });
const mixed = /* @__PURE__ */ codecFor({ algorithm: 'mix' });
const ofString = /* @__PURE__ */ rememberUpTo(MAX_SECRETS, keyed);
const ofBytes = /* @__PURE__ */ rememberByContent(keyed);

function keyed(secret: Secret): ExternalIdCodec {
  return codecFor({ algorithm: 'xtea', secret });
}

function codecOfOptions(options: ExternalIdOptions | undefined): ExternalIdCodec {
  const choice = choose(options);
  if (choice.algorithm === 'mix') return mixed;
  if (choice.algorithm === 'none') return plain;
  return typeof choice.secret === 'string' ? ofString(choice.secret) : ofBytes(choice.secret);
}

/**
 * The public form of a 64-bit ID: 11 characters that do not show its order.
 *
 * ```ts
 * toExternalId(0x0123456789abcdefn, { algorithm: 'none' }); // → 'ASNFZ4mrze8'
 * ```
 */
export function toExternalId(id: bigint, options?: ExternalIdOptions): ExternalId {
  return codecOfOptions(options).toExternalId(id);
}

/**
 * The ID of a public form, read with the options it was made with.
 *
 * ```ts
 * toInternalId('ASNFZ4mrze8', { algorithm: 'none' }); // → 81985529216486895n
 * ```
 */
export function toInternalId(externalId: string, options?: ExternalIdOptions): KazahanaId {
  return codecOfOptions(options).toInternalId(externalId);
}
