// One plain English sentence for a reading. Programs in other languages write theirs from the same parts.
import type { Reading } from './inspect.js';

const OPENING = { likely: '', possible: 'Possibly ', unlikely: 'Fits, but unlikely: ' } as const;

/** What a reading says, without the words for how sure it is. */
function parts({ title, family, time, order, randomBits, maker }: Omit<Reading, 'sentence'>): string[] {
  if (family === 'time') return [`${title}: ${time?.iso}`];
  return [
    title,
    ...(time ? [`made ${time.iso}`] : []),
    ...(maker ? [`by ${maker.field} ${maker.text}`] : []),
    ...(order === 'time' ? ['sorts by time'] : []),
    ...(randomBits ? [`up to ${randomBits} random bits`] : []),
  ];
}

export function sentenceOf(reading: Omit<Reading, 'sentence'>): string {
  return `${OPENING[reading.certainty]}${parts(reading).join(', ')}.`;
}
