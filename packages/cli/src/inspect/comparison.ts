// Two IDs beside each other, in a few rows.
import type { Comparison } from 'kazahana/inspect';
import type { Terminal } from '../terminal.js';
import { visible } from '../visible.js';
import { row } from './rows.js';

const UNITS: readonly (readonly [name: string, ms: number])[] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
];

/** The time between two IDs, in the largest unit that it has one of. */
function durationText(ms: number): string {
  const [name, size] = UNITS.find(([, unit]) => ms >= unit) ?? ['ms', 1];
  if (size === 1) return `${ms} ms`;
  const count = ms / size;
  const text = Number.isInteger(count) ? String(count) : count.toFixed(1);
  return `${text} ${name}${text === '1' ? '' : 's'}`;
}

function timeText(ms: number): string {
  if (ms === 0) return 'none: both carry the same time';
  return `${durationText(Math.abs(ms))}; the ${ms > 0 ? 'second' : 'first'} is the later one`;
}

export function comparisonRows(comparison: Comparison, terminal: Terminal): string[] {
  const { readings, isSameFormat, msBetween, differingBits, equalFirstBits, makerNote } = comparison;
  if (!readings) return [];
  const bits = readings[0].bits;
  const kinds = isSameFormat ? readings[0].title : `${readings[0].title} and ${readings[1].title}`;
  return [
    ...row('both', isSameFormat ? visible(kinds) : `different: ${visible(kinds)}`, terminal),
    ...(msBetween === null ? [] : row('between', timeText(msBetween), terminal)),
    ...(differingBits === null
      ? []
      : row(
          'bits',
          differingBits === 0
            ? 'all equal'
            : `${differingBits} of ${bits} differ; the first ${equalFirstBits} are equal`,
          terminal,
        )),
    ...row('maker', visible(makerNote.text), terminal),
  ];
}
