import { describe, expect, it } from 'vitest';
import { nest, type Operation, put, under } from './kv.js';

/** The operations of a transaction inside a transaction. */
const inside = ({ request_txn }: Operation) =>
  (request_txn as { readonly success: readonly Operation[] } | undefined)?.success;

/** What etcd checks: the most at one level, and below it as many as the level has left of its 128. */
function isAllowed(operations: readonly Operation[], compares: number): boolean {
  const level = Math.max(operations.length, compares);
  const below = operations.map((operation) => inside(operation)?.length ?? 0);
  return level <= 128 && Math.max(0, ...below) <= 128 - level;
}

const flat = (operations: readonly Operation[]): Operation[] =>
  operations.flatMap((operation) => inside(operation) ?? [operation]);

describe('operations of one transaction', () => {
  const rows: [operations: number, compares: number][] = [
    [0, 0],
    [1, 1],
    [128, 1],
    [129, 1],
    [500, 2],
    [900, 105],
    [1900, 110],
  ];
  for (const [count, compares] of rows) {
    it(`${count} of them, after ${compares} compares, all fit in, in order`, () => {
      const operations = Array.from({ length: count }, (_, index) => put(`key ${index}`, ''));
      const nested = nest(operations, compares);
      expect(isAllowed(nested, compares)).toBe(true);
      expect(flat(nested)).toEqual(operations);
    });
  }

  it('that are too many are refused before they are sent', () => {
    const operations = Array.from({ length: 5000 }, (_, index) => put(`key ${index}`, ''));
    expect(() => nest(operations, 1)).toThrow(RangeError);
  });
});

describe('keys under a prefix', () => {
  it('are in its range, and no others', () => {
    const { from, to } = under('/a/');
    const isIn = (key: string) => Buffer.compare(Buffer.from(from), Buffer.from(key)) <= 0 && key < to;
    expect(['/a/', '/a/x', '/a/\uffff', '/a/~'].every(isIn)).toBe(true);
    expect(['/a', '/a0', '/a.', '/b/', '/'].some(isIn)).toBe(false);
  });
});
