// A reading drawn: the ID in the colours of its fields, what it is in a sentence, its bits, its fields, its time, and what else
// it could be.
import type { Inspection, Reading } from 'kazahana/inspect';
import { bitPicture, fieldTable } from '../bit-picture.js';
import { fallbackReadings } from '../fallback-readings.js';
import { roleStyle } from '../role-colors.js';
import { isNarrow, type Terminal } from '../terminal.js';
import { pointAt, wrap } from '../text-width.js';
import { localText, relativeText } from '../time-text.js';
import { visible } from '../visible.js';
import { row } from './rows.js';

function paintedText({ text, segments }: Reading, terminal: Terminal): string {
  if (segments.length === 0) return terminal.paint('bold', visible(text));
  return segments
    .map(({ text: part, role }) => terminal.paint(['bold', roleStyle(role)], visible(part)))
    .join('');
}

function timeRows({ time }: Reading, now: number, terminal: Terminal): string[] {
  if (!time) return [];
  return [
    '',
    ...row('UTC', time.iso, terminal),
    ...row('local', localText(time.unixMs), terminal),
    ...row('relative', relativeText(time.unixMs, now), terminal),
  ];
}

function fallbackRows(reading: Reading, terminal: Terminal): string[] {
  if (!reading.fallback) return [];
  const { fenced, random } = fallbackReadings(reading);
  const machine = `machine ID ${fenced.machineId}, whose lease could not be renewed; sequence ${fenced.sequence}`;
  const chance = `${random.value} of ${random.bits} bits, made with no lease at all`;
  return ['', ...row('fenced', machine, terminal), ...row('random', chance, terminal)];
}

/** Two rows say of a fallback ID what this note says in words. */
const isSaidElsewhere = (key: string) => key === 'note-fallback';

/** Other readings that are as likely as not; of those that are unlikely only the number is told. */
function otherRows(others: readonly Reading[], terminal: Terminal): string[] {
  const shown = others.filter(({ certainty }) => certainty !== 'unlikely');
  const left = others.length - shown.length;
  const isFolded = isNarrow(terminal);
  const width = isFolded ? 0 : Math.max(0, ...shown.map(({ format }) => format.length));
  const lines = shown.flatMap(({ format, title, time }, i) =>
    row(
      i === 0 ? 'or' : '',
      `--as ${format.padEnd(width)}${isFolded ? ':' : ' '} ${title}${time ? `, ${time.iso}` : ''}`,
      terminal,
    ),
  );
  if (left > 0) {
    const what = `${left} unlikely ${left === 1 ? 'reading' : 'readings'}; --json shows all`;
    lines.push(...row(lines.length === 0 ? 'or' : '', what, terminal));
  }
  return lines.length === 0 ? [] : ['', ...lines];
}

/** What is drawn of one text that was recognised. */
export function draw(
  { takenOff, readings, diagnosis }: Inspection,
  now: number,
  terminal: Terminal,
): string[] {
  const [best, ...others] = readings;
  if (!best) return [];
  const note = (text: string) =>
    wrap(visible(text), terminal.columns - 4).map((line) => `  ${terminal.paint('yellow', line)}`);
  const notes = best.notes.filter(({ key }) => !isSaidElsewhere(key)).map(({ text }) => text);
  const nearly = diagnosis && best.certainty !== 'likely' ? [`As a UUID: ${diagnosis.message}.`] : [];
  const remarks = [...takenOff.map(({ text }) => text), ...notes, ...nearly];
  const bits = bitPicture(best, terminal);
  const fields = fieldTable(best, terminal);
  return [
    paintedText(best, terminal),
    ...wrap(visible(best.sentence), terminal.columns),
    ...(best.certainty === 'likely' ? [] : wrap(best.reason.text, terminal.columns)),
    ...(bits.length > 0 ? ['', ...bits] : []),
    ...(fields.length > 0 ? ['', ...fields] : []),
    ...timeRows(best, now, terminal),
    ...fallbackRows(best, terminal),
    ...(remarks.length > 0 ? ['', ...remarks.flatMap(note)] : []),
    ...otherRows(others, terminal),
  ];
}

/** A reading in one line, for streams and `--short`. */
export function summary({ text, title, certainty, time, fallback }: Reading, now: number): string {
  const when = time ? `  ${time.iso}  ${relativeText(time.unixMs, now)}` : '';
  const sure = certainty === 'likely' ? '' : `  (${certainty})`;
  return `${visible(text)}  ${visible(title)}${fallback ? ' (fallback)' : ''}${when}${sure}`;
}

export interface Complaint {
  readonly code: string;
  readonly message: string;
  readonly position?: number;
}

/** Why nothing recognised a text: what is wrong with it as a UUID, if it is nearly one; else what comes closest. */
export function complaintOf({ diagnosis, near }: Inspection, as: string | undefined): Complaint {
  if (as !== undefined && !diagnosis) return { code: 'NOT_AS_CHOSEN', message: `it cannot be read as ${as}` };
  if (diagnosis) return diagnosis;
  const closest = near.map(({ title, problem }) => `${title} (${problem.text.replace(/\.$/, '')})`);
  const hint = closest.length === 0 ? '' : `; closest: ${closest.join('; ')}`;
  return { code: 'UNKNOWN_ID', message: `no known format is written like this${hint}` };
}

export function complaintLines(
  input: string,
  { code, message, position }: Complaint,
  terminal: Terminal,
): string[] {
  const { text, caret } = pointAt(input, position, terminal.columns - 2);
  return [
    `  ${text}`,
    ...(caret === undefined ? [] : [`  ${' '.repeat(caret)}^`]),
    ...wrap(visible(`${code}: ${message}`), terminal.columns - 2).map((line) => `  ${line}`),
  ];
}
