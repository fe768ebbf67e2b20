import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ClockStalledError, generateV7, parseUuid, UuidV7Generator, validateUuid } from './index.js';
import { uuidV7Layout } from './layouts.js';
import { resetUuidV7 } from './v7.js';

const MAX_UNIX_MS = 2 ** 48 - 1;

const unixMsOf = (uuid: string) => Number.parseInt(uuid.slice(0, 8) + uuid.slice(9, 13), 16);
const counterOf = (uuid: string) => Number.parseInt(uuid.slice(15, 18), 16);

/** Fills with one byte, so that what is random can be told from what is not. */
const constantRandom = (byte: number) => (bytes: Uint8Array) => bytes.fill(byte);

/** The first pair that does not rise, or undefined. */
function firstFall(uuids: readonly string[]): [string, string] | undefined {
  const i = uuids.findIndex((uuid, at) => at > 0 && uuid <= (uuids[at - 1] ?? ''));
  return i === -1 ? undefined : [uuids[i - 1] ?? '', uuids[i] ?? ''];
}

function textsOf(bytes: Uint8Array): string[] {
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return (hex.match(/.{32}/g) ?? []).map((digits) =>
    digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'),
  );
}

describe('a v7 generator', () => {
  it('puts time, version, counter, variant and random bits where RFC 9562 has them', () => {
    const generator = new UuidV7Generator({ now: () => 0x017f22e279b0, random: constantRandom(0xff) });
    expect(generator.next()).toBe('017f22e2-79b0-77ff-bfff-ffffffffffff');
    expect(generator.next()).toBe('017f22e2-79b0-7800-bfff-ffffffffffff');
  });

  it('starts the counter at a random 11-bit value with a random tail', () => {
    const starts = new Set<number>();
    for (let ms = 0; ms < 200; ms++) starts.add(counterOf(new UuidV7Generator().nextAt(ms)));
    expect(Math.max(...starts)).toBeLessThanOrEqual(0x7ff);
    expect(starts.size).toBeGreaterThan(100);
  });

  it('starts the counter at 0 with a session tail, and keeps 46 bits of it', () => {
    const generator = new UuidV7Generator({ tail: 'session' });
    const uuids = [5, 5, 6, 7, 7].map((ms) => generator.nextAt(ms));
    expect(uuids.map(counterOf)).toEqual([0, 1, 0, 0, 1]);
    expect(new Set(uuids.map((uuid) => uuid.slice(19, 32))).size).toBe(1);
    expect(new Set(uuids.map((uuid) => uuid.slice(32))).size).toBeGreaterThan(1);
  });

  it('gives every generator a session of its own', () => {
    const sessions = Array.from({ length: 20 }, () =>
      new UuidV7Generator({ tail: 'session' }).nextAt(1).slice(19, 32),
    );
    expect(new Set(sessions).size).toBe(20);
  });

  it('stays greater than before when the clock steps back by any amount', () => {
    let now = 1_000_000_000;
    const generator = new UuidV7Generator({ now: () => now });
    const uuids = [generator.next()];
    for (const step of [-100, -1, 5, -999_999_000, 1]) {
      now += step;
      uuids.push(generator.next());
    }
    expect(firstFall(uuids)).toBeUndefined();
    expect(new Set(uuids.map(unixMsOf))).toEqual(new Set([1_000_000_000]));
  });

  it('moves time on by a millisecond when a counter overflows', () => {
    const generator = new UuidV7Generator({ tail: 'session' });
    const uuids = Array.from({ length: 10_000 }, () => generator.nextAt(77));
    expect(firstFall(uuids)).toBeUndefined();
    expect(uuids.map(unixMsOf).filter((ms) => ms === 77)).toHaveLength(4096);
    expect(unixMsOf(uuids.at(-1) ?? '')).toBe(79);
    expect(uuids.every((uuid) => validateUuid(uuid).version === 'v7')).toBe(true);
  });

  it('is valid and rising at full speed with the real clock', () => {
    const generator = new UuidV7Generator();
    const uuids = Array.from({ length: 50_000 }, () => generator.next());
    expect(firstFall(uuids)).toBeUndefined();
    expect(uuids.every((uuid) => validateUuid(uuid).isValid)).toBe(true);
  });

  it('hands out nothing of an earlier millisecond once the clock has moved on', () => {
    let now = 10;
    const generator = new UuidV7Generator({ now: () => now });
    // Enough of a burst for several to be made ahead.
    for (let i = 0; i < 40; i++) generator.next();
    now = 11;
    expect(unixMsOf(generator.next())).toBe(11);
  });

  it('rises through any mixture of clocks, next, nextAt and fill', () => {
    const call = fc.oneof(
      fc.record({ kind: fc.constant('next' as const), at: fc.nat(20) }),
      fc.record({ kind: fc.constant('nextAt' as const), at: fc.nat(20) }),
      fc.record({ kind: fc.constant('fill' as const), at: fc.nat(20), count: fc.nat(40) }),
      fc.record({ kind: fc.constant('burst' as const), at: fc.nat(20), count: fc.constantFrom(20, 5000) }),
    );
    const property = fc.property(fc.array(call), fc.constantFrom('random', 'session'), (calls, tail) => {
      let now = 0;
      const generator = new UuidV7Generator({ tail: tail as 'random' | 'session', now: () => now });
      const uuids: string[] = [];
      for (const step of calls) {
        now = step.at;
        if (step.kind === 'next') uuids.push(generator.next());
        if (step.kind === 'nextAt') uuids.push(generator.nextAt(step.at));
        if (step.kind === 'burst') for (let i = 0; i < step.count; i++) uuids.push(generator.next());
        if (step.kind === 'fill') {
          const bytes = new Uint8Array(16 * step.count);
          generator.fill(bytes);
          uuids.push(...textsOf(bytes));
        }
      }
      expect(firstFall(uuids)).toBeUndefined();
    });
    fc.assert(property, { numRuns: 50 });
  });

  it('makes what the layout encodes', () => {
    fc.assert(
      fc.property(fc.nat(MAX_UNIX_MS), fc.uint8Array({ minLength: 16, maxLength: 16 }), (unixMs, drawn) => {
        const uuid = new UuidV7Generator({ random: () => drawn }).nextAt(unixMs);
        const number = BigInt(`0x${uuid.replaceAll('-', '')}`);
        const fields = uuidV7Layout.decode(number);
        expect(fields).toMatchObject({ unixMs, version: 7, variant: 2 });
        expect(uuidV7Layout.encode(fields)).toBe(number);
        expect(parseUuid(uuid).timestamp?.getTime()).toBe(unixMs);
      }),
    );
  });
});

