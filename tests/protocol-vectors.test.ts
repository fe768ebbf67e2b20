import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PROTOCOL_VECTORS, protocolVectors } from '../scripts/protocol-vectors.ts';
import { root } from '../scripts/run.ts';

interface Layout {
  name: string;
  customEpoch: number;
  bitReserve: number;
  bitTs: number;
  bitId: number;
  bitSeq: number;
  leasable: number;
}

interface Vectors {
  layouts: Layout[];
  ids: {
    layout: string;
    unixMs: number;
    machineId: number;
    sequence: number;
    fallback: boolean;
    id: string;
    bytes: string;
  }[];
  signatures: { secret: string; id: number; timestamp: number; text: string; signature: string }[];
  externalIds: { algorithm: string; id: string; externalId: string }[];
}

const text = readFileSync(join(root, PROTOCOL_VECTORS), 'utf8');
const vectors = JSON.parse(text) as Vectors;

describe('the vectors of the protocol', () => {
  it('are what the library makes today; `npm run protocol-vectors` writes them', () => {
    expect(text).toBe(protocolVectors());
  });

  it('have signatures that any HMAC-SHA-256 gives', () => {
    for (const { secret, id, timestamp, text: signed, signature } of vectors.signatures) {
      expect(signed).toBe(`${id}:${timestamp}`);
      expect(createHmac('sha256', secret).update(signed).digest('hex')).toBe(signature);
    }
  });

  it('have IDs that the formula of the document gives', () => {
    for (const { layout, unixMs, machineId, sequence, fallback, id, bytes } of vectors.ids) {
      const { customEpoch, bitId, bitSeq, leasable } = vectors.layouts.find(
        ({ name }) => name === layout,
      ) as Layout;
      const suffix = BigInt(machineId) * 2n ** BigInt(bitSeq) + BigInt(sequence);
      expect(BigInt(unixMs - customEpoch) * 2n ** BigInt(bitId + bitSeq) + suffix).toBe(BigInt(id));
      expect(BigInt(`0x${bytes}`)).toBe(BigInt(id));
      expect(fallback).toBe(machineId >= leasable);
    }
  });

  it('have external IDs that are base64url of the bytes where nothing is hidden', () => {
    for (const { id, externalId } of vectors.externalIds.filter(({ algorithm }) => algorithm === 'none')) {
      const bytes = Buffer.alloc(8);
      bytes.writeBigUInt64BE(BigInt(id));
      expect(bytes.toString('base64url')).toBe(externalId);
    }
  });
});
