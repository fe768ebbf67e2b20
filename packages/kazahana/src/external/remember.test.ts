import { describe, expect, it } from 'vitest';
import { rememberByContent, rememberUpTo } from './remember.js';

describe('a memory up to a limit', () => {
  it('makes a value once, and again when it has been forgotten for newer ones', () => {
    const made: string[] = [];
    const remember = rememberUpTo(2, (key) => {
      made.push(key);
      return { key };
    });
    const first = remember('a');
    expect(remember('a')).toBe(first);
    remember('b');
    expect(remember('a')).toBe(first);
    remember('c');
    expect(remember('b')).toEqual({ key: 'b' });
    expect(made).toEqual(['a', 'b', 'c']);
    expect(remember('a')).not.toBe(first);
    expect(made).toEqual(['a', 'b', 'c', 'a']);
  });

  it('does not remember what could not be made', () => {
    let tries = 0;
    const remember = rememberUpTo(2, () => {
      tries++;
      throw new Error('no');
    });
    expect(() => remember('a')).toThrow('no');
    expect(() => remember('a')).toThrow('no');
    expect(tries).toBe(2);
  });
});

describe('a memory by content', () => {
  it('makes a value once while the bytes stay', () => {
    let made = 0;
    const remember = rememberByContent((bytes) => {
      made++;
      return bytes.join();
    });
    const array = Uint8Array.of(1, 2);
    expect(remember(array)).toBe('1,2');
    expect(remember(array)).toBe('1,2');
    expect(made).toBe(1);
    array[1] = 3;
    expect(remember(array)).toBe('1,3');
    expect(made).toBe(2);
  });
});