describe('fill', () => {
  it('writes 16 bytes for each ID, rising, across counter overflow', () => {
    const generator = new UuidV7Generator({ now: () => 500 });
    const bytes = new Uint8Array(16 * 9000);
    generator.fill(bytes);
    const uuids = [...textsOf(bytes), generator.next()];
    expect(firstFall(uuids)).toBeUndefined();
    expect(uuids.every((uuid) => validateUuid(uuid).version === 'v7')).toBe(true);
    expect(unixMsOf(uuids[0] ?? '')).toBe(500);
  });

  it('takes an empty array', () => {
    expect(() => new UuidV7Generator().fill(new Uint8Array(0))).not.toThrow();
  });

  for (const [title, value] of [
    ['a length that is no multiple of 16', new Uint8Array(17)],
    ['no Uint8Array', [1, 2, 3]],
    ['nothing', undefined],
  ] as const) {
    it(`refuses ${title}`, () => {
      expect(() => new UuidV7Generator().fill(value as Uint8Array)).toThrow(
        /^bytes must be a Uint8Array of 16 bytes each/,
      );
    });
  }
});

describe('a clock that cannot be followed', () => {
  for (const time of [-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 48, '5', 5n, undefined, null]) {
    it(`${typeof time} ${String(time)} is refused, and changes nothing`, () => {
      let now: unknown = 7;
      const generator = new UuidV7Generator({ tail: 'session', now: () => now as number });
      expect(counterOf(generator.next())).toBe(0);
      now = time;
      expect(() => generator.next()).toThrow(/^now must be an integer from 0 to 281474976710655, got /);
      expect(() => generator.nextAt(time as number)).toThrow(RangeError);
      expect(() => generator.fill(new Uint8Array(16))).toThrow(RangeError);
      now = 7;
      expect(counterOf(generator.next())).toBe(1);
    });
  }

  it('the last millisecond of 48 bits is used to its end, and then refused', () => {
    const generator = new UuidV7Generator({ tail: 'session' });
    for (let i = 0; i < 4096; i++) generator.nextAt(MAX_UNIX_MS);
    expect(() => generator.nextAt(MAX_UNIX_MS)).toThrow(
      'unixMs must be an integer from 0 to 281474976710655',
    );
  });
});

