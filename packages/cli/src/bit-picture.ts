// The bits of an ID as a picture: 32 a row, hexadecimal digits above, fields in colours and by letters below, and a
// table of the fields with their values.
import type { Reading } from 'kazahana/inspect';
import type { Terminal } from './terminal.js';

const ROW = 32;
const COLORS = ['cyan', 'yellow', 'green', 'magenta', 'blue', 'red'] as const;
/** By which a field is known where there are no colours. */
const LETTERS = 'ABCDEFGH';

/** Blocks of four, as the digits above them. */
const grouped = (cells: readonly string[]) =>
  cells.map((cell, i) => (i > 0 && i % 4 === 0 ? ` ${cell}` : cell)).join('');

export function bitPicture({ fields, bits, value }: Reading, terminal: Terminal): string[] {
  // Whole rows of digits: a width that is no multiple of four begins with spare places.
  const spare = (4 - (bits % 4)) % 4;
  const digits = value.toString(2).padStart(bits, '0');
  const fieldAt = (bit: number) =>
    fields.findIndex(({ offset, bits: width }) => bit >= offset && bit < offset + width);
  const cells = Array.from({ length: bits + spare }, (_, place) => {
    const bit = place - spare;
    if (bit < 0) return { digit: ' ', letter: ' ', hex: '' };
    const field = fieldAt(bit);
    const color = COLORS[field % COLORS.length] ?? 'cyan';
    return {
      digit: terminal.paint(color, digits[bit] ?? '0'),
      letter: terminal.paint(color, LETTERS[field] ?? '?'),
    };
  });
  const hex = value.toString(16).padStart((bits + spare) / 4, '0');
  const lines: string[] = [];
  for (let start = 0; start < cells.length; start += ROW) {
    const row = cells.slice(start, start + ROW);
    const above = hex.slice(start / 4, (start + row.length) / 4);
    lines.push(
      `  ${[...above]
        .map((digit) => digit.padEnd(5))
        .join('')
        .trimEnd()}`,
      `  ${grouped(row.map(({ digit }) => digit)).trimEnd()}`,
      `  ${terminal.isColored ? '' : grouped(row.map(({ letter }) => letter)).trimEnd()}`.trimEnd(),
    );
  }
  return lines.filter((line, i) => line !== '' || i % 3 !== 2);
}

/** The fields by name, with their bits, values and meanings. */
export function fieldTable({ fields }: Reading, terminal: Terminal): string[] {
  const names = Math.max(...fields.map(({ name }) => name.length));
  const values = Math.min(20, Math.max(...fields.map(({ value }) => String(value).length)));
  return fields.map(({ name, bits, value, reading, inRange }, i) => {
    const mark = terminal.isColored ? '■' : (LETTERS[i] ?? '?');
    const width = `${bits} ${bits === 1 ? 'bit ' : 'bits'}`;
    const meaning = reading === String(value) ? '' : reading;
    const text =
      `${name.padEnd(names)}  ${width.padStart(7)}  ${String(value).padStart(values)}  ${meaning}`.trimEnd();
    const warning = inRange ? '' : terminal.paint('red', '  not allowed');
    return `  ${terminal.paint(COLORS[i % COLORS.length] ?? 'cyan', mark)} ${text}${warning}`;
  });
}
