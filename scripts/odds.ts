// The odds that random fallback IDs of different clients are equal: the formula, the tables of docs/uniqueness.md and
// its picture. `node scripts/odds.ts` prints the tables; `--check` tries the formula by throwing dice.
import { oddsOfMeeting as oddsOfRuns } from '../packages/kazahana/src/id/odds.ts';

/** Where a run of random suffixes can start: the fallback half of the default layout. */
const PLACES = 2 ** 21;

/** The odds of one millisecond, of the default layout when nothing else is said; the page's designer has the formula. */
export function oddsOfMeeting(clients: number, each: number, places: number = PLACES): number {
  return oddsOfRuns(clients, each, places);
}

/**
 * The milliseconds, on average, until two of so many clients make the same ID, each at so many IDs a second in an even
 * flow: from 1,000 a second on, every millisecond has some of every client.
 */
export function meanMsUntilMeeting(clients: number, perSecond: number): number {
  if (perSecond >= 1000) return 1 / oddsOfMeeting(clients, perSecond / 1000);
  // Below that, pair by pair: both must fall into the same millisecond, and there on the same place.
  const pairs = (clients * (clients - 1)) / 2;
  return PLACES / (pairs * (perSecond / 1000) ** 2);
}

const twoDigits = (value: number) => Number(value.toPrecision(2)).toLocaleString('en');

function showOdds(odds: number): string {
  if (odds > 0.999) return 'certain';
  return odds >= 0.1 ? `${twoDigits(odds * 100)} %` : `1 in ${twoDigits(1 / odds)}`;
}

const UNITS: readonly (readonly [name: string, ms: number])[] = [
  ['years', 365.25 * 24 * 3_600_000],
  ['days', 24 * 3_600_000],
  ['hours', 3_600_000],
  ['minutes', 60_000],
  ['seconds', 1000],
];

function showTime(ms: number): string {
  const [name, unit] = UNITS.find(([, size]) => ms >= 1.5 * size) ?? ['ms', 1];
  return `${twoDigits(ms / unit)} ${name}`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n');
}

/** The odds of one millisecond, by clients and IDs each. */
export function oddsTable(): string {
  const sizes = [1, 4, 16, 64, 256];
  const rows = [2, 5, 10, 50, 100, 1000].map((clients) => [
    clients.toLocaleString('en'),
    ...sizes.map((each) => showOdds(oddsOfMeeting(clients, each))),
  ]);
  return table(['clients', ...sizes.map((each) => `${each} each`)], rows);
}

/** How long random fallback lasts, on average, before two IDs are equal. */
export function outageTable(): string {
  const rates = [1, 10, 100, 1000, 10_000];
  const rows = [2, 5, 10, 50, 100, 1000].map((clients) => [
    clients.toLocaleString('en'),
    ...rates.map((rate) => showTime(meanMsUntilMeeting(clients, rate))),
  ]);
  return table(['clients', ...rates.map((rate) => `${rate.toLocaleString('en')} a second each`)], rows);
}

const WIDTH = 688;
const HEIGHT = 470;
const PLOT = { left: 92, right: 664, top: 70, bottom: 410 };
const MAX_CLIENTS = 1000;
/** What stands at the powers of ten, from the top. */
const ODDS = ['certain', '1 in 10', ...[...'²³⁴⁵⁶⁷'].map((power) => `1 in 10${power}`)];
const MIN_POWER = 1 - ODDS.length;

const x = (clients: number) =>
  PLOT.left + (Math.log10(clients / 2) / Math.log10(MAX_CLIENTS / 2)) * (PLOT.right - PLOT.left);
const y = (odds: number) => PLOT.top + (Math.log10(odds) / MIN_POWER) * (PLOT.bottom - PLOT.top);
const at = (value: number) => value.toFixed(1);

interface Curve {
  readonly label: string;
  readonly colour: string;
  readonly dash?: string;
  /** The label stands on the line here. */
  readonly labelAt: number;
  readonly odds: (clients: number) => number;
}

const CURVES: readonly Curve[] = [
  { label: '1 ID each', colour: '#2f78ad', labelAt: 30, odds: (n) => oddsOfMeeting(n, 1) },
  { label: '16 each', colour: '#28708f', labelAt: 20, odds: (n) => oddsOfMeeting(n, 16) },
  { label: '256 each', colour: '#0b5394', labelAt: 10, odds: (n) => oddsOfMeeting(n, 256) },
  {
    label: '256 each, every one drawn anew',
    colour: '#a64b00',
    dash: '6 4',
    labelAt: 40,
    // As many runs of one as there are IDs.
    odds: (n) => oddsOfMeeting(256 * n, 1),
  },
];

