import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  CLIENT_INDEXES,
  CONVERSATION_INDEXES,
  encodeClientId,
  encodePylonId,
  IndexAllocator,
  IndexesExhaustedError,
  IndexNotTakenError,
  IndexTakenError,
  InvalidArgumentError,
  OutOfRangeError,
  PYLON_INDEXES,
  WORKSPACE_INDEXES,
} from './index.js';

const NOT_INDEXES: readonly unknown[] = [
  0,
  16,
  -1,
  1.5,
  Number.NaN,
  Infinity,
  '1',
  1n,
  true,
  null,
  undefined,
  {},
  [1],
];

describe('an allocator', () => {
  it('hands out the lowest free index', () => {
    const allocator = new IndexAllocator({ min: 1, max: 15 });
    expect([allocator.allocate(), allocator.allocate(), allocator.allocate()]).toEqual([1, 2, 3]);
    allocator.release(2);
    allocator.release(1);
    expect([allocator.allocate(), allocator.allocate(), allocator.allocate()]).toEqual([1, 2, 4]);
  });

  it('passes over what was reserved', () => {
    const allocator = new IndexAllocator({ min: 1, max: 15 });
    allocator.reserve(2);
    allocator.reserve(3);
    expect([allocator.allocate(), allocator.allocate()]).toEqual([1, 4]);
  });

  it('counts what is taken and what is free', () => {
    const allocator = new IndexAllocator({ min: 0, max: 15 });
    allocator.allocate();
    allocator.reserve(9);
    expect([allocator.size, allocator.free, allocator.capacity]).toEqual([2, 14, 16]);
    expect([0, 1, 9].map((index) => allocator.has(index))).toEqual([true, false, true]);
    expect([allocator.min, allocator.max]).toEqual([0, 15]);
  });

  it('refuses to allocate when it is full, and goes on when an index came back', () => {
    const allocator = new IndexAllocator({ min: 7, max: 8 });
    allocator.allocate();
    allocator.allocate();
    expect(() => allocator.allocate()).toThrow(IndexesExhaustedError);
    expect(new IndexesExhaustedError(7, 8)).toMatchObject({
      name: 'IndexesExhaustedError',
      code: 'INDEXES_EXHAUSTED',
      min: 7,
      max: 8,
      message: 'an index from 7 to 8 must be free, got none: all 2 are taken',
    });
    allocator.release(7);
    expect(allocator.allocate()).toBe(7);
  });

  it('refuses to reserve a taken index', () => {
    const allocator = new IndexAllocator({ min: 1, max: 15 });
    allocator.reserve(1);
    allocator.reserve(5);
    for (const index of [1, 5]) expect(() => allocator.reserve(index)).toThrow(IndexTakenError);
    expect(new IndexTakenError(5)).toMatchObject({ code: 'INDEX_TAKEN', index: 5 });
    expect(allocator.size).toBe(2);
  });

  it('refuses to release a free index, so also to release one twice', () => {
    const allocator = new IndexAllocator({ min: 1, max: 15 });
    allocator.allocate();
    allocator.allocate();
    allocator.release(1);
    for (const index of [1, 3, 15]) expect(() => allocator.release(index)).toThrow(IndexNotTakenError);
    expect(new IndexNotTakenError(3)).toMatchObject({ code: 'INDEX_NOT_TAKEN', index: 3 });
    expect(allocator.size).toBe(1);
  });

  it('takes nothing for an index that is none of the range', () => {
    const allocator = new IndexAllocator({ min: 1, max: 15 });
    for (const bad of NOT_INDEXES) {
      expect(() => allocator.reserve(bad as number)).toThrow(OutOfRangeError);
      expect(() => allocator.release(bad as number)).toThrow(OutOfRangeError);
      expect(allocator.has(bad as number)).toBe(false);
    }
    expect(() => allocator.reserve(16)).toThrow('index must be an integer from 1 to 15, got 16');
    expect(allocator.size).toBe(0);
  });

  it('never hands out -0', () => {
    const allocator = new IndexAllocator({ min: -0, max: 3 });
    expect(allocator.allocate()).toBe(0);
    allocator.allocate();
    allocator.release(-0);
    expect(allocator.allocate()).toBe(0);
    expect(allocator.toJSON().min).toBe(0);
    const imported = IndexAllocator.from(JSON.parse('{"min":-0,"max":3,"allocated":[[-0,-0]]}'));
    imported.release(-0);
    expect(imported.allocate()).toBe(0);
  });
});

