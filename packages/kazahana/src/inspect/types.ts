// What an inspector says of an ID, as plain data: the page, the terminal and programs write their own words from it.
import type { ExternalIdOptions } from '../external/options.js';
import type { IdLayout } from '../id/layout.js';
import type { FieldDescription } from '../layout/layout.js';
import type { Message, MessageKey } from './messages.js';

/** What a field is for; the page and the terminal colour by it. */
export const ROLES = ['time', 'machine', 'sequence', 'random', 'version', 'other'] as const;
export type Role = (typeof ROLES)[number];

/** How sure a reading is, the surest first. */
export const CERTAINTIES = ['likely', 'possible', 'unlikely'] as const;
export type Certainty = (typeof CERTAINTIES)[number];

/** Formats of one kind; one file of `formats/` each. */
export const FAMILIES = [
  'kazahana',
  'uuid',
  'uuid-text',
  'sortable',
  'object-id',
  'random',
  'snowflake',
  'service',
  'trace',
  'time',
  'hash',
  'address',
  'book',
] as const;
export type Family = (typeof FAMILIES)[number];

/** One field of an ID, ready to be drawn. */
export interface ReadingField extends FieldDescription {
  readonly role: Role;
  /** What the value means, where words are needed; `reading` says it in English or as a value. */
  readonly meaning: Message | null;
}

/** The time in an ID. */
export interface ReadingTime {
  /** Whole milliseconds, rounded down. */
  readonly unixMs: number;
  /** UTC, with as many digits as the precision has. */
  readonly iso: string;
  /** The step of the ID's clock, as SI text: `ms`, `100 ns`, `4 ms`, `s`. */
  readonly precision: string;
}

/** Another way to write the same ID. */
export interface OtherForm {
  /** Stable: `hex`, `base64url`, `decimal`, `urn` … */
  readonly name: string;
  readonly text: string;
}

/** A part of the usual text that is a field of its own. */
export interface Segment {
  readonly text: string;
  readonly name: string;
  readonly role: Role;
}

/** Whether IDs of this format and of one prefix, sorted as text or number, come in the order of their times. */
export type Order = 'time' | 'none';

/** What the ID says of the machine or process that made it. */
export interface Maker {
  /** Where in the ID it stands: the name of a field. */
  readonly field: string;
  /** Equal for two IDs of one maker. */
  readonly text: string;
}

/** What a format says of one ID, apart from how sure that is. */
export interface Facts {
  /** The ID as it is usually written. */
  readonly text: string;
  /** How many bits it has; 0 when it is not made of bits. */
  readonly bits: number;
  /** All its bits as one integer; 0n when it has none. */
  readonly value: bigint;
  /** From the most significant bits to the least. */
  readonly fields: readonly ReadingField[];
  /** The usual text in parts, put together the whole; empty where fields do not begin and end with characters. */
  readonly segments: readonly Segment[];
  readonly time: ReadingTime | null;
  readonly order: Order;
  /** How many of its bits are random at most: some generators count in a part of them. Null when the ID does not tell. */
  readonly randomBits: number | null;
  readonly maker: Maker | null;
  /** The name of the format of what is inside: of the UUID in a base64 text, of the ID behind an external ID. */
  readonly contains: string | null;
  /** For kazahana IDs: made without a valid lease. */
  readonly fallback: boolean;
  readonly notes: readonly Message[];
  readonly forms: readonly OtherForm[];
}

/** How much the form of a text says about its format. */
export type Strength =
  /** Nothing else is written like this, whatever its time says. */
  | 'certain'
  /** Hardly anything else is written like this, if the time can be right. */
  | 'telling'
  /** Other formats are written like this, too. */
  | 'shared'
  /** Any text of this length and alphabet is. */
  | 'weak';

/** A text that a format recognised. */
export interface Match {
  readonly strength: Strength;
  /** Why it is no stronger, where the strength does not say it all. */
  readonly reason?: MessageKey;
  /** What speaks for this match among others of its strength, in bits, besides the format's spread. */
  readonly weight?: number;
  readonly facts: Facts;
}

/** What recognising depends on besides the text. */
export interface Context {
  /** By which times are judged, in Unix milliseconds. */
  readonly now: number;
  /** The layout of the pool, for kazahana IDs. */
  readonly layout: Partial<IdLayout>;
  /** How external IDs were written. */
  readonly externalId: ExternalIdOptions | undefined;
  /** The caller chose this format: what is not impossible is read. */
  readonly isForced: boolean;
}

/** What a near miss looks like, for texts that nothing recognises. */
export interface Shape {
  /** What formats of this shape are called together; the format's title unless said. */
  readonly title?: string;
  readonly lengths: readonly number[];
  /** The characters that may stand in it. */
  readonly alphabet: RegExp;
}

/** One entry of the registry. */
export interface Format<Name extends string = string> {
  /** Stable, in kebab-case. */
  readonly name: Name;
  /** For people; a proper name where there is one. */
  readonly title: string;
  readonly family: Family;
  /** No ID of this format carries an earlier time, in Unix milliseconds. */
  readonly since?: number | ((context: Context) => number);
  /** How widespread it is among formats that look alike, in bits: one more is twice as many. 0 unless said. */
  readonly spread?: number;
  readonly shape?: Shape;
  /** A pure function; it gets no more than `MAX_ID_LENGTH` characters, trimmed. */
  recognise(text: string, context: Context): Match | undefined;
  /** The facts of any pattern of bits, allowed or not; for drawings whose bits can be flipped. */
  readonly describe?: (value: bigint, context: Context) => Facts;
}
