// `kazahana inspect`: what an ID is, with its bits drawn; many IDs, or a log that has some, one line each.
import {
  compareIds,
  FORMATS,
  type FormatName,
  findIds,
  type Inspection,
  type InspectOptions,
  inspectId,
} from 'kazahana/inspect';
import { closestName } from 'kazahana/lease';
import { type ExternalOptionFlags, externalOptionsOf } from '../external-options.js';
import { type Input, inputs } from '../inputs.js';
import { comparisonRows } from '../inspect/comparison.js';
import { complaintLines, complaintOf, draw, summary } from '../inspect/draw.js';
import { toJson } from '../inspect/to-json.js';
import { chosenLayout, type LayoutFlags } from '../layout-flags.js';
import { EXIT, type Terminal, UsageError } from '../terminal.js';
import { truncate } from '../text-width.js';
import { quoted, visible } from '../visible.js';

export interface InspectFlags extends LayoutFlags, ExternalOptionFlags {
  readonly as?: string;
  readonly short?: boolean;
  readonly formats?: boolean;
  readonly json?: boolean;
}

/** The format of a name, or of the beginning of one that no other has: `twitter` is `twitter-snowflake`. */
function formatNamed(text: string): FormatName {
  const name = text.toLowerCase();
  const exact = FORMATS.find((format) => format.name === name);
  if (exact) return exact.name;
  const beginning = FORMATS.filter((format) => format.name.startsWith(`${name}-`));
  const [only] = beginning;
  if (only && beginning.length === 1) return only.name;
  const names = FORMATS.flatMap((format) => [format.name, format.name.replace(/-.*/, '')]);
  const hint =
    beginning.length > 1 ? beginning.map((format) => format.name).join(', ') : closestName(name, names);
  throw new UsageError(
    `--as has no format ${quoted(text)}${hint === undefined ? '' : ` (did you mean ${hint}?)`}; --formats lists all`,
  );
}

/** What the presets of `--epoch` are called in the registry. */
const PRESET_FORMATS: Readonly<Record<string, FormatName>> = {
  kazahana: 'kazahana-id',
  unix: 'kazahana-id',
  twitter: 'twitter-snowflake',
  discord: 'discord-snowflake',
  instagram: 'instagram-id',
};

type Read = (text: string) => Inspection;

/** Reads a text as the flags want it: as one format only, or the one whose layout they name first. */
async function readerOf(flags: InspectFlags, now: number): Promise<{ read: Read; options: InspectOptions }> {
  const chosen = chosenLayout(flags);
  const externalId = await externalOptionsOf(flags);
  const as = flags.as === undefined ? undefined : formatNamed(flags.as);
  const layout = { ...chosen?.pool, ...(chosen?.preset === 'unix' && { customEpoch: 0 }) };
  const options: InspectOptions = {
    now,
    layout,
    ...(Object.keys(externalId).length > 0 && { externalId }),
    ...(as !== undefined && { as }),
  };
  const preferred = chosen && PRESET_FORMATS[chosen.preset];
  const read: Read = (text) => {
    const inspection = inspectId(text, options);
    const first = inspection.readings.filter(({ format }) => format === preferred);
    const rest = inspection.readings.filter(({ format }) => format !== preferred);
    return { ...inspection, readings: [...first, ...rest] };
  };
  return { read, options };
}

/** The IDs of a line: the line itself, or those that stand in it. */
function idsIn(line: string, read: Read): { input: string; inspection: Inspection }[] {
  const whole = read(line);
  const isRead = ({ readings }: Inspection) => readings.some(({ certainty }) => certainty !== 'unlikely');
  const inside = [...findIds(line)].map(({ text }) => ({ input: text, inspection: read(text) }));
  if (inside.length > 1 && whole.takenOff.length > 0)
    return inside.filter(({ inspection }) => isRead(inspection));
  return isRead(whole) || (whole.readings.length > 0 && whole.takenOff.length === 0)
    ? [{ input: line, inspection: whole }]
    : inside.filter(({ inspection }) => isRead(inspection));
}

class Inspector {
  isFine = true;
  #isFirst = true;

  constructor(
    readonly read: Read,
    readonly flags: InspectFlags,
    readonly now: number,
    readonly terminal: Terminal,
  ) {}

  async line(text: string, line: number): Promise<void> {
    const found = idsIn(text, this.read);
    for (const { input, inspection } of found) await this.#show(input, inspection, true);
    if (found.length > 0) return;
    this.isFine = false;
    this.terminal.say(truncate(`line ${line}: no ID in ${visible(text)}`, this.terminal.columns));
  }

  async argument(given: string): Promise<void> {
    const inspection = this.read(given);
    if (inspection.readings.length > 0) {
      await this.#show(given, inspection, this.flags.short === true);
      return;
    }
    this.isFine = false;
    const why = complaintOf(inspection, this.flags.as);
    if (this.flags.json) await this.terminal.json({ input: given, error: why });
    else this.terminal.say(complaintLines(inspection.subject, why, this.terminal).join('\n'));
  }

  async #show(input: string, inspection: Inspection, isShort: boolean): Promise<void> {
    const [best] = inspection.readings;
    if (!best) return;
    if (this.flags.json) {
      // A stream is read for what its IDs are, not for what they could be.
      const readings = isShort ? [best] : inspection.readings;
      await this.terminal.json(toJson(input, { ...inspection, readings }));
    } else if (isShort) {
      await this.terminal.line(summary(best, this.now));
    } else {
      const lines = draw(inspection, this.now, this.terminal);
      await this.terminal.line((this.#isFirst ? lines : ['', ...lines]).join('\n'));
      this.#isFirst = false;
    }
  }
}

async function listFormats({ json }: InspectFlags, terminal: Terminal): Promise<number> {
  const width = Math.max(...FORMATS.map(({ name }) => name.length));
  for (const { name, title, family } of FORMATS)
    await (json ? terminal.json({ name, title, family }) : terminal.line(`${name.padEnd(width)}  ${title}`));
  return EXIT.fine;
}

export async function inspect(
  args: readonly string[],
  flags: InspectFlags,
  terminal: Terminal,
): Promise<number> {
  if (flags.formats) return listFormats(flags, terminal);
  const now = Date.now();
  const { read, options } = await readerOf(flags, now);
  const inspector = new Inspector(read, flags, now, terminal);
  const named: Input[] = [];
  for await (const input of inputs(args, 'IDs')) {
    if (input.line !== undefined) await inspector.line(input.text, input.line);
    else {
      named.push(input);
      await inspector.argument(input.text);
    }
  }
  const [one, other] = named;
  if (one && other && named.length === 2 && inspector.isFine && !flags.json && !flags.short) {
    const rows = comparisonRows(compareIds(one.text, other.text, options), terminal);
    await terminal.line(['', ...rows].join('\n'));
  }
  return inspector.isFine ? EXIT.fine : EXIT.invalid;
}