describe('a range is refused when', () => {
  const rows: [title: string, range: unknown, error: typeof OutOfRangeError | typeof InvalidArgumentError][] =
    [
      ['it is missing', undefined, InvalidArgumentError],
      ['it is null', null, InvalidArgumentError],
      ['it is a number', 15, InvalidArgumentError],
      ['min is missing', { max: 15 }, OutOfRangeError],
      ['max is missing', { min: 1 }, OutOfRangeError],
      ['min is negative', { min: -1, max: 15 }, OutOfRangeError],
      ['max is below min', { min: 2, max: 1 }, OutOfRangeError],
      ['max is text', { min: 1, max: '15' }, OutOfRangeError],
      ['it has a fraction', { min: 0.5, max: 15 }, OutOfRangeError],
      ['it has more than 2^24 indexes', { min: 1, max: 2 ** 24 + 1 }, OutOfRangeError],
      ['it leaves the safe integers', { min: Number.MAX_SAFE_INTEGER, max: 2 ** 53 }, OutOfRangeError],
    ];
  for (const [title, range, error] of rows) {
    it(title, () => {
      expect(() => new IndexAllocator(range as { min: number; max: number })).toThrow(error);
    });
  }

  it('but not at its widest, nor at the end of the safe integers', () => {
    expect(new IndexAllocator({ min: 1, max: 2 ** 24 }).capacity).toBe(2 ** 24);
    const last = new IndexAllocator({ min: Number.MAX_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER });
    expect(last.allocate()).toBe(Number.MAX_SAFE_INTEGER);
    expect(() => last.allocate()).toThrow(IndexesExhaustedError);
  });
});

describe('the ranges of the hierarchy', () => {
  it('number every pylon and every client that can be encoded, and no more', () => {
    const [pylons, clients] = [new IndexAllocator(PYLON_INDEXES), new IndexAllocator(CLIENT_INDEXES)];
    for (let i = 0; i < 15; i += 1) encodePylonId(0, pylons.allocate());
    for (let i = 0; i < 16; i += 1) encodeClientId(0, clients.allocate());
    expect([pylons.free, clients.free]).toEqual([0, 0]);
  });

  it('have room for 127 workspaces and 1023 conversations', () => {
    expect(new IndexAllocator(WORKSPACE_INDEXES).capacity).toBe(127);
    expect(new IndexAllocator(CONVERSATION_INDEXES).capacity).toBe(1023);
  });
});

/** The same allocator, as anyone would write it who need not be quick: every index, and whether it is taken. */
class Model {
  readonly taken: boolean[];
  constructor(
    readonly min: number,
    readonly max: number,
  ) {
    this.taken = Array.from({ length: max - min + 1 }, () => false);
  }
  lowestFree(): number | undefined {
    const place = this.taken.indexOf(false);
    return place === -1 ? undefined : place + this.min;
  }
  set(index: number, taken: boolean): void {
    this.taken[index - this.min] = taken;
  }
  has(index: number): boolean {
    return this.taken[index - this.min] ?? false;
  }
  indexes(): number[] {
    return this.taken.flatMap((taken, place) => (taken ? [place + this.min] : []));
  }
}

const STEPS = ['allocate', 'allocate', 'reserve', 'release', 'release', 'reimport'] as const;
const steps = fc.array(fc.tuple(fc.constantFrom(...STEPS), fc.nat({ max: 19 })), { maxLength: 150 });

