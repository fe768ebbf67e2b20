// v3 and v5: the hash of a namespace and a name. MD5 and SHA-1 come from @noble/hashes, synchronous everywhere.
import { md5, sha1 } from '@noble/hashes/legacy.js';
import { textOf } from '../../uuid/text.js';
import { writeTo } from './bytes.js';
import { readOrThrow } from './text.js';
import type { UUIDTypes } from './types.js';

declare class TextEncoder {
  encode(text: string): Uint8Array;
}

const DNS = '6ba7b810-9dad-11d1-80b4-00c04fd430c8';
const URL = '6ba7b811-9dad-11d1-80b4-00c04fd430c8';

type Hash = (bytes: Uint8Array) => Uint8Array;

const encoder = /* @__PURE__ */ new TextEncoder();

function bytesOf(name: string): Uint8Array {
  // An encoder would write U+FFFD for a lone surrogate, and different names would share a UUID.
  if (/\p{Surrogate}/u.test(name)) throw new URIError('URI malformed');
  return encoder.encode(name);
}

function named<Buf extends Uint8Array>(
  version: 3 | 5,
  hash: Hash,
  value: string | Uint8Array,
  namespace: UUIDTypes,
  buf: Buf | undefined,
  offset: number | undefined,
): string | Buf {
  const name = typeof value === 'string' ? bytesOf(value) : value;
  const space = typeof namespace === 'string' ? readOrThrow(namespace) : namespace;
  if (space?.length !== 16) {
    throw new TypeError('Namespace must be array-like (16 iterable integer values, 0-255)');
  }
  const input = new Uint8Array(16 + name.length);
  input.set(space);
  input.set(name, 16);
  const bytes = hash(input);
  bytes[6] = ((bytes[6] as number) & 0x0f) | (version << 4);
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80;
  return buf ? writeTo(bytes, buf, offset ?? 0) : textOf(bytes);
}

interface NamedUuid {
  (value: string | Uint8Array, namespace: UUIDTypes, buf?: undefined, offset?: number): string;
  <TBuf extends Uint8Array = Uint8Array>(
    value: string | Uint8Array,
    namespace: UUIDTypes,
    buf: TBuf,
    offset?: number,
  ): TBuf;
  DNS: string;
  URL: string;
}

function namedUuid(version: 3 | 5, hash: Hash): NamedUuid {
  const make = <Buf extends Uint8Array>(
    value: string | Uint8Array,
    namespace: UUIDTypes,
    buf?: Buf,
    offset?: number,
  ) => named(version, hash, value, namespace, buf, offset);
  return Object.assign(make, { DNS, URL }) as NamedUuid;
}

export const v3: NamedUuid = /* @__PURE__ */ namedUuid(3, md5);
export const v5: NamedUuid = /* @__PURE__ */ namedUuid(5, sha1);
