// Draws the pictures of the documents as SVG: the bits of IDs, from the same layouts that the library packs with,
// and the odds of random fallback.
// `npm run pictures` writes them; a test fails when one is out of date.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type FieldDescription, kazahanaIdLayout, uuidV7Layout } from 'kazahana/layout';
import { oddsPicture } from './odds.ts';
import { root } from './run.ts';
import { whichIdPicture } from './which-id-picture.ts';

const BIT = 20;
const ROW_BITS = 32;
const ROW_HEIGHT = 62;
const LEFT = 24;
const TOP = 56;
/** Sky blues, and one warm accent for bits that are always the same; dark enough for white digits. */
const COLOURS = ['#0b5394', '#28708f', '#41617f'];
const FIXED_COLOUR = '#a64b00';
const LABEL_CHARACTER = 7.3;

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

interface Picture {
  readonly title: string;
  readonly id: string;
  readonly bits: number;
  readonly value: bigint;
  readonly fields: readonly FieldDescription[];
}

/** The parts of a field that lie in one row of bits each. */
function pieces({ offset, bits }: FieldDescription): { row: number; column: number; width: number }[] {
  const parts: { row: number; column: number; width: number }[] = [];
  for (let at = offset; at < offset + bits; ) {
    const column = at % ROW_BITS;
    const width = Math.min(offset + bits - at, ROW_BITS - column);
    parts.push({ row: Math.floor(at / ROW_BITS), column, width });
    at += width;
  }
  return parts;
}

function drawField(field: FieldDescription, colour: string, digits: string): string {
  const parts = pieces(field);
  const widest = parts.reduce((best, part) => (part.width > best.width ? part : best));
  const shapes = parts.map(({ row, column, width }) => {
    const [x, y] = [LEFT + column * BIT, TOP + row * ROW_HEIGHT];
    const cells = [...digits.slice(row * ROW_BITS + column, row * ROW_BITS + column + width)].map(
      (bit, i) => `<text x="${x + i * BIT + BIT / 2}" y="${y + 18}" class="bit">${bit}</text>`,
    );
    const box = `<rect x="${x + 1}" y="${y}" width="${width * BIT - 2}" height="26" rx="3" fill="${colour}"/>`;
    return box + cells.join('');
  });
  const label = `${field.name} · ${field.bits}`;
  // Under the middle of its bits, but never beyond the left edge.
  const x = LEFT + Math.max((widest.column + widest.width / 2) * BIT, (label.length / 2) * LABEL_CHARACTER);
  const y = TOP + widest.row * ROW_HEIGHT + 42;
  return `${shapes.join('')}<text x="${x}" y="${y}" class="label">${escaped(label)}</text>`;
}

function draw({ title, id, bits, value, fields }: Picture): string {
  const digits = value.toString(2).padStart(bits, '0');
  const width = 2 * LEFT + ROW_BITS * BIT;
  const height = TOP + Math.ceil(bits / ROW_BITS) * ROW_HEIGHT;
  const colours = COLOURS.values();
  const colourOf = ({ min, max }: FieldDescription) =>
    min === max ? FIXED_COLOUR : (colours.next().value ?? '#000');
  const readings = fields.map(({ name, reading }) => `${name}: ${reading}`).join('; ');
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">`,
    `<title>${escaped(`The bits of ${title} ${id}: ${readings}`)}</title>`,
    '<style>text{font-family:ui-monospace,Menlo,Consolas,monospace;text-anchor:middle}.bit{fill:#fff;font-size:13px}',
    '.label{fill:#33475b;font-size:12px}.id{fill:#0b3558;font-size:20px;text-anchor:start}</style>',
    `<rect width="${width}" height="${height}" rx="8" fill="#f4f8fb"/>`,
    `<text x="${LEFT}" y="34" class="id">${escaped(id)}</text>`,
    ...fields.map((field) => drawField(field, colourOf(field), digits)),
    '</svg>\n',
  ].join('\n');
}

/** Every drawn picture, by its path. */
export function pictures(): Record<string, string> {
  const uuid = '01941f29-7c00-7aaa-aaaa-aaaaaaaaaaaa';
  const uuidValue = BigInt(`0x${uuid.replaceAll('-', '')}`);
  const id = 115_892_101_120_000_263n;
  return {
    'docs/images/uuid-v7.svg': draw({
      title: 'a UUID v7',
      id: uuid,
      bits: 128,
      value: uuidValue,
      fields: uuidV7Layout.describe(uuidValue),
    }),
    'docs/images/kazahana-id.svg': draw({
      title: 'a kazahana ID',
      id: String(id),
      bits: 64,
      value: id,
      fields: kazahanaIdLayout().describe(id),
    }),
    'docs/images/fallback-odds.svg': oddsPicture(),
    'docs/images/which-id.svg': whichIdPicture(),
  };
}

if (import.meta.main) {
  for (const [path, picture] of Object.entries(pictures())) writeFileSync(join(root, path), picture);
}
