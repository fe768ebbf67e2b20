// What the home route shows, and the way back: Esc and undo take the last step back. Pure; subject.ts holds one.

/** Where a subject comes from. Typing changes one subject; everything else begins a new one. */
export type Origin = 'fresh' | 'typed' | 'given' | 'flipped';

export interface Subject {
  readonly text: string;
  readonly origin: Origin;
  /** The format that the reader chose, of a text that can be read in several ways. */
  readonly as?: string;
}

export interface Trail {
  readonly current: Subject;
  /** The newest last. */
  readonly past: readonly Subject[];
}

const LONGEST = 100;

export const EMPTY: Trail = { current: { text: '', origin: 'fresh' }, past: [] };

export function step(trail: Trail, next: Subject): Trail {
  const { current, past } = trail;
  if (next.text === current.text) return { current: next, past };
  const continues = next.origin === 'typed' && current.origin === 'typed';
  const isWorthKeeping = !continues && current.text !== '';
  return { current: next, past: isWorthKeeping ? [...past, current].slice(-LONGEST) : past };
}

/** One step back; the same trail where there is none. */
export function back(trail: Trail): Trail {
  const current = trail.past.at(-1);
  return current ? { current, past: trail.past.slice(0, -1) } : trail;
}
