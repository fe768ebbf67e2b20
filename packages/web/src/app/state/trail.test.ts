import { describe, expect, it } from 'vitest';
import { back, EMPTY, type Origin, step, type Trail } from './trail.js';

const walk = (...steps: readonly (readonly [text: string, origin: Origin])[]): Trail =>
  steps.reduce((trail, [text, origin]) => step(trail, { text, origin }), EMPTY);

describe('the trail', () => {
  it('leads back through pasted and flipped subjects, and ends at the first', () => {
    let trail = walk(['a', 'fresh'], ['b', 'given'], ['c', 'flipped']);
    const seen: string[] = [];
    for (let i = 0; i < 4; i++) {
      seen.push(trail.current.text);
      trail = back(trail);
    }
    expect(seen).toEqual(['c', 'b', 'a', 'a']);
  });

  it('takes typing for one step', () => {
    const trail = walk(['a', 'fresh'], ['b', 'typed'], ['bc', 'typed'], ['bcd', 'typed']);
    expect(back(trail).current.text).toBe('a');
  });

  it('does not grow when the text stays the same', () => {
    const trail = step(walk(['a', 'given']), { text: 'a', origin: 'given', as: 'ulid' });
    expect(trail).toEqual({ current: { text: 'a', origin: 'given', as: 'ulid' }, past: [] });
  });

  it('forgets the oldest beyond a hundred', () => {
    const trail = walk(...Array.from({ length: 150 }, (_, i) => [String(i), 'given'] as const));
    expect([trail.past.length, trail.past[0]?.text]).toEqual([100, '49']);
  });
});