describe('running ahead of the clock', () => {
  it('next waits for the clock when a second ahead, and goes on with each tick', () => {
    let now = 0;
    let reads = 0;
    // A clock that ticks once in ten thousand reads: slower than the IDs are made.
    const generator = new UuidV7Generator({
      tail: 'session',
      now: () => {
        if (++reads % 10_000 === 0) now++;
        return now;
      },
    });
    generator.nextAt(999);
    for (let i = 0; i < 4096 * 4; i++) {
      expect(unixMsOf(generator.next())).toBeLessThanOrEqual(now + 1000);
    }
    expect(now).toBeGreaterThanOrEqual(3);
    const bytes = new Uint8Array(16 * 4096);
    generator.fill(bytes);
    expect(unixMsOf(textsOf(bytes).at(-1) ?? '')).toBeLessThanOrEqual(now + 1000);
  });

  it('a lead left by a clock that stepped back shrinks with every tick', () => {
    let now = 3_600_000;
    const generator = new UuidV7Generator({ tail: 'session', now: () => now++ });
    generator.next();
    now = 0;
    const uuids = Array.from({ length: 20_000 }, () => generator.next());
    expect(firstFall(uuids)).toBeUndefined();
    expect(unixMsOf(uuids.at(-1) ?? '') - now).toBeLessThan(3_600_000);
  });

  it('a lead left by a clock that stepped back grows by a second at most', () => {
    let now = 3_600_000;
    let reads = 0;
    // A tick for every 256,000 IDs, which need 62 milliseconds.
    const clock = () => {
      if (++reads % 1000 === 0) now++;
      return now;
    };
    const generator = new UuidV7Generator({ tail: 'session', now: clock });
    generator.next();
    now = 0;
    const block = new Uint8Array(16 * 4096);
    for (let i = 0; i < 1100; i++) generator.fill(block);
    const lead = unixMsOf(generator.next()) - now;
    expect(lead).toBeGreaterThan(3_600_900);
    expect(lead).toBeLessThanOrEqual(3_601_000);
  });

  it('a clock that is stopped in the past is an error only after a thousand full counters', () => {
    let now = Date.parse('2026-01-01');
    const generator = new UuidV7Generator({ tail: 'session', now: () => now });
    const before = generator.next();
    now = Date.parse('2020-01-01');
    const block = new Uint8Array(16 * 4096);
    for (let i = 0; i < 1000; i++) generator.fill(block);
    const after = textsOf(block).at(-1) ?? '';
    expect(unixMsOf(after) - unixMsOf(before)).toBe(1000);
    expect(() => generator.fill(block)).toThrow(ClockStalledError);
    now++;
    expect(generator.next() > after).toBe(true);
  });

  it('a clock that stands still is an error, not an endless wait', () => {
    const generator = new UuidV7Generator({ tail: 'session', now: () => 5 });
    generator.nextAt(2000);
    const uuids = Array.from({ length: 4095 }, () => generator.next());
    expect(firstFall(uuids)).toBeUndefined();
    expect(() => generator.next()).toThrow(ClockStalledError);
    expect(unixMsOf(generator.nextAt(2000))).toBe(2001);
  });

  it('nextAt follows its caller, however far', () => {
    const generator = new UuidV7Generator({ tail: 'session', now: () => 0 });
    for (let i = 0; i < 4096 * 5; i++) generator.nextAt(9_000_000);
    expect(unixMsOf(generator.nextAt(9_000_000))).toBe(9_000_005);
  });
});

