import { minIdAt } from 'kazahana';
import { inspectId } from 'kazahana/inspect';
import { describe, expect, it } from 'vitest';
import { fallbackReadings } from './fallback-readings.js';

const NOW = Date.UTC(2026, 10, 16);

describe('a fallback ID', () => {
  const rows = [
    { layout: {}, machineId: 5, sequence: 7, bits: 21 },
    { layout: { bitId: 10, bitSeq: 12 }, machineId: 511, sequence: 4095, bits: 21 },
    { layout: {}, machineId: 0, sequence: 0, bits: 21 },
  ];
  for (const { layout, machineId, sequence, bits } of rows) {
    it(`can be machine ID ${machineId} with sequence ${sequence}, or random bits`, () => {
      const { bitId, bitSeq } = { bitId: 14, bitSeq: 8, ...layout };
      const half = 2 ** (bitId - 1);
      const id = minIdAt(NOW, layout) + BigInt((half + machineId) * 2 ** bitSeq + sequence);
      const [reading] = inspectId(String(id), { now: NOW, layout, as: 'kazahana-id' }).readings;
      expect(reading?.fallback).toBe(true);
      expect(reading && fallbackReadings(reading)).toEqual({
        fenced: { machineId, sequence },
        random: { bits, value: machineId * 2 ** bitSeq + sequence },
      });
    });
  }
});
