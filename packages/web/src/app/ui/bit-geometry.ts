// Where everything stands in the bit picture. Pure arithmetic: the picture only draws it.
import type { FieldDescription } from 'kazahana/layout';

export const CELL = { width: 25, height: 26 };
const HEX_HEIGHT = 14;
const LABEL_HEIGHT = 14;
const GAP = 5;
const LABEL_CHARACTER = 6.4;
const LABEL_SPACE = 10;
/** In a narrow picture of many rows the digits above the bits would cost too much height; the ID has them. */
const COLUMNS_WITH_HEX = 32;
const BITS_WITH_HEX = 64;

export interface Piece {
  readonly field: number;
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

export interface Label {
  readonly field: number;
  readonly text: string;
  readonly x: number;
  readonly y: number;
}

export interface Place {
  readonly x: number;
  readonly y: number;
}

export interface Geometry {
  readonly width: number;
  readonly height: number;
  /** The height of each row, with what belongs to it. */
  readonly rows: readonly number[];
  /** The parts of the fields that lie in one row each. */
  readonly pieces: readonly Piece[];
  readonly labels: readonly Label[];
  readonly bits: readonly Place[];
  /** Above the bits of each digit, if there is room for digits; a width that is no multiple of four has a short digit at the front. */
  readonly hex: readonly (Place & { readonly from: number; readonly to: number })[];
}

/** How many bits fit beside each other in so many pixels, at the size of a target that can be hit. */
export function columnsFor(pixels: number, bits: number): number {
  const wanted = pixels >= 24 * 32 ? 32 : pixels >= 24 * 16 ? 16 : 8;
  return Math.min(wanted, bits);
}

function piecesOf({ offset, bits }: FieldDescription, columns: number) {
  const parts: { row: number; column: number; width: number }[] = [];
  for (let at = offset; at < offset + bits; ) {
    const column = at % columns;
    const width = Math.min(offset + bits - at, columns - column);
    parts.push({ row: Math.floor(at / columns), column, width });
    at += width;
  }
  return parts;
}

/** Labels stand under the widest part of their field; where two would meet, the second goes a line lower. */
function placeLabels(fields: readonly FieldDescription[], columns: number) {
  const right = columns * CELL.width;
  const ends = new Map<number, number[]>();
  return fields.map((field) => {
    const text = `${field.name} · ${field.bits}`;
    const length = text.length * LABEL_CHARACTER;
    const widest = piecesOf(field, columns).reduce((best, part) => (part.width > best.width ? part : best));
    const middle = (widest.column + widest.width / 2) * CELL.width;
    const from = Math.max(0, Math.min(middle - length / 2, right - length));
    const lines = ends.get(widest.row) ?? [];
    ends.set(widest.row, lines);
    const free = lines.findIndex((end) => end <= from);
    const line = free < 0 ? lines.length : free;
    lines[line] = from + length + LABEL_SPACE;
    return { text, row: widest.row, line, x: from };
  });
}

/** What stands around a row of bits. */
export interface Surroundings {
  /**
   * Alone: digits above the bits, labels below. Of two pictures whose bits stand under each other, the upper has both above,
   * and the lower both below.
   */
  readonly side: 'alone' | 'upper' | 'lower';
  readonly hasLabels: boolean;
  /** For another picture, above and below each row. */
  readonly above?: readonly number[];
  readonly below?: readonly number[];
}

const ALONE: Surroundings = { side: 'alone', hasLabels: true };

export function geometryOf(
  fields: readonly FieldDescription[],
  bits: number,
  columns: number,
  { side, hasLabels, above = [], below = [] }: Surroundings = ALONE,
): Geometry {
  const hasHex = columns >= COLUMNS_WITH_HEX || bits <= BITS_WITH_HEX;
  const hexHeight = hasHex ? HEX_HEIGHT : 0;
  const labels = hasLabels ? placeLabels(fields, columns) : [];
  const gap = side === 'upper' ? 2 : GAP;
  const count = Math.ceil(bits / columns);
  const rows: number[] = [];
  /** Where the bits of each row begin. */
  const tops: number[] = [];
  let height = 0;
  for (let row = 0; row < count; row++) {
    const lines = labels.filter((label) => label.row === row).map(({ line }) => line + 1);
    const labelHeight = LABEL_HEIGHT * Math.max(0, ...lines);
    const over = { alone: hexHeight, upper: labelHeight + hexHeight, lower: 0 }[side];
    rows.push(hexHeight + CELL.height + labelHeight + gap);
    tops.push(height + (above[row] ?? 0) + over);
    height += (above[row] ?? 0) + (rows[row] ?? 0) + (below[row] ?? 0);
  }
  const topOf = (row: number) => tops[row] ?? 0;
  const place = (index: number): Place => ({
    x: (index % columns) * CELL.width,
    y: topOf(Math.floor(index / columns)),
  });
  const hexY = side === 'lower' ? CELL.height + HEX_HEIGHT - 3 : -4;
  const labelY = (line: number) =>
    ({
      alone: CELL.height + LABEL_HEIGHT * (line + 1) - 3,
      upper: -hexHeight - LABEL_HEIGHT * line - 4,
      lower: CELL.height + hexHeight + LABEL_HEIGHT * (line + 1) - 3,
    })[side];
  const digits = hasHex ? Math.ceil(bits / 4) : 0;
  return {
    width: columns * CELL.width,
    height,
    rows,
    bits: Array.from({ length: bits }, (_, index) => place(index)),
    hex: Array.from({ length: digits }, (_, digit) => {
      const to = bits - 4 * (digits - 1 - digit);
      const from = Math.max(0, to - 4);
      // A digit whose bits lie in two rows stands above the first of them.
      const last = Math.min(to - 1, from + columns - (from % columns) - 1);
      const { x, y } = place(from);
      return { from, to, x: (x + place(last).x + CELL.width) / 2, y: y + hexY };
    }),
    pieces: fields.flatMap((field, index) =>
      piecesOf(field, columns).map(({ row, column, width }) => ({
        field: index,
        x: column * CELL.width,
        y: topOf(row),
        width: width * CELL.width,
      })),
    ),
    labels: labels.map(({ text, row, line, x }, field) => ({ field, text, x, y: topOf(row) + labelY(line) })),
  };
}

/** Two pictures in one: each row of the first, and right below it that of the second. Labels that say the same stand once. */
export function pairGeometry(
  fields: readonly [readonly FieldDescription[], readonly FieldDescription[]],
  bits: number,
  columns: number,
): readonly [Geometry, Geometry] {
  const [upper, lower] = fields;
  const namesOf = (all: readonly FieldDescription[]) => all.map((field) => `${field.name} ${field.offset}`);
  const isAlike = namesOf(upper).join() === namesOf(lower).join();
  const around = {
    upper: { side: 'upper', hasLabels: !isAlike },
    lower: { side: 'lower', hasLabels: true },
  } as const;
  const below = geometryOf(lower, bits, columns, around.lower).rows;
  const above = geometryOf(upper, bits, columns, around.upper).rows;
  return [
    geometryOf(upper, bits, columns, { ...around.upper, below }),
    geometryOf(lower, bits, columns, { ...around.lower, above }),
  ];
}