function drawCurve({ label, colour, dash, labelAt, odds }: Curve): string {
  const steps = Array.from({ length: 61 }, (_, i) => Math.round(2 * (MAX_CLIENTS / 2) ** (i / 60)));
  const points = [...new Set(steps)].map((clients) => `${at(x(clients))},${at(y(odds(clients)))}`);
  const [fromX, fromY, toX, toY] = [x(labelAt), y(odds(labelAt)), x(labelAt * 1.1), y(odds(labelAt * 1.1))];
  const angle = (Math.atan2(toY - fromY, toX - fromX) * 180) / Math.PI;
  const place = `translate(${at(fromX)} ${at(fromY)}) rotate(${at(angle)})`;
  const stroke = `fill="none" stroke="${colour}" stroke-width="2.5"${dash ? ` stroke-dasharray="${dash}"` : ''}`;
  return [
    `<polyline points="${points.join(' ')}" ${stroke}/>`,
    `<text y="-7" transform="${place}" fill="${colour}" class="curve">${label}</text>`,
  ].join('');
}

function drawAxes(): string {
  const odds = ODDS.map((text, i) => {
    const height = y(10 ** -i);
    const line = `<path d="M${PLOT.left} ${at(height)}H${PLOT.right}" stroke="#d5e2ec"/>`;
    return `${line}<text x="${PLOT.left - 10}" y="${at(height + 4)}" class="odds">${text}</text>`;
  });
  const clients = [2, 5, 10, 20, 50, 100, 200, 500, 1000].map((n) => {
    const line = `<path d="M${at(x(n))} ${PLOT.top}V${PLOT.bottom}" stroke="#d5e2ec"/>`;
    return `${line}<text x="${at(x(n))}" y="${PLOT.bottom + 20}" class="clients">${n.toLocaleString('en')}</text>`;
  });
  return [...odds, ...clients].join('\n');
}

/** The odds of one millisecond over the number of clients. */
export function oddsPicture(): string {
  const middle = (PLOT.left + PLOT.right) / 2;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" role="img">`,
    '<title>The odds that two clients in random fallback make the same ID in one millisecond, for 2 to 1,000 clients that make 1, 16 or 256 IDs each, with both axes logarithmic; above them the odds if every ID were drawn anew</title>',
    '<style>text{font-family:ui-monospace,Menlo,Consolas,monospace;font-size:12px}.title{fill:#0b3558;font-size:16px}',
    '.odds{fill:#33475b;text-anchor:end}.clients{fill:#33475b;text-anchor:middle}.curve{font-size:13px}</style>',
    `<rect width="${WIDTH}" height="${HEIGHT}" rx="8" fill="#f4f8fb"/>`,
    '<text x="24" y="34" class="title">Odds of two equal random fallback IDs in one millisecond</text>',
    drawAxes(),
    ...CURVES.map(drawCurve),
    `<text x="${middle}" y="${PLOT.bottom + 46}" class="clients">clients in random fallback at the same time</text>`,
    '</svg>\n',
  ].join('\n');
}

/** Dice that fall the same way each time, so that a check which passed passes again (xorshift, 32 bits). */
function dice(seed: number): () => number {
  let state = seed;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

/** How often runs met in so many throws; counts the IDs themselves, and knows nothing of the formula. */
function throwRuns(clients: number, each: number, throws: number, chance: () => number): number {
  let met = 0;
  for (let round = 0; round < throws; round++) {
    const made = new Set<number>();
    for (let client = 0; client < clients; client++) {
      const start = Math.floor(chance() * PLACES);
      for (let id = start; id < start + each; id++) made.add(id);
    }
    if (made.size < clients * each) met++;
  }
  return met;
}

/** Compares the formula with thrown dice; false when they are further apart than chance explains. */
function check(): boolean {
  const chance = dice(20_260_101);
  const cases = [
    [2, 256, 200_000],
    [5, 64, 100_000],
    [10, 256, 10_000],
    [50, 16, 10_000],
    [100, 64, 1000],
    [1000, 1, 5000],
  ] as const;
  let isFine = true;
  console.log('clients  each   throws      formula       thrown  apart by');
  for (const [clients, each, throws] of cases) {
    const odds = oddsOfMeeting(clients, each);
    const thrown = throwRuns(clients, each, throws, chance) / throws;
    const deviations = (thrown - odds) / Math.sqrt((odds * (1 - odds)) / throws);
    isFine &&= Math.abs(deviations) < 4;
    const cells = [String(throws).padStart(8), odds.toFixed(6).padStart(12), thrown.toFixed(6).padStart(12)];
    console.log(
      `${String(clients).padStart(7)} ${String(each).padStart(5)} ${cells.join(' ')} ${deviations.toFixed(1).padStart(7)} σ`,
    );
  }
  return isFine;
}

if (import.meta.main) {
  if (process.argv.includes('--check')) process.exitCode = check() ? 0 : 1;
  else console.log(`${oddsTable()}\n\n${outageTable()}`);
}
