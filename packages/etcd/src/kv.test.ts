import { describe, expect, it } from 'vitest';
import { nest, type Operation, put, under } from './kv.js';

/** What etcd checks: the most at one level, and below it as many as the level has left of its 128. */
function isAllowed(operations: readonly Operation[], comparisons: number): boolean {
  const level = Math.max(operations.length, comparisons);
  const below = operations.map((operation) =>
    'request_txn' in operation ? operation.request_txn.success.length : 0,
  );
  return level <= 128 && Math.max(0, ...below) <= 128 - level;
}

const flat = (operations: readonly Operation[]): Operation[] =>
  operations.flatMap((operation) =>
    'request_txn' in operation ? operation.request_txn.success : [operation],
  );

describe('operations of one transaction', () => {
  const rows: [operations: number, comparisons: number][] = [
    [0, 0],
    [1, 1],
    [128, 1],
    [129, 1],
    [500, 2],
    [900, 105],
    [1900, 110],
  ];
  for (const [count, comparisons] of rows) {
    it(`${count} of them, after ${comparisons} comparisons, all fit in, in order`, () => {
      const operations = Array.from({ length: count }, (_, index) => put(`key ${index}`, ''));
      const nested = nest(operations, comparisons);
      expect(isAllowed(nested, comparisons)).toBe(true);
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
