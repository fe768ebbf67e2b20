// The picture of docs/which-id.md: three questions, and the ID that each way ends at.

const BOX = { width: 220, height: 56 };
const COLUMN = 276;
const ROW = 96;

interface Box {
  readonly column: number;
  readonly row: number;
  readonly lines: readonly [string, string];
  /** The other boxes recommend a kind of ID. */
  readonly isQuestion?: true;
}

const BOXES = {
  secret: {
    column: 0,
    row: 0,
    lines: ['Must the ID hide', 'when it was made?'],
    isQuestion: true,
  },
  small: { column: 0, row: 1, lines: ['Do 8 bytes instead', 'of 16 matter?'], isQuestion: true },
  fleet: { column: 0, row: 2, lines: ['Does more than one', 'process make IDs?'], isQuestion: true },
  v4: { column: 1, row: 0, lines: ['UUID v4', 'or an external ID'] },
  v7: { column: 1, row: 1, lines: ['UUID v7', 'generateV7()'] },
  oneHost: { column: 1, row: 2, lines: ['kazahana ID', 'SqliteLeaseProvider'] },
  leased: { column: 0, row: 3, lines: ['kazahana ID', 'kazahana serve'] },
} as const satisfies Record<string, Box>;

type BoxName = keyof typeof BOXES;

const WAYS: readonly [BoxName, BoxName, string][] = [
  ['secret', 'v4', 'yes'],
  ['secret', 'small', 'no'],
  ['small', 'v7', 'no'],
  ['small', 'fleet', 'yes'],
  ['fleet', 'oneHost', 'no'],
  ['fleet', 'leased', 'yes'],
];

const left = ({ column }: Box) => 24 + column * COLUMN;
const top = ({ row }: Box) => 24 + row * ROW;

function drawBox(box: Box): string {
  const [x, y] = [left(box), top(box)];
  const shape = `<rect x="${x}" y="${y}" width="${BOX.width}" height="${BOX.height}" rx="${box.isQuestion ? 28 : 6}" class="${box.isQuestion ? 'question' : 'id'}"/>`;
  const text = box.lines.map((line, i) => {
    const isCode = !box.isQuestion && i === 1;
    return `<text x="${x + BOX.width / 2}" y="${y + 24 + i * 19}" class="${isCode ? 'code' : box.isQuestion ? 'ask' : 'name'}">${line}</text>`;
  });
  return shape + text.join('');
}

function drawWay([from, to, label]: readonly [BoxName, BoxName, string]): string {
  const [a, b]: readonly Box[] = [BOXES[from], BOXES[to]];
  if (a === undefined || b === undefined) return '';
  const isDown = a.column === b.column;
  const [x1, y1] = isDown
    ? [left(a) + BOX.width / 2, top(a) + BOX.height]
    : [left(a) + BOX.width, top(a) + BOX.height / 2];
  const [x2, y2] = isDown ? [x1, top(b) - 7] : [left(b) - 7, y1];
  const [x, y] = isDown ? [x1 + 8, (y1 + y2) / 2 + 5] : [x1 + 12, y1 - 7];
  return `<path d="M${x1} ${y1}L${x2} ${y2}" class="way"/><text x="${x}" y="${y}" class="label">${label}</text>`;
}

export function whichIdPicture(): string {
  const [width, height] = [48 + COLUMN + BOX.width, 48 + 3 * ROW + BOX.height];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">`,
    '<title>Which ID: three questions, and the ID that each way ends at</title>',
    '<style>text{font-family:system-ui,sans-serif;font-size:15px;text-anchor:middle;fill:#0b3558}.name{font-weight:700}',
    '.code{font-family:ui-monospace,Menlo,Consolas,monospace;font-size:13px}.label{text-anchor:start;font-size:13px;fill:#41617f}',
    '.question{fill:#fff;stroke:#28708f;stroke-width:1.5}.id{fill:#d6e9f8;stroke:#0b5394;stroke-width:1.5}',
    '.way{stroke:#41617f;stroke-width:1.5;fill:none;marker-end:url(#tip)}</style>',
    '<defs><marker id="tip" viewBox="0 0 8 8" refX="2" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0L8 4L0 8z" fill="#41617f"/></marker></defs>',
    `<rect width="${width}" height="${height}" rx="8" fill="#f4f8fb"/>`,
    ...WAYS.map(drawWay),
    ...Object.values(BOXES).map(drawBox),
    '</svg>\n',
  ].join('\n');
}
