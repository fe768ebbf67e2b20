// The bits of an ID as a picture: 32 a row, hexadecimal digits above, fields in colours and by letters below, and a
// table of the fields with their values.
import type { OldReading as Reading } from 'kazahana/inspect';
import type { Terminal } from './terminal.js';

const ROW = 32;
const COLORS = ['cyan', 'yellow', 'green', 'magenta', 'blue', 'red'] as const;
const colorOf = (field: number) => COLORS[field % COLORS.length] ?? 'cyan';
/** By which a field is known where there are no colours. */
const LETTERS = 'ABCDEFGH';

/** Blocks of four, as the digits above them. */
const grouped = (cells: readonly string[]) =>
  cells.map((cell, i) => (i > 0 && i % 4 === 0 ? ` ${cell}` : cell)).join('');

export function bitPicture({ fields, bits, value }: Reading, terminal: Terminal): string[] {
  // Whole rows of digits: a width that is no multiple of four begins with spare places.
  const spare = (4 - (bits % 4)) % 4;
  const digits = value.toString(2).padStart(bits, '0');
  const hex = value.toString(16).padStart((bits + spare) / 4, '0');
  const cells = Array.from({ length: bits + spare }, (_, place) => {
    const bit = place - spare;
    if (bit < 0) return { digit: ' ', letter: ' ' };
    const field = fields.findIndex(({ offset, bits: width }) => bit >= offset && bit < offset + width);
    return {
      digit: terminal.paint(colorOf(field), digits[bit] ?? '0'),
      letter: LETTERS[field] ?? '?',
    };
  });
  const lines: string[] = [];
  for (let start = 0; start < cells.length; start += ROW) {
    const row = cells.slice(start, start + ROW);
    const above = [...hex.slice(start / 4, (start + row.length) / 4)];
    lines.push(above.map((digit) => digit.padEnd(5)).join(''), grouped(row.map(({ digit }) => digit)));
    if (!terminal.isColored) lines.push(grouped(row.map(({ letter }) => letter)));
  }
  return lines.map((line) => `  ${line}`.trimEnd());
}

/** The fields by name, with their bits, values and meanings. */
export function fieldTable({ fields }: Reading, terminal: Terminal): string[] {
  const names = Math.max(...fields.map(({ name }) => name.length));
  const values = Math.min(20, Math.max(...fields.map(({ value }) => String(value).length)));
  return fields.map(({ name, bits, value, reading, inRange }, i) => {
    const mark = terminal.isColored ? '■' : (LETTERS[i] ?? '?');
    const width = `${bits} ${bits === 1 ? 'bit ' : 'bits'}`;
    const meaning = reading === String(value) ? '' : reading;
    const label = terminal.paint(colorOf(i), `${mark} ${name.padEnd(names)}`);
    const text = `  ${width.padStart(7)}  ${String(value).padStart(values)}  ${meaning}`.trimEnd();
    const warning = inRange ? '' : terminal.paint('red', '  not allowed');
    return `  ${label}${text}${warning}`;
  });
}
