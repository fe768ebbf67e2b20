import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatUuid, generateV1, parseUuid, validateUuid } from './index.js';
import { uuidV1Layout } from './layouts.js';
import { BEFORE_ALL, type Moment } from './moment.js';
import { stepV1, ticksOfMoment } from './v1.js';

const numberOf = (uuid: string) => BigInt(`0x${uuid.replaceAll('-', '')}`);

/** 100 ns ticks since 1582, put together from the three fields. */
function ticksOf(uuid: string): bigint {
  const { timeLow, timeMid, timeHigh } = uuidV1Layout.decode(numberOf(uuid));
  return BigInt(timeHigh) * 2n ** 48n + BigInt(timeMid) * 2n ** 32n + BigInt(timeLow);
}

/** A v1 of the given moment, with all random bits 0. */
function stamped(moment: Moment): string {
  const view = new DataView(new ArrayBuffer(16));
  const [low, high] = ticksOfMoment(moment);
  view.setUint32(0, low);
  view.setUint16(4, high);
  view.setUint16(6, 0x1000 | (high >> 16));
  view.setUint8(8, 0x80);
  return formatUuid(new Uint8Array(view.buffer));
}

describe('the v1 step', () => {
  const rows: [title: string, last: Moment, now: number, expected: Moment][] = [
    ['starts a millisecond at its first tick', [5, 7], 6, [6, 0]],
    ['takes the next tick within a millisecond', [5, 7], 5, [5, 8]],
    ['takes the last tick', [5, 9998], 5, [5, 9999]],
    ['runs into the next millisecond when all are taken', [5, 9999], 5, [6, 0]],
    ['goes on from there while the clock is behind', [6, 0], 5, [6, 1]],
    ['follows a clock that stepped back', [5000, 3], 3999, [3999, 0]],
  ];
  for (const [title, last, now, expected] of rows) {
    it(title, () => expect(stepV1(last, now)).toEqual(expected));
  }
});

describe('a v1', () => {
  it('carries exactly its tick of time, for every moment of its 60 bits', () => {
    const lastMs = Number((2n ** 60n - 1n) / 10_000n) - 12_219_292_800_000;
    fc.assert(
      fc.property(fc.integer({ min: -12_219_292_800_000, max: lastMs - 1 }), fc.nat(9999), (unixMs, tick) => {
        const uuid = stamped([unixMs, tick]);
        expect(ticksOf(uuid)).toBe((BigInt(unixMs) + 12_219_292_800_000n) * 10_000n + BigInt(tick));
        expect(parseUuid(uuid).timestamp?.getTime()).toBe(unixMs);
      }),
    );
  });

  it("is RFC 9562's vector for its time", () => {
    expect(stamped([Date.parse('2022-02-22T19:22:22Z'), 0])).toBe('c232ab00-9414-11ec-8000-000000000000');
  });

  it('differs in time from every other of its millisecond', () => {
    const ticks: bigint[] = [];
    for (let moment = BEFORE_ALL; ticks.length < 12_000; ticks.push(ticksOf(stamped(moment)))) {
      moment = stepV1(moment, 1000);
    }
    expect(new Set(ticks).size).toBe(12_000);
    expect(ticks.every((tick, i) => i === 0 || tick === (ticks[i - 1] ?? 0n) + 1n)).toBe(true);
  });

  it('has a random node with the multicast bit, and a random clock sequence, each time', () => {
    const parsed = Array.from({ length: 200 }, () => parseUuid(generateV1()));
    const firstBytes = parsed.map(({ node }) => Number.parseInt(node?.slice(0, 2) ?? '', 16));
    expect(firstBytes.every((byte) => byte % 2 === 1)).toBe(true);
    expect(new Set(parsed.map(({ node }) => node)).size).toBe(200);
    expect(new Set(parsed.map(({ clockSeq }) => clockSeq)).size).toBeGreaterThan(150);
  });

  it('is valid, and of now', () => {
    const before = Date.now();
    const uuid = generateV1();
    expect(validateUuid(uuid)).toMatchObject({ isValid: true, version: 'v1', normalized: uuid });
    const time = parseUuid(uuid).timestamp?.getTime() ?? 0;
    // Earlier tests in this process may have made more than 10,000 in a millisecond.
    expect(time).toBeGreaterThanOrEqual(before);
    expect(time).toBeLessThanOrEqual(Date.now() + 1000);
  });
});
