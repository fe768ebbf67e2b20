import { describe, expect, it } from 'vitest';
import { AllocatorStateError, IndexAllocator } from './index.js';

describe('an exported state', () => {
  it('is plain data: the range, and every unbroken run of taken indexes as a pair', () => {
    const allocator = new IndexAllocator({ min: 1, max: 1000 });
    for (let i = 0; i < 500; i += 1) allocator.allocate();
    allocator.release(7);
    allocator.reserve(900);
    allocator.reserve(902);
    allocator.reserve(901);
    const state = {
      min: 1,
      max: 1000,
      allocated: [
        [1, 6],
        [8, 500],
        [900, 902],
      ],
    };
    expect(allocator.toJSON()).toEqual(state);
    expect(JSON.parse(JSON.stringify(allocator))).toEqual(state);
  });

  it('is small when the use is dense, however large the range', () => {
    const allocator = new IndexAllocator({ min: 0, max: 2 ** 20 });
    for (let i = 0; i < 10_000; i += 1) allocator.allocate();
    expect(JSON.stringify(allocator)).toBe('{"min":0,"max":1048576,"allocated":[[0,9999]]}');
  });

  it('does not change with the allocator it came from, nor the allocator with it', () => {
    const allocated: [number, number][] = [[1, 2]];
    const allocator = IndexAllocator.from({ min: 1, max: 9, allocated });
    const state = allocator.toJSON();
    allocator.allocate();
    allocated[0] = [1, 9];
    expect(state.allocated).toEqual([[1, 2]]);
    expect(allocator.size).toBe(3);
  });
});

describe('an import takes', () => {
  for (const allocated of [
    [],
    [[3, 3]],
    [[3, 9]],
    [[9, 9]],
    [
      [3, 4],
      [6, 6],
      [8, 9],
    ],
  ]) {
    it(JSON.stringify(allocated), () => {
      const state = { min: 3, max: 9, allocated };
      expect(IndexAllocator.from(state).toJSON()).toEqual(state);
    });
  }
});

describe('an import refuses', () => {
  const of = (...allocated: unknown[]) => ({ min: 1, max: 15, allocated });
  // biome-ignore lint/suspicious/noSparseArray: a hole is one of the things to refuse
  const sparse = [, [1, 1]];
  const rows: [title: string, state: unknown, problem: string][] = [
    ['nothing', undefined, 'state must be an object, and no array, got undefined'],
    ['null', null, 'state must be an object, and no array, got null'],
    ['JSON text', '{"min":1,"max":15,"allocated":[]}', 'state must be an object, and no array, got "{'],
    ['an array', [[1, 2]], 'state must be an object, and no array, got '],
    [
      'a missing min',
      { max: 15, allocated: [] },
      'min must be an integer from 0 to 9007199254740991, got undefined',
    ],
    [
      'a negative min',
      { min: -1, max: 15, allocated: [] },
      'min must be an integer from 0 to 9007199254740991, got -1',
    ],
    ['a missing max', { min: 1, allocated: [] }, 'max must be an integer from 1 to 16777216, got undefined'],
    [
      'a max in text',
      { min: 1, max: '15', allocated: [] },
      'max must be an integer from 1 to 16777216, got "15"',
    ],
    [
      'a max below min',
      { min: 5, max: 4, allocated: [] },
      'max must be an integer from 5 to 16777220, got 4',
    ],
    [
      'a range too large',
      { min: 1, max: 16777217, allocated: [] },
      'max must be an integer from 1 to 16777216',
    ],
    ['missing runs', { min: 1, max: 15 }, 'allocated must be an array, got undefined'],
    [
      'runs in an object',
      { min: 1, max: 15, allocated: { 0: [1, 1] } },
      'allocated must be an array, got an object',
    ],
    ['an unknown key', { ...of(), next: 4 }, 'every key must be one of min, max, allocated, got "next"'],
    ['a bare index', of(3), 'allocated[0] must be an array, got 3'],
    ['a hole', { min: 1, max: 15, allocated: sparse }, 'allocated[0] must be an array, got undefined'],
    ['a short pair', of([3]), 'allocated[0].length must be 2, got 1'],
    ['a long pair', of([1, 2, 3]), 'allocated[0].length must be 2, got 3'],
    ['a fraction', of([1.5, 2]), 'allocated[0][0] must be an integer from 1 to 15, got 1.5'],
    ['text in a pair', of([1, '2']), 'allocated[0][1] must be an integer from 1 to 15, got "2"'],
    ['null in a pair', of([null, 2]), 'allocated[0][0] must be an integer from 1 to 15, got null'],
    ['a bigint in a pair', of([1n, 2]), 'allocated[0][0] must be an integer from 1 to 15, got 1n'],
    ['an index below the range', of([0, 2]), 'allocated[0][0] must be an integer from 1 to 15, got 0'],
    ['an index above the range', of([1, 16]), 'allocated[0][1] must be an integer from 1 to 15, got 16'],
    ['a pair turned round', of([4, 3]), 'allocated[0][1] must be an integer from 4 to 15, got 3'],
    ['a duplicate', of([1, 3], [3, 4]), 'allocated[1][0] must be above 4: runs are sorted and apart, got 3'],
    [
      'unsorted runs',
      of([6, 7], [1, 2]),
      'allocated[1][0] must be above 8: runs are sorted and apart, got 1',
    ],
    [
      'runs that touch',
      of([1, 3], [4, 5]),
      'allocated[1][0] must be above 4: runs are sorted and apart, got 4',
    ],
  ];
  for (const [title, state, problem] of rows) {
    it(title, () => {
      expect(() => IndexAllocator.from(state)).toThrow(AllocatorStateError);
      expect(() => IndexAllocator.from(state)).toThrow(problem);
    });
  }

  it('with the place, what is allowed and what was given', () => {
    expect(new AllocatorStateError('max', 'an integer', 'x')).toMatchObject({
      name: 'AllocatorStateError',
      code: 'ALLOCATOR_STATE',
      path: 'max',
      allowed: 'an integer',
      value: 'x',
      message: 'allocator state: max must be an integer, got "x"',
    });
  });
});
