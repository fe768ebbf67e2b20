// A history of UUIDs as text, for localStorage. What is written can be read again, and what is read has
// the shape it claims: text that was damaged is refused, with the place of the damage.
import { HistoryFormatError } from './errors.js';
import type { UuidHistoryItem } from './types.js';
import { validateUuid } from './validate.js';

const ISO_8601 = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/;

type Check = readonly [allowed: string, isAllowed: (value: unknown, item: UuidHistoryItem) => boolean];

const FIELDS: Readonly<Record<keyof UuidHistoryItem, Check>> = {
  id: ['a string that is not empty', (value) => typeof value === 'string' && value !== ''],
  uuid: ['a valid UUID', (value) => validateUuid(value as string).isValid],
  version: ['the version of its uuid', (value, item) => value === validateUuid(item.uuid).version],
  createdAt: [
    'an ISO 8601 date and time',
    (value) => typeof value === 'string' && ISO_8601.test(value) && !Number.isNaN(Date.parse(value)),
  ],
};

function checkHistory(items: unknown): asserts items is UuidHistoryItem[] {
  if (!Array.isArray(items)) throw new HistoryFormatError('', 'an array', items);
  // By index, since forEach would pass over the holes of a sparse array.
  for (let i = 0; i < items.length; i++) {
    const item: unknown = items[i];
    if (typeof item !== 'object' || item === null) throw new HistoryFormatError(`[${i}]`, 'an object', item);
    for (const [name, [allowed, isAllowed]] of Object.entries(FIELDS)) {
      const value: unknown = Object.hasOwn(item, name) ? (item as Record<string, unknown>)[name] : undefined;
      if (!isAllowed(value, item as UuidHistoryItem))
        throw new HistoryFormatError(`[${i}].${name}`, allowed, value);
    }
    for (const name of Object.keys(item)) {
      if (!Object.hasOwn(FIELDS, name)) {
        throw new HistoryFormatError(`[${i}]`, `an object with ${Object.keys(FIELDS).join(', ')} only`, name);
      }
    }
  }
}

/** The history as JSON text; refuses items that `deserializeHistory` would not read. */
export function serializeHistory(items: UuidHistoryItem[]): string {
  checkHistory(items);
  return JSON.stringify(items);
}

/** The history that `serializeHistory` wrote; a `HistoryFormatError` for anything else. */
export function deserializeHistory(json: string): UuidHistoryItem[] {
  let items: unknown;
  try {
    if (typeof json === 'string') items = JSON.parse(json);
  } catch {
    // Falls through to the error below, which says the same without the engine's own words.
  }
  if (items === undefined) throw new HistoryFormatError('', 'JSON text', json);
  checkHistory(items);
  return items;
}