describe('for any sequence of steps', () => {
  it('an allocator does what the plain model does, and its state survives export and import', () => {
    fc.assert(
      fc.property(fc.nat({ max: 3 }), fc.integer({ min: 1, max: 20 }), steps, (min, capacity, sequence) => {
        const max = min + capacity - 1;
        const model = new Model(min, max);
        let allocator = new IndexAllocator({ min, max });
        for (const [step, offset] of sequence) {
          const index = min + (offset % capacity);
          if (step === 'allocate') {
            const lowest = model.lowestFree();
            if (lowest === undefined) expect(() => allocator.allocate()).toThrow(IndexesExhaustedError);
            else {
              expect(allocator.allocate()).toBe(lowest);
              model.set(lowest, true);
            }
          } else if (step === 'reserve') {
            if (model.has(index)) expect(() => allocator.reserve(index)).toThrow(IndexTakenError);
            else allocator.reserve(index);
            model.set(index, true);
          } else if (step === 'release') {
            if (model.has(index)) allocator.release(index);
            else expect(() => allocator.release(index)).toThrow(IndexNotTakenError);
            model.set(index, false);
          } else {
            allocator = IndexAllocator.from(JSON.parse(JSON.stringify(allocator)));
          }
          const everyIndex = model.taken.map((_, place) => place + min);
          expect(everyIndex.filter((each) => allocator.has(each))).toEqual(model.indexes());
          expect(allocator.size).toBe(model.indexes().length);
          const exported = allocator
            .toJSON()
            .allocated.flatMap(([first, last]) =>
              Array.from({ length: last - first + 1 }, (_, i) => first + i),
            );
          expect(exported).toEqual(model.indexes());
        }
      }),
    );
  });
});

describe('a large range', () => {
  const max = 2 ** 18 - 1;

  it('is not searched from the start for every index', () => {
    // A search would take 2^34 steps here, and the test run out of time.
    const allocator = new IndexAllocator({ min: 0, max });
    // An allocator that repeats an index fails at once, rather than fill a list that takes minutes.
    const allocate = (index: number) => {
      if (allocator.allocate() !== index) throw new Error(`the next index is not ${index}`);
    };
    for (let index = 0; index <= max; index += 1) allocate(index);
    for (let index = max; index > 0; index -= 2) allocator.release(index);
    for (let index = 1; index <= max; index += 2) allocate(index);
    expect(allocator.free).toBe(0);
  });

  // Storing indexes of the widest range one by one would exhaust the time, or the memory, in each of these.
  const widest = { min: 1, max: 2 ** 24 };

  it('costs nothing to reserve at its far end', () => {
    const allocator = new IndexAllocator(widest);
    for (let i = 0; i < 1000; i += 1) {
      allocator.reserve(2 ** 24);
      allocator.release(2 ** 24);
    }
    expect(allocator.size).toBe(0);
  });

  it('costs nothing to bring back when it is nearly full or nearly empty', () => {
    const nearlyFull = { ...widest, allocated: [[2, 2 ** 24]] };
    const nearlyEmpty = { ...widest, allocated: [[2 ** 24, 2 ** 24]] };
    for (let i = 0; i < 1000; i += 1) {
      expect(IndexAllocator.from(nearlyFull).allocate()).toBe(1);
      expect(IndexAllocator.from(nearlyEmpty).allocate()).toBe(1);
    }
  });

  it('leaves nothing behind when every index came back', () => {
    // Were anything of the returned indexes kept, every export would go through it.
    const count = 2 ** 16;
    const allocated = [[1, count]];
    const upwards = IndexAllocator.from({ ...widest, allocated });
    for (let index = 1; index <= count; index += 1) upwards.release(index);
    const downwards = IndexAllocator.from({ ...widest, allocated });
    for (let index = count; index >= 1; index -= 1) downwards.release(index);
    for (const allocator of [upwards, downwards]) {
      for (let i = 0; i < 10_000; i += 1) allocator.toJSON();
      expect(allocator.toJSON()).toEqual({ ...widest, allocated: [] });
    }
  });
});