describe('a random source that fails', () => {
  for (const tail of ['random', 'session'] as const) {
    it(`is the caller's error, and changes nothing (${tail} tail)`, () => {
      let fails = true;
      const random = (bytes: Uint8Array) => {
        if (fails) throw new Error('no entropy');
        return bytes.fill(0);
      };
      const generator = new UuidV7Generator({ tail, random });
      expect(() => generator.nextAt(1)).toThrow('no entropy');
      fails = false;
      expect(counterOf(generator.nextAt(1))).toBe(0);
      fails = true;
      expect(() => generator.nextAt(1)).toThrow('no entropy');
      expect(() => generator.nextAt(2)).toThrow('no entropy');
      expect(() => generator.fill(new Uint8Array(32))).toThrow('no entropy');
      fails = false;
      const next = generator.nextAt(1);
      expect([unixMsOf(next), counterOf(next)]).toEqual([1, 1]);
    });
  }

  for (const [title, result] of [
    ['too few bytes', new Uint8Array(3)],
    ['no bytes', undefined],
    ['an array', [1, 2, 3]],
  ] as const) {
    it(`is refused when it gives ${title}`, () => {
      const generator = new UuidV7Generator({ random: () => result as Uint8Array });
      expect(() => generator.next()).toThrow('the result of random must be a Uint8Array of 16 bytes');
    });
  }
});

describe('options', () => {
  for (const [title, options, message] of [
    ['an unknown tail', { tail: 'node' }, "tail must be 'random' or 'session', got \"node\""],
    ['an unknown name', { tial: 'session' }, 'an option must be one of tail, now, random, got "tial"'],
    ['options that are no object', null, 'options must be an object, got null'],
    ['options that are a text', 'session', 'options must be an object, got "session"'],
    ['a clock that is no function', { now: 5 }, 'now must be a function, got 5'],
    ['a source that is no function', { random: 'yes' }, 'random must be a function, got "yes"'],
  ] as const) {
    it(`${title} is refused`, () => expect(() => new UuidV7Generator(options as never)).toThrow(message));
  }
});

describe('generateV7', () => {
  it('rises, and carries the time of its making', () => {
    const before = Date.now();
    const uuids = Array.from({ length: 1000 }, generateV7);
    expect(firstFall(uuids)).toBeUndefined();
    expect(unixMsOf(uuids[0] ?? '')).toBeGreaterThanOrEqual(before);
    expect(unixMsOf(uuids[0] ?? '')).toBeLessThanOrEqual(Date.now());
  });

  it('goes on, rising, when a test stops the clock in the past', () => {
    const { now } = Date;
    const before = generateV7();
    try {
      Date.now = () => 1_577_836_800_000;
      const uuids = [before, ...Array.from({ length: 50_000 }, generateV7)];
      expect(firstFall(uuids)).toBeUndefined();
    } finally {
      Date.now = now;
    }
    expect(generateV7() > before).toBe(true);
  });

  it('stays in a future that a test has faked, until it is told to forget it', () => {
    const { now } = Date;
    try {
      Date.now = () => 1_893_456_000_000;
      expect(unixMsOf(generateV7())).toBe(1_893_456_000_000);
    } finally {
      Date.now = now;
    }
    expect(unixMsOf(generateV7())).toBe(1_893_456_000_000);
    resetUuidV7();
    const after = Date.now();
    expect(unixMsOf(generateV7())).toBeLessThanOrEqual(after + 1000);
  });

  it('has 62 bits of chance in its tail', () => {
    const seen = { ones: 0n, zeros: 0n };
    for (let i = 0; i < 200; i++) {
      const { random } = uuidV7Layout.decode(BigInt(`0x${generateV7().replaceAll('-', '')}`));
      seen.ones |= random;
      seen.zeros |= ~random;
    }
    // Every bit is seen set and seen clear; the odds of failing by chance are 62 × 2 × 2^-200.
    expect(BigInt.asUintN(62, seen.ones)).toBe(2n ** 62n - 1n);
    expect(BigInt.asUintN(62, seen.zeros)).toBe(2n ** 62n - 1n);
  });
});
