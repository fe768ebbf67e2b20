import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { equalInConstantTime, signHold, signRelease } from './signature.js';

describe('signRelease', () => {
  it('stands on HMAC-SHA-256 as the world knows it', () => {
    const text = 'The quick brown fox jumps over the lazy dog';
    expect(bytesToHex(hmac(sha256, utf8ToBytes('key'), utf8ToBytes(text)))).toBe(
      'f7bc83f430538424b13298e6aa6fb143ef4d59a14946175997479dbc2d1a3cd8',
    );
    // RFC 4231, test case 2.
    expect(bytesToHex(hmac(sha256, utf8ToBytes('Jefe'), utf8ToBytes('what do ya want for nothing?')))).toBe(
      '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
    );
  });

  // openssl dgst -sha256 -hmac <secret>, over the text `id:timestamp`; these never change.
  const vectors: [secret: string, id: number, timestamp: number, signature: string][] = [
    [
      '00112233445566778899aabbccddeeff',
      0,
      1767225600000,
      'fbc93cd8a5ab594a7a7cc9ad2a92aaf2385e5caa886825da0a7f75e7edd989f0',
    ],
    [
      '00112233445566778899aabbccddeeff',
      8191,
      1767225600000,
      'ef8b04b36f2074bd4507456745c14d6d94dc4e1127d03b3859a191801749e7e4',
    ],
    [
      'ffeeddccbbaa99887766554433221100',
      42,
      1800000000000,
      '62d75cf05ac6c2a472918a4789814cc80bff6472aa6201e56d8a510d71fd871d',
    ],
    ['kazahana', 5, 1767225600123, 'a7aca48f1871836cded28b946ccc844ce3ac691f119c95dde068d355fb4541bb'],
    ['風花', 7, 9007199254740991, '28247c339099808413736cbca6d8825b850027d60f65d468cebe6a1ad1473cd8'],
  ];
  for (const [secret, id, timestamp, signature] of vectors) {
    it(`signs ${id}:${timestamp} as ${signature.slice(0, 8)}…`, () => {
      expect(signRelease(secret, id, timestamp)).toBe(signature);
    });
  }

  it('is that for any secret and any numbers, one after the other', () => {
    const secret = fc.oneof(
      fc.string({ maxLength: 130 }),
      fc.string({ unit: 'binary', maxLength: 70 }),
      fc.integer({ min: 62, max: 66 }).map((length) => 'x'.repeat(length)),
    );
    const number = fc.oneof(fc.maxSafeNat(), fc.double());
    fc.assert(
      fc.property(secret, number, number, (key, id, timestamp) => {
        const expected = hmac(sha256, utf8ToBytes(key), utf8ToBytes(`${id}:${timestamp}`));
        expect(signRelease(key, id, timestamp)).toBe(bytesToHex(expected));
      }),
    );
  });

  it('takes the secret as the text it is, not as the bytes that its digits spell', () => {
    expect(signRelease('61'.repeat(16), 0, 0)).not.toBe(signRelease('a'.repeat(16), 0, 0));
  });
});

describe('signHold', () => {
  // openssl dgst -sha256 -hmac <secret>, over the text `hold:id:timestamp`; these never change.
  const vectors: [secret: string, id: number, timestamp: number, signature: string][] = [
    [
      '00112233445566778899aabbccddeeff',
      0,
      1767225600000,
      '1b6c184e2be881c561a296f1a59a845a94bca96efc3f8b2a222ea1bc7272384e',
    ],
    ['kazahana', 5, 1767225600123, '44514cb93da4f2ba201719f20fcb2408eff7cbadc31eae727f986e6763e9f4fc'],
  ];
  for (const [secret, id, timestamp, signature] of vectors) {
    it(`signs hold:${id}:${timestamp} as ${signature.slice(0, 8)}…`, () => {
      expect(signHold(secret, id, timestamp)).toBe(signature);
    });
  }

  it('is never a release: a request that is overheard cannot give the lease back', () => {
    fc.assert(
      fc.property(fc.string(), fc.maxSafeNat(), fc.maxSafeNat(), (secret, id, timestamp) => {
        expect(signHold(secret, id, timestamp)).not.toBe(signRelease(secret, id, timestamp));
      }),
    );
  });
});

describe('equalInConstantTime', () => {
  it('agrees with ===', () => {
    const anyText = fc.string({ maxLength: 8 });
    fc.assert(
      fc.property(anyText, anyText, (a, b) => {
        expect(equalInConstantTime(a, b)).toBe(a === b);
        expect(equalInConstantTime(a, a)).toBe(true);
        expect(equalInConstantTime(a, `${a}x`)).toBe(false);
        expect(equalInConstantTime(`${a}x`, a)).toBe(false);
        // A text that is another one twice over must not pass for it.
        expect(equalInConstantTime(`${a}${a}x`, `${a}x`)).toBe(a === '');
      }),
    );
  });
});
