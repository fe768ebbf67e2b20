// What a text can be: every format that recognises it, the likeliest first.

import { InvalidArgumentError } from '../errors.js';
import type { ExternalIdOptions } from '../external/options.js';
import type { IdLayout } from '../id/layout.js';
import { oneOf } from '../options.js';
import { type Diagnosis, diagnoseUuid } from './diagnose.js';
import { type Judgement, judge, weightOf } from './judge.js';
import { type Message, message } from './messages.js';
import { type NearFormat, nearFormats } from './near.js';
import { isInteger } from './numbers.js';
import { type FormatName, formatOf, REGISTRY } from './registry.js';
import { sentenceOf } from './sentence.js';
import { MAX_ID_LENGTH, takeOff } from './take-off.js';
import {
  CERTAINTIES,
  type Certainty,
  type Context,
  type Facts,
  type Family,
  type Format,
  type Match,
} from './types.js';

/** A text, read as one format. */
export interface Reading extends Facts {
  readonly format: FormatName;
  readonly title: string;
  readonly family: Family;
  readonly contains: FormatName | null;
  readonly certainty: Certainty;
  /** Why it is likely, possible or unlikely. */
  readonly reason: Message;
  /** Formats that fit as well: the text does not tell which it is. */
  readonly alike: readonly FormatName[];
  /** What it is, in one English sentence. */
  readonly sentence: string;
}

export interface InspectOptions {
  /** By which times are judged, in Unix milliseconds. */
  readonly now: number;
  /** The layout of the pool, for kazahana IDs. */
  readonly layout?: Partial<IdLayout>;
  /** How external IDs were written. */
  readonly externalId?: ExternalIdOptions;
  /** Reads the text as this format, or not at all. */
  readonly as?: FormatName;
}

export interface Inspection {
  /** The ID itself, without what was taken off around it. */
  readonly subject: string;
  /** What was taken off, in that order. */
  readonly takenOff: readonly Message[];
  /** The best first; empty when nothing recognised the text. */
  readonly readings: readonly Reading[];
  /** When nothing recognised it: the formats that come closest, and what keeps the text from being one. */
  readonly near: readonly NearFormat[];
  /** When it is nearly a UUID and no valid one: the first thing that is wrong, and where in `subject`. */
  readonly diagnosis: Diagnosis | null;
}

interface Found {
  readonly format: Format<FormatName>;
  readonly match: Match;
  readonly judgement: Judgement;
  readonly weight: number;
}

function contextOf({ now, layout = {}, externalId, as }: InspectOptions): Context {
  if (!Number.isFinite(now)) throw new InvalidArgumentError('now', 'Unix milliseconds', now);
  if (as !== undefined && formatOf(as) === undefined) {
    throw new InvalidArgumentError(
      'as',
      oneOf(
        REGISTRY.map(({ name }) => name),
        as,
      ),
      as,
    );
  }
  return { now, layout, externalId, isForced: as !== undefined };
}

/** Of the readings of a number that are possible, the only one whose time can be right is likely. */
function promote(text: string, found: readonly Found[]): readonly Found[] {
  if (!isInteger(text)) return found;
  const [only, ...more] = found.filter(({ judgement }) => judgement.certainty !== 'unlikely');
  if (only === undefined || more.length > 0 || only.judgement.verdict === null) return found;
  if (only.judgement.certainty !== 'possible') return found;
  const judgement: Judgement = {
    ...only.judgement,
    certainty: 'likely',
    reason: message('reason-only-time'),
  };
  return found.map((one) => (one === only ? { ...one, judgement } : one));
}

function byRank(a: Found, b: Found): number {
  const level = ({ judgement }: Found) => CERTAINTIES.indexOf(judgement.certainty);
  return level(a) - level(b) || b.weight - a.weight;
}

function toReading({ format, match, judgement }: Found, alike: readonly FormatName[]): Reading {
  const { facts } = match;
  const { name, title, family } = format;
  const contained = facts.contains === null ? undefined : formatOf(facts.contains);
  const reading = {
    ...facts,
    format: name,
    title: contained && family === 'uuid-text' ? `${contained.title} as ${title}` : title,
    family,
    contains: contained?.name ?? null,
    certainty: judgement.certainty,
    reason: judgement.reason,
    alike,
    notes: [...facts.notes, ...judgement.notes],
  };
  return { ...reading, sentence: sentenceOf(reading) };
}

/** All readings of a text from which nothing is to be taken off. */
function readAll(text: string, context: Context, formats: readonly Format<FormatName>[]): readonly Reading[] {
  const found = formats.flatMap((format): Found[] => {
    const match = format.recognise(text, context);
    return match
      ? [
          {
            format,
            match,
            judgement: judge(format, match, context),
            weight: weightOf(format, match, context.now),
          },
        ]
      : [];
  });
  const ranked = promote(text, found).toSorted(byRank);
  const possible = ranked.filter(({ judgement }) => judgement.certainty === 'possible');
  return ranked.map((one) => {
    const alike = possible.includes(one) ? possible.filter((other) => other !== one) : [];
    return toReading(
      one,
      alike.map(({ format }) => format.name),
    );
  });
}

/** The reading that the address of a site names comes first, and is likely. */
function hinted(readings: readonly Reading[], hint: FormatName | undefined): readonly Reading[] {
  const named = readings.find(({ format }) => format === hint);
  if (named === undefined) return readings;
  const sure = { ...named, certainty: 'likely' as const, reason: message('reason-host'), alike: [] };
  return [{ ...sure, sentence: sentenceOf(sure) }, ...readings.filter((reading) => reading !== named)];
}

/**
 * What a text is: an ID with quotes, brackets, a cast or an address around it is read without them.
 *
 * ```ts
 * const { readings } = inspectId('"01941f29-7c00-7aaa-aaaa-aaaaaaaaaaaa",', { now: 1800000000000 });
 * readings[0]?.sentence; // → UUID v7, made 2025-01-01T00:00:00.000Z, sorts by time, up to 74 random bits.
 * ```
 */
export function inspectId(text: string, options: InspectOptions): Inspection {
  if (typeof text !== 'string') throw new InvalidArgumentError('text', 'a string', text);
  const context = contextOf(options);
  const chosen = options.as === undefined ? undefined : formatOf(options.as);
  const formats = chosen ? [chosen] : REGISTRY;
  const read = (part: string) =>
    part.length > MAX_ID_LENGTH || part === '' ? [] : readAll(part, context, formats);
  const { subject, takenOff, readings, hint } = takeOff(text, read);
  const ordered = chosen ? readings : hinted(readings, hint);
  const isValidUuid = ordered.some(({ family, certainty }) => family === 'uuid' && certainty === 'likely');
  return {
    subject,
    takenOff,
    readings: ordered,
    near: ordered.length > 0 ? [] : nearFormats(subject, formats),
    diagnosis: isValidUuid ? null : diagnoseUuid(subject),
  };
}

/** What a format says of any pattern of bits, for drawings whose bits can be flipped; undefined when it has no bits. */
export function describeBits(format: FormatName, value: bigint, options: InspectOptions): Facts | undefined {
  return formatOf(format)?.describe?.(value, contextOf(options));
}
