// `kazahana inspect`: what an ID is, with its bits drawn; many IDs, or a log that has some, one line each.
import {
  type OldDiagnosis as Diagnosis,
  diagnoseId,
  findIds,
  type OldReading as Reading,
  type ReadingName,
  readId,
} from 'kazahana/inspect';
import { bitPicture, fieldTable } from '../bit-picture.js';
import { fallbackReadings } from '../fallback-readings.js';
import { inputs } from '../inputs.js';
import { chosenLayout, type LayoutFlags } from '../layout-flags.js';
import { readSecret, type SecretFlags } from '../secret.js';
import { EXIT, type Terminal } from '../terminal.js';
import { pointAt, truncate, wrap } from '../text-width.js';
import { localText, relativeText, utcText } from '../time-text.js';
import { visible } from '../visible.js';

export interface InspectFlags extends LayoutFlags, SecretFlags {
  readonly as?: ReadingName;
  readonly json?: boolean;
}

/** Narrow readings of a number that has a plausible one would only be noise. */
const WORTH_A_LINE = 0.3;

function toJson(input: string, readings: readonly Reading[]): unknown {
  return {
    input,
    readings: readings.map((reading) => {
      const { as, title, text, bits, value, fields, unixMs, fallback, notes, plausibility } = reading;
      return {
        as,
        title,
        text,
        bits,
        value,
        time: unixMs === null ? null : utcText(unixMs),
        unixMs,
        fallback,
        ...(fallback && fallbackReadings(reading)),
        notes,
        plausibility,
        fields: fields.map(({ name, offset, bits: width, value: part, reading: meaning, inRange }) => ({
          name,
          offset,
          bits: width,
          value: part,
          reading: meaning,
          inRange,
        })),
      };
    }),
  };
}

const row = (name: string, text: string) => `  ${name.padEnd(8)} ${text}`;

function timeRows({ unixMs }: Reading, now: number): string[] {
  if (unixMs === null) return [];
  return [
    '',
    row('UTC', utcText(unixMs)),
    row('local', localText(unixMs)),
    row('relative', relativeText(unixMs, now)),
  ];
}

function fallbackRows(reading: Reading): string[] {
  if (!reading.fallback) return [];
  const { fenced, random } = fallbackReadings(reading);
  return [
    '',
    row(
      'fenced',
      `machine ID ${fenced.machineId}, whose lease could not be renewed; sequence ${fenced.sequence}`,
    ),
    row('random', `${random.value} of ${random.bits} bits, made with no lease at all`),
  ];
}

function draw(reading: Reading, others: readonly Reading[], now: number, terminal: Terminal): string[] {
  const { title, text, bits, notes, as } = reading;
  const alternatives = others.map((other, i) => {
    const when = other.unixMs === null ? '' : `, ${utcText(other.unixMs)}`;
    return row(i === 0 ? 'or' : '', `--as ${other.as.padEnd(12)} ${other.title}${when}`);
  });
  // Two rows say of a fallback ID what this note says in words.
  const remarks = notes.filter((note) => !/fenced.*random/.test(note));
  return [
    `${terminal.paint('bold', text)}  ${title}, ${bits} bits${as === 'uuid' ? '' : `  (--as ${as})`}`,
    '',
    ...bitPicture(reading, terminal),
    '',
    ...fieldTable(reading, terminal),
    ...timeRows(reading, now),
    ...fallbackRows(reading),
    ...remarks.flatMap((note) => [
      '',
      ...wrap(note, terminal.columns - 4).map((line) => `  ${terminal.paint('yellow', line)}`),
    ]),
    ...(alternatives.length > 0 ? ['', ...alternatives] : []),
  ];
}

/** A reading in one line, for streams. */
function summary({ text, title, unixMs, fallback }: Reading, now: number): string {
  const time = unixMs === null ? '' : `  ${utcText(unixMs)}  ${relativeText(unixMs, now)}`;
  return `${text}  ${title}${fallback ? ' (fallback)' : ''}${time}`;
}

function complaint(input: string, { code, message, position }: Diagnosis, terminal: Terminal): string[] {
  const { text, caret } = pointAt(input, position, terminal.columns - 2);
  return [
    `  ${text}`,
    ...(caret === undefined ? [] : [`  ${' '.repeat(caret)}^`]),
    ...wrap(visible(`${code}: ${message}`), terminal.columns - 2).map((line) => `  ${line}`),
  ];
}

/** Reads a text as the flags want it: one kind only, or the one whose layout they name first. */
async function readerOf(flags: InspectFlags, now: number) {
  const chosen = chosenLayout(flags);
  const secret = await readSecret(flags);
  const options = {
    now,
    layout: chosen?.pool ?? {},
    ...(secret !== undefined && { externalId: { secret } }),
  };
  return (text: string): { readings: Reading[]; isOther: boolean } => {
    const readings = readId(text, options);
    if (flags.as !== undefined) {
      const wanted = readings.filter(({ as }) => as === flags.as);
      return { readings: wanted, isOther: readings.length > wanted.length };
    }
    const isChosen = ({ as }: Reading) => as === chosen?.preset;
    const first = readings.filter(isChosen);
    return { readings: [...first, ...readings.filter((one) => !isChosen(one))], isOther: false };
  };
}

export async function inspect(
  args: readonly string[],
  flags: InspectFlags,
  terminal: Terminal,
): Promise<number> {
  const now = Date.now();
  const read = await readerOf(flags, now);
  let code: number = EXIT.fine;
  let isFirst = true;
  for await (const { text: given, line } of inputs(args, 'IDs')) {
    const text = given.trim();
    const { readings, isOther } = read(text);
    const [best, ...others] = readings;
    if (line !== undefined && (best || flags.as === undefined)) {
      const found = best ? [text] : [...findIds(text)].map((id) => id.text);
      const seen = found.flatMap((id) =>
        read(id)
          .readings.slice(0, 1)
          .map((reading) => ({ id, reading })),
      );
      for (const { id, reading } of seen)
        await (flags.json ? terminal.json(toJson(id, [reading])) : terminal.line(summary(reading, now)));
      if (seen.length === 0) {
        code = EXIT.invalid;
        terminal.say(truncate(`line ${line}: no ID in ${visible(text)}`, terminal.columns));
      }
    } else if (best) {
      if (flags.json) await terminal.json(toJson(given, readings));
      else {
        const worthwhile = others.filter(({ plausibility }) => plausibility >= WORTH_A_LINE);
        const lines = draw(best, worthwhile, now, terminal);
        await terminal.line((isFirst ? lines : ['', ...lines]).join('\n'));
        isFirst = false;
      }
    } else {
      code = EXIT.invalid;
      const why: Diagnosis = isOther
        ? { kind: 'unknown', code: 'NOT_AS_ASKED', message: `it cannot be read as ${flags.as}` }
        : diagnoseId(text);
      if (flags.json) await terminal.json({ input: given, error: why });
      else terminal.say(complaint(text, why, terminal).join('\n'));
    }
  }
  return code;
}
