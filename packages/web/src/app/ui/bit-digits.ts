// The bits of an ID as digits.
import type { ReadingField } from 'kazahana/inspect';

/** Bits and the fields that they are divided into. */
export interface Bits {
  readonly bits: number;
  readonly value: bigint;
  readonly fields: readonly ReadingField[];
}

/** From one bit to before another. */
export type BitRange = readonly [from: number, to: number] | undefined;

export const toDigits = (value: bigint, bits: number): string => value.toString(2).padStart(bits, '0');
export const hexOf = (value: bigint, bits: number): string =>
  value.toString(16).padStart(Math.ceil(bits / 4), '0');
