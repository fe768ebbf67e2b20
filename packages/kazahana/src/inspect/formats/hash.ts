// Digests in hexadecimal, told by their length alone, and IPFS content IDs, which say which digest they hold.

import { roleLayout } from '../bits.js';
import { bitFormat, textFacts } from '../facts.js';
import { message } from '../messages.js';
import { BASE36, BASE58, bytesOf, fromHex, fromRadix, hexOf } from '../radix.js';
import type { Format } from '../types.js';

const digest = <const Name extends string>(name: Name, title: string, bits: number, alike: string) =>
  bitFormat({
    name,
    title,
    family: 'hash',
    layout: roleLayout(title, [
      { name: 'digest', bits, role: 'random', reading: (value) => hexOf(BigInt(value), bits) },
    ]),
    // One case throughout; digits alone are a number.
    parse: (text) =>
      text.length === bits / 4 && /^(?:[0-9a-f]+|[0-9A-F]+)$/.test(text) && /[a-f]/i.test(text)
        ? fromHex(text)
        : undefined,
    write: (value) => hexOf(value, bits),
    strength: 'shared',
    tell: () => ({ notes: [message('note-by-length', { alike })] }),
  });

const IPFS_V0 = /^Qm[1-9A-HJ-NP-Za-km-z]{44}$/;
const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567';
/** The prefixes of multibase that content IDs are written in, https://github.com/multiformats/multibase */
const MULTIBASE: Readonly<Record<string, string>> = { b: BASE32, z: BASE58, k: BASE36 };
/** https://github.com/multiformats/multicodec */
const CODECS: Readonly<Record<number, string>> = {
  85: 'raw',
  112: 'dag-pb',
  113: 'dag-cbor',
  114: 'libp2p-key',
  297: 'dag-json',
};

/** A number of seven bits a byte, the least first, and where it ends. */
function varint(bytes: Uint8Array, start: number): readonly [value: number, end: number] | undefined {
  let value = 0;
  for (let at = start; at < Math.min(bytes.length, start + 5); at++) {
    const byte = bytes[at] ?? 0;
    value += (byte % 128) * 128 ** (at - start);
    if (byte < 128) return [value, at + 1];
  }
  return undefined;
}

/** The codec of a content ID; undefined when its parts do not fit together. */
function codecOf(bytes: Uint8Array): string | undefined {
  const [version, afterVersion] = varint(bytes, 0) ?? [0, 0];
  const [codec, afterCodec] = varint(bytes, afterVersion) ?? [0, 0];
  const [, afterHash] = varint(bytes, afterCodec) ?? [0, 0];
  const [length, start] = varint(bytes, afterHash) ?? [0, 0];
  const isWhole = version === 1 && length > 0 && start > 0 && bytes.length - start === length;
  return isWhole ? (CODECS[codec] ?? `codec 0x${codec.toString(16)}`) : undefined;
}

/** Base32 of multibase: whole bytes first, spare bits of 0 last. */
function base32Bytes(text: string): Uint8Array | undefined {
  const bits = Math.floor((text.length * 5) / 8) * 8;
  const value = fromRadix(text, BASE32);
  const spare = 2n ** BigInt(text.length * 5 - bits);
  return value !== undefined && value % spare === 0n ? bytesOf(value / spare, bits) : undefined;
}

/** A base that is no power of two: the leading byte of a content ID is its version, 1. */
function numberBytes(text: string, alphabet: string): Uint8Array | undefined {
  const value = fromRadix(text, alphabet);
  return value === undefined ? undefined : bytesOf(value, Math.ceil(value.toString(16).length / 2) * 8);
}

/** https://github.com/multiformats/cid */
const cid: Format<'ipfs-cid'> = {
  name: 'ipfs-cid',
  title: 'IPFS CID',
  family: 'hash',
  recognise(text) {
    if (IPFS_V0.test(text)) {
      // 0x12 is SHA-256, 0x20 its length.
      const bytes = numberBytes(text, BASE58);
      const isDigest = bytes?.length === 34 && bytes[0] === 0x12 && bytes[1] === 0x20;
      if (!isDigest) return undefined;
      return {
        strength: 'certain',
        facts: textFacts({ text, notes: [message('note-cid', { version: '0', codec: 'dag-pb' })] }),
      };
    }
    const [first = '', rest] = [text[0], text.slice(1)];
    const alphabet = MULTIBASE[first];
    if (!alphabet || rest.length < 20) return undefined;
    const bytes = alphabet === BASE32 ? base32Bytes(rest) : numberBytes(rest, alphabet);
    const codec = bytes && codecOf(bytes);
    if (!codec) return undefined;
    return {
      strength: 'certain',
      facts: textFacts({ text, notes: [message('note-cid', { version: '1', codec })] }),
    };
  },
};

export const hashFormats = [
  cid,
  digest('md5', 'MD5 hash', 128, 'MD4, RIPEMD-128'),
  digest('sha1', 'SHA-1 hash', 160, 'RIPEMD-160, a Git object'),
  digest('sha224', 'SHA-224 hash', 224, 'SHA3-224'),
  digest('sha256', 'SHA-256 hash', 256, 'SHA3-256, BLAKE2s, BLAKE3'),
  digest('sha384', 'SHA-384 hash', 384, 'SHA3-384'),
  digest('sha512', 'SHA-512 hash', 512, 'SHA3-512, BLAKE2b'),
] as const;
