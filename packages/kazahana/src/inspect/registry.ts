// Every format that can be recognised. A new one is one entry in a file of `formats/`, listed here.
import { addressFormats } from './formats/address.js';
import { cuidFormats } from './formats/cuid.js';
import { hashFormats } from './formats/hash.js';
import { isbnFormats } from './formats/isbn.js';
import { kazahanaFormats } from './formats/kazahana.js';
import { objectIdFormats } from './formats/object-id.js';
import { randomFormats } from './formats/random.js';
import { serviceFormats } from './formats/service.js';
import { snowflakeFormats } from './formats/snowflake.js';
import { sortableFormats } from './formats/sortable.js';
import { traceFormats } from './formats/trace.js';
import { ulidFormats } from './formats/ulid.js';
import { unixTimeFormats } from './formats/unix-time.js';
import { uuidFormats } from './formats/uuid.js';
import { uuidTextFormats } from './formats/uuid-text-forms.js';
import type { Family, Format } from './types.js';

const ALL = [
  ...uuidFormats,
  ...kazahanaFormats,
  ...unixTimeFormats,
  ...ulidFormats,
  ...objectIdFormats,
  ...sortableFormats,
  ...cuidFormats,
  ...uuidTextFormats,
  ...snowflakeFormats,
  ...serviceFormats,
  ...randomFormats,
  ...hashFormats,
  ...traceFormats,
  ...addressFormats,
  ...isbnFormats,
] as const;

export type FormatName = (typeof ALL)[number]['name'];

/** Where readings are equally sure, the earlier stands first. */
export const REGISTRY: readonly Format<FormatName>[] = ALL;

const BY_NAME: ReadonlyMap<string, Format<FormatName>> = new Map(
  REGISTRY.map((format) => [format.name, format]),
);

export const formatOf = (name: string): Format<FormatName> | undefined => BY_NAME.get(name);

/** What a program needs of a format to offer it as a choice. */
export interface FormatInfo {
  readonly name: FormatName;
  readonly title: string;
  readonly family: Family;
  /** It is made of bits, which can be drawn. */
  readonly hasBits: boolean;
}

/** Every format: its name, its title and its family. */
export const FORMATS: readonly FormatInfo[] = REGISTRY.map(({ name, title, family, describe }) => ({
  name,
  title,
  family,
  hasBits: describe !== undefined,
}));
