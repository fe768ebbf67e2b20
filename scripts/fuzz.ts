// `npm run fuzz [-- count]`: throws millions of inputs at the validator, most of them nearly UUIDs, and holds
// it against a plain regular expression; and a hundredth of that at the recogniser, most of them nearly IDs of the corpus.
// Prints the input when something disagrees or throws.
import { CERTAINTIES, type Inspection, inspectId } from 'kazahana/inspect';
import { isUuid, validateUuid } from 'kazahana/uuid';
import { CORPUS, CORPUS_NOW } from '../packages/kazahana/src/inspect/corpus.ts';
import { build } from './build.ts';

const count = Number(process.argv[2] ?? 10_000_000);
if (!Number.isInteger(count) || count < 1)
  throw new RangeError(`count must be a whole number from 1, got ${process.argv[2]}`);

const DIGITS = '[0-9a-f]{8}(-?)[0-9a-f]{4}\\1[1-8][0-9a-f]{3}\\1[89ab][0-9a-f]{3}\\1[0-9a-f]{12}';
const PLAIN = new RegExp(
  `^(?:${DIGITS}|\\{${DIGITS.replaceAll('\\1', '\\2')}\\}|urn:uuid:${DIGITS.replaceAll('\\1', '\\3')})$`,
  'i',
);

/** A small generator of its own, so that a seed replays a run. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const HEX = '0123456789abcdefABCDEF';
const ODD = [
  '-',
  '--',
  'g',
  '{',
  '}',
  'urn:uuid:',
  'URN:',
  ' ',
  '\n',
  '\u0000',
  'é',
  '０',
  '\u{1f600}',
  '\ud800',
  '',
];

function nearlyUuid(random: (below: number) => number): string {
  let digits = '';
  for (let i = 0; i < 32; i++) digits += HEX[random(HEX.length)];
  if (random(2))
    digits = `${digits.slice(0, 12)}${random(9)}${digits.slice(13, 16)}${'89ab'[random(4)]}${digits.slice(17)}`;
  let text = random(2) ? digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-') : digits;
  if (random(3) === 0) text = random(2) ? `{${text}}` : `urn:uuid:${text}`;
  for (let edits = random(4); edits > 0; edits--) {
    const at = random(text.length + 1);
    text = text.slice(0, at) + ODD[random(ODD.length)] + text.slice(at + random(2));
  }
  return text;
}

/** Texts of the corpus, cut, repeated, put together, and with characters changed. */
function nearlyAnyId(random: (below: number) => number): string {
  let text = '';
  for (let parts = 1 + random(3); parts > 0; parts--) text += CORPUS[random(CORPUS.length)]?.text ?? '';
  if (random(4) === 0) text = text.slice(random(text.length + 1));
  for (let edits = random(5); edits > 0; edits--) {
    const at = random(text.length + 1);
    const piece = random(2)
      ? (ODD[random(ODD.length)] ?? '')
      : String.fromCharCode(random(random(2) ? 128 : 65_536));
    text = text.slice(0, at) + piece + text.slice(at + random(3));
  }
  return text;
}

/** What is wrong with what the recogniser says; undefined when nothing is. */
function faultOf({ readings, near }: Inspection): string | undefined {
  const levels = readings.map(({ certainty }) => CERTAINTIES.indexOf(certainty));
  if (levels.some((level, i) => i > 0 && level < (levels[i - 1] ?? 0))) return 'not the surest first';
  if (readings.length > 0 && near.length > 0) return 'recognised, and yet near to something';
  const hole = /made (?:undefined|null)|: undefined|up to (?:NaN|null)|^\s*\.$/;
  if (readings.some(({ sentence }) => hole.test(sentence))) return 'a sentence with a hole';
  for (const { format, text, value } of readings) {
    const [again] = inspectId(text, { now: CORPUS_NOW, as: format }).readings;
    if (again?.value !== value) return `its text ${JSON.stringify(text)} is not read again as ${format}`;
  }
  return undefined;
}

await build();
const seed = Date.now() >>> 0;
const random = randomFrom(seed);
console.log(`${count.toLocaleString('en')} inputs, seed ${seed}`);
let valid = 0;
for (let i = 1; i <= count; i++) {
  const input = nearlyUuid(random);
  const expected = PLAIN.test(input);
  const result = validateUuid(input);
  const isConsistent =
    result.isValid === expected &&
    isUuid(input) === expected &&
    (result.errors.length === 0) === expected &&
    result.errors.every(({ position = 0 }) => position >= 0 && position <= input.length);
  if (!isConsistent) {
    console.error(
      `input ${i} of seed ${seed}: ${JSON.stringify(input)} should be ${expected ? '' : 'in'}valid, got`,
      result,
    );
    process.exit(1);
  }
  if (expected) valid++;
  if (process.stderr.isTTY && i % 100_000 === 0) process.stderr.write(`\r${Math.floor((100 * i) / count)} %`);
}
if (process.stderr.isTTY) process.stderr.write('\r     \r');
console.log(
  `${valid.toLocaleString('en')} valid, ${(count - valid).toLocaleString('en')} invalid, no disagreement`,
);

const idCount = Math.ceil(count / 100);
let recognised = 0;
for (let i = 1; i <= idCount; i++) {
  const input = nearlyAnyId(random);
  let fault: string | undefined;
  try {
    const inspection = inspectId(input, { now: CORPUS_NOW });
    if (inspection.readings.length > 0) recognised++;
    fault = faultOf(inspection);
  } catch (error) {
    fault = String(error);
  }
  if (fault !== undefined) {
    console.error(`text ${i} of seed ${seed}: ${JSON.stringify(input)}: ${fault}`);
    process.exit(1);
  }
}
console.log(
  `${idCount.toLocaleString('en')} texts for the recogniser, ${recognised.toLocaleString('en')} recognised, no fault`,
);
