// `kazahana inspect`: what an ID is, with its bits drawn; many IDs, or a log that has some, one line each.
import {
  type Diagnosis,
  diagnoseId,
  findIds,
  type Reading,
  type ReadingName,
  readId,
} from 'kazahana/inspect';
import { bitPicture, fieldTable } from '../bit-picture.js';
import { type LayoutFlags, layoutOf } from '../layout-flags.js';
import { readSecret, type SecretFlags } from '../secret.js';
import { EXIT, inputs, type Terminal, UsageError } from '../terminal.js';
import { localText, relativeText, utcText } from '../time-text.js';

export interface InspectFlags extends LayoutFlags, SecretFlags {
  readonly as?: string;
  readonly json?: boolean;
}

const NAMES: readonly ReadingName[] = [
  ...(['uuid', 'kazahana', 'external', 'twitter', 'discord', 'instagram', 'unix'] as const),
  ...(['pylon', 'client', 'workspace', 'conversation'] as const),
];

function checkAs(as: string | undefined): void {
  if (as !== undefined && !NAMES.includes(as as ReadingName)) {
    throw new UsageError(`--as must be one of ${NAMES.join(', ')}; got ${JSON.stringify(as)}`);
  }
}

function toJson(input: string, readings: readonly Reading[]): unknown {
  return {
    input,
    readings: readings.map(
      ({ as, title, text, bits, value, fields, unixMs, fallback, notes, plausibility }) => ({
        as,
        title,
        text,
        bits,
        value,
        time: unixMs === null ? null : utcText(unixMs),
        unixMs,
        fallback,
        notes,
        plausibility,
        fields: fields.map(({ name, offset, bits: width, value: part, reading, inRange }) => ({
          name,
          offset,
          bits: width,
          value: typeof part === 'bigint' ? String(part) : part,
          reading,
          inRange,
        })),
      }),
    ),
  };
}

function draw(reading: Reading, others: readonly Reading[], now: number, terminal: Terminal): string[] {
  const { title, text, bits, unixMs, notes, as } = reading;
  const time =
    unixMs === null
      ? []
      : [
          `  ${'UTC'.padEnd(8)} ${utcText(unixMs)}`,
          `  ${'local'.padEnd(8)} ${localText(unixMs)}`,
          `  ${'relative'.padEnd(8)} ${relativeText(unixMs, now)}`,
        ];
  const alternatives = others.map((other) => {
    const when = other.unixMs === null ? '' : `, ${utcText(other.unixMs)}`;
    return `  --as ${other.as.padEnd(12)} ${other.title}${when}`;
  });
  return [
    `${terminal.paint('bold', text)}  ${title}, ${bits} bits${as === 'uuid' ? '' : `  (--as ${as})`}`,
    '',
    ...bitPicture(reading, terminal),
    '',
    ...fieldTable(reading, terminal),
    ...(time.length > 0 ? ['', ...time] : []),
    ...(notes.length > 0
      ? [
          '',
          ...notes.flatMap((note) =>
            wrap(note, terminal.columns - 4).map((line) => `  ${terminal.paint('yellow', line)}`),
          ),
        ]
      : []),
    ...(alternatives.length > 0 ? ['', '  It can also be read as:', ...alternatives] : []),
  ];
}

/** Lines of whole words that are no longer than so. */
function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

/** A reading in one line, for streams. */
function summary({ text, title, unixMs, fallback }: Reading, now: number): string {
  const time = unixMs === null ? '' : `  ${utcText(unixMs)}  ${relativeText(unixMs, now)}`;
  return `${text}  ${title}${fallback ? ' (fallback)' : ''}${time}`;
}

export function complaint(input: string, { code, message, position }: Diagnosis): string[] {
  const shown = input.length > 70 ? `${input.slice(0, 70)}…` : input;
  const caret = position === undefined || position > 70 ? [] : [`  ${' '.repeat(position)}^`];
  return [`  ${shown}`, ...caret, `  ${code}: ${message}`];
}

export async function inspect(
  args: readonly string[],
  flags: InspectFlags,
  terminal: Terminal,
): Promise<number> {
  checkAs(flags.as);
  const now = Date.now();
  const secret = await readSecret(flags);
  const options = { now, layout: layoutOf(flags), ...(secret !== undefined && { externalId: { secret } }) };
  const readingsOf = (text: string) => {
    const readings = readId(text, options);
    return flags.as === undefined ? readings : readings.filter(({ as }) => as === flags.as);
  };
  let code: number = EXIT.fine;
  let isFirst = true;
  for await (const { text, isStream } of inputs(args)) {
    const readings = readingsOf(text.trim());
    const [best, ...others] = readings;
    if (best && !isStream) {
      if (flags.json) await terminal.json(toJson(text, readings));
      else {
        // Narrow readings of a number that has a plausible one would only be noise.
        const worthwhile = others.filter(({ plausibility }) => plausibility >= 0.3);
        const lines = draw(best, worthwhile, now, terminal);
        await terminal.line((isFirst ? lines : ['', ...lines]).join('\n'));
        isFirst = false;
      }
    } else if (isStream) {
      const found = best ? [text.trim()] : [...findIds(text)].map((id) => id.text);
      for (const id of found) {
        const [reading] = readingsOf(id);
        if (reading)
          await (flags.json ? terminal.json(toJson(id, [reading])) : terminal.line(summary(reading, now)));
      }
    } else {
      code = EXIT.invalid;
      const diagnosis = diagnoseId(text);
      const isOther = flags.as !== undefined && readId(text, options).length > 0;
      const why: Diagnosis = isOther
        ? { kind: 'unknown', code: 'NOT_AS_ASKED', message: `it cannot be read as ${flags.as}` }
        : diagnosis;
      if (flags.json) await terminal.json({ input: text, error: why });
      else terminal.say(complaint(text, why).join('\n'));
    }
  }
  return code;
}
