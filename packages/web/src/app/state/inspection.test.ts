import { describe, expect, it } from 'vitest';
import { inspect, orderOf } from './inspection.js';

const now = Date.UTC(2026, 10, 16);
const v7 = '01941f29-7c00-7aaa-aaaa-aaaaaaaaaaaa';
const look = (text: string) => inspect(text, now);

describe('the box', () => {
  it('is empty, or only blanks', () => expect(look(' \n ').kind).toBe('empty'));

  it('holds one ID, with blanks around it or words', () => {
    expect(look(`  ${v7}\n`)).toMatchObject({ kind: 'id', text: v7 });
    expect(look(`user ${v7} logged in`)).toMatchObject({ kind: 'id', text: v7 });
  });

  it('holds two to compare', () => {
    const pair = look(`${v7} 01941f29-7c00-7aaa-aaaa-aaaaaaaaaaab`);
    if (pair.kind !== 'pair') throw new Error('no pair');
    expect(orderOf(...pair.readings)).toBe(-1);
    expect(orderOf(pair.readings[1], pair.readings[0])).toBe(1);
    expect(orderOf(pair.readings[0], pair.readings[0])).toBe(0);
  });

  it('does not order IDs of different kinds', () => {
    const pair = look(`${v7} 9223372036854775807`);
    if (pair.kind !== 'pair') throw new Error('no pair');
    expect(orderOf(...pair.readings)).toBeNull();
  });

  it('holds many', () => expect(look(`${v7}\n${v7}\n${v7}`).kind).toBe('many'));

  it('reads the greatest signed 64-bit number exactly', () => {
    expect(look('9223372036854775807')).toMatchObject({ kind: 'id', text: '9223372036854775807' });
  });
});

describe('what is no ID is told by its code and place:', () => {
  const rows: [text: string, faults: [code: string, position?: number][]][] = [
    ['24688438-40e1-70d0-d97e-084cfc8992c7', [['INVALID_VARIANT', 19]]],
    ['01941f29-7c00-9aaa-aaaa-aaaaaaaaaaaa', [['INVALID_VERSION', 14]]],
    ['01941f29-7c00-7aaa-aaaa-aaaaaaaaaaag', [['INVALID_HEX', 35]]],
    ['01941f29-7c00-7aaa-aaaa-aaaaaaaaaaa', [['INVALID_LENGTH', 35]]],
    ['01941f297-c00-7aaa-aaaa-aaaaaaaaaaaa', [['INVALID_HYPHEN_POSITION', 8]]],
    ['{01941f29-7c00-7aaa-aaaa-aaaaaaaaaaaa', [['INVALID_FORMAT', 37]]],
    ['18446744073709551616', [['OUT_OF_RANGE']]],
    ['<img src=x onerror=alert(1)>', [['INVALID_HEX', 0]]],
    ['hello', [['UNKNOWN_ID']]],
  ];
  for (const [text, faults] of rows) {
    it(text, () => {
      const result = look(text);
      if (result.kind !== 'broken') throw new Error(result.kind);
      const found = result.faults.map(({ code, position }) =>
        position === undefined ? [code] : [code, position],
      );
      for (const fault of faults) expect(found).toContainEqual(fault);
    });
  }

  it('a megabyte of it, too', () => expect(look('x'.repeat(1_000_000)).kind).toBe('broken'));
});
