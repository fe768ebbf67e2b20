// The bit picture as a file: a list of shapes, written as SVG or drawn on a canvas for PNG. Pure, but for the canvas.
import type { Role } from 'kazahana/inspect';
import { type Bits, hexOf, toDigits } from '../ui/bit-digits.js';
import { CELL, geometryOf } from '../ui/bit-geometry.js';

export const ROLES = [
  'time',
  'machine',
  'sequence',
  'random',
  'version',
  'other',
] as const satisfies readonly Role[];

export interface Palette {
  readonly paper: string;
  readonly ink: string;
  readonly soft: string;
  readonly roles: Readonly<Record<Role, { readonly tint: string; readonly ink: string }>>;
}

interface Box {
  readonly kind: 'box';
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly radius: number;
  readonly fill: string;
}

interface Words {
  readonly kind: 'text';
  readonly x: number;
  readonly y: number;
  readonly text: string;
  readonly size: number;
  readonly fill: string;
  readonly isBold: boolean;
  readonly isMono: boolean;
  readonly isCentred: boolean;
}

export interface Picture {
  readonly title: string;
  readonly width: number;
  readonly height: number;
  readonly shapes: readonly (Box | Words)[];
}

const MARGIN = 20;
const TITLE_HEIGHT = 30;
const COLUMNS = 32;
const MONO = 'ui-monospace, Menlo, Consolas, DejaVu Sans Mono, monospace';
const SANS = 'system-ui, Segoe UI, DejaVu Sans, sans-serif';

export function shapesOf({ bits, value, fields }: Bits, title: string, palette: Palette): Picture {
  const columns = Math.min(COLUMNS, bits);
  const shape = geometryOf(fields, bits, columns);
  const digits = toDigits(value, bits);
  const hex = hexOf(value, bits);
  const roleOf = (field: number) => palette.roles[fields[field]?.role ?? 'other'];
  const fieldOfBit = (bit: number) =>
    fields.findIndex(({ offset, bits: width }) => bit >= offset && bit < offset + width);
  const text = (part: Partial<Words> & Pick<Words, 'x' | 'y' | 'text' | 'fill'>): Words => ({
    kind: 'text',
    size: 11,
    isBold: false,
    isMono: true,
    isCentred: false,
    ...part,
    x: part.x + MARGIN,
    y: part.y + MARGIN + TITLE_HEIGHT,
  });
  const width = shape.width + 2 * MARGIN;
  const height = shape.height + 2 * MARGIN + TITLE_HEIGHT;
  return {
    title,
    width,
    height,
    shapes: [
      { kind: 'box', x: 0, y: 0, width, height, radius: 12, fill: palette.paper },
      text({
        x: 0,
        y: 16 - TITLE_HEIGHT,
        text: title,
        size: 16,
        fill: palette.ink,
        isBold: true,
        isMono: false,
      }),
      ...shape.pieces.map(
        (piece): Box => ({
          kind: 'box',
          x: piece.x + 0.5 + MARGIN,
          y: piece.y + MARGIN + TITLE_HEIGHT,
          width: piece.width - 1,
          height: CELL.height,
          radius: 5,
          fill: roleOf(piece.field).tint,
        }),
      ),
      ...shape.labels.map((label) =>
        text({ x: label.x, y: label.y, text: label.text, fill: roleOf(label.field).ink, isMono: false }),
      ),
      ...shape.hex.map((digit, index) =>
        text({ x: digit.x, y: digit.y, text: hex[index] ?? '', fill: palette.soft, isCentred: true }),
      ),
      ...shape.bits.map((place, index) =>
        text({
          x: place.x + CELL.width / 2,
          y: place.y + 17.5,
          text: digits[index] ?? '',
          size: 13,
          fill: roleOf(fieldOfBit(index)).ink,
          isBold: digits[index] === '1',
          isCentred: true,
        }),
      ),
    ],
  };
}

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

export function toSvg({ title, width, height, shapes }: Picture): string {
  const lines = shapes.map((shape) =>
    shape.kind === 'box'
      ? `<rect x="${shape.x}" y="${shape.y}" width="${shape.width}" height="${shape.height}" rx="${shape.radius}" fill="${escaped(shape.fill)}"/>`
      : `<text x="${shape.x}" y="${shape.y}" font-family="${shape.isMono ? MONO : SANS}" font-size="${shape.size}"${shape.isBold ? ' font-weight="700"' : ''}${shape.isCentred ? ' text-anchor="middle"' : ''} fill="${escaped(shape.fill)}">${escaped(shape.text)}</text>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img"><title>${escaped(title)}</title>\n${lines.join('\n')}\n</svg>\n`;
}

export function drawShapes(context: CanvasRenderingContext2D, { shapes }: Picture): void {
  for (const shape of shapes) {
    context.fillStyle = shape.fill;
    if (shape.kind === 'box') {
      context.beginPath();
      context.roundRect(shape.x, shape.y, shape.width, shape.height, shape.radius);
      context.fill();
    } else {
      context.font = `${shape.isBold ? '700 ' : ''}${shape.size}px ${shape.isMono ? MONO : SANS}`;
      context.textAlign = shape.isCentred ? 'center' : 'left';
      context.fillText(shape.text, shape.x, shape.y);
    }
  }
}
