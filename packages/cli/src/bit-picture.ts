// The bits of an ID as a picture: 32 a row where there is room, hexadecimal digits above, fields in colours and by letters
// below, and a table of the fields with their values.
import type { Reading } from 'kazahana/inspect';
import { fieldStyles } from './role-colors.js';
import type { Style, Terminal } from './terminal.js';
import { widthOf, wrap } from './text-width.js';

/** By which a field is known where there are no colours. */
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const INDENT = '  ';

type Drawn = Pick<Reading, 'fields' | 'bits' | 'value'>;

/** Blocks of four, as the digits above them. */
const grouped = (cells: readonly string[]) =>
  cells.map((cell, i) => (i > 0 && i % 4 === 0 ? ` ${cell}` : cell)).join('');

/** As many bits a row as fit, in blocks of four with a space between them: 32, 16 or 8. */
const bitsPerRow = (columns: number) =>
  [32, 16].find((bits) => INDENT.length + bits + bits / 4 - 1 <= columns) ?? 8;

export function bitPicture({ fields, bits, value }: Drawn, terminal: Terminal): string[] {
  if (bits === 0) return [];
  // Whole rows of digits: a width that is no multiple of four begins with spare places.
  const spare = (4 - (bits % 4)) % 4;
  const digits = value.toString(2).padStart(bits, '0');
  const hex = value.toString(16).padStart((bits + spare) / 4, '0');
  const styles = fieldStyles(fields);
  const cells = Array.from({ length: bits + spare }, (_, place) => {
    const bit = place - spare;
    if (bit < 0) return { digit: ' ', letter: ' ' };
    const field = fields.findIndex(({ offset, bits: width }) => bit >= offset && bit < offset + width);
    return {
      digit: terminal.paint(styles[field] ?? 'gray', digits[bit] ?? '0'),
      letter: LETTERS[field] ?? '?',
    };
  });
  const perRow = bitsPerRow(terminal.columns);
  const lines: string[] = [];
  for (let start = 0; start < cells.length; start += perRow) {
    const row = cells.slice(start, start + perRow);
    const above = [...hex.slice(start / 4, (start + row.length) / 4)];
    lines.push(above.map((digit) => digit.padEnd(5)).join(''), grouped(row.map(({ digit }) => digit)));
    if (!terminal.isColored) lines.push(grouped(row.map(({ letter }) => letter)));
  }
  return lines.map((line) => `${INDENT}${line}`.trimEnd());
}

interface Row {
  readonly style: Style;
  readonly label: string;
  readonly width: string;
  readonly value: string;
  readonly meaning: string;
}

function rowsOf({ fields }: Drawn, terminal: Terminal): Row[] {
  const names = Math.max(...fields.map(({ name }) => name.length));
  const styles = fieldStyles(fields);
  return fields.map(({ name, bits, value, reading, inRange }, i) => {
    const mark = terminal.isColored ? '■' : (LETTERS[i] ?? '?');
    const said = reading === String(value) ? '' : reading;
    return {
      style: styles[i] ?? 'gray',
      label: `${mark} ${name.padEnd(names)}`,
      width: `${bits} ${bits === 1 ? 'bit ' : 'bits'}`.padStart(7),
      value: String(value),
      meaning: inRange ? said : `${said}  not allowed`.trimStart(),
    };
  });
}

/** As wide as a number of 80 bits. */
const VALUE = 25;
/** What a field means is read in a column of this width at least. */
const LEAST_MEANING = 24;

/** The fields by name, with their bits, values and meanings: in columns, or below each other where these are too narrow. */
export function fieldTable(reading: Drawn, terminal: Terminal): string[] {
  if (reading.fields.length === 0) return [];
  const rows = rowsOf(reading, terminal);
  const values = Math.min(VALUE, Math.max(...rows.map(({ value }) => value.length)));
  const before = Math.max(...rows.map(({ label }) => widthOf(label))) + INDENT.length + 9 + values + 4;
  const room = terminal.isTerminal ? terminal.columns - before : Number.POSITIVE_INFINITY;
  return rows.flatMap(({ style, label, width, value, meaning }) => {
    const name = `${INDENT}${terminal.paint(style, label)}  ${width}`;
    if (room < LEAST_MEANING) {
      const lines = wrap(`${value}  ${meaning}`.trimEnd(), terminal.columns - 4);
      return [name.trimEnd(), ...lines.map((line) => `    ${line.trim()}`)];
    }
    const [first = '', ...more] = wrap(meaning, room);
    return [
      `${name}  ${value.padStart(values)}  ${first}`.trimEnd(),
      ...more.map((line) => ' '.repeat(before) + line),
    ];
  });
}
