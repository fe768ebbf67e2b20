// A history of UUIDs as text, for localStorage. What is written can be read again, and what is read has
// the shape it claims: text that was damaged is refused, with the place of the damage.
import { HistoryFormatError } from './errors.js';
import type { UuidHistoryItem } from './types.js';
import { validateUuid } from './validate.js';

const ISO_8601 = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/;

/** Whether the value is a date, a time and a zone of ISO 8601, of a day that exists. */
function isIsoTime(value: unknown): boolean {
  if (typeof value !== 'string' || !ISO_8601.test(value) || Number.isNaN(Date.parse(value))) return false;
  // An engine may take the 30th of February for a day in March.
  const day = value.slice(0, 10);
  return new Date(day).toJSON()?.startsWith(day) ?? false;
}

/** The history as JSON text; refuses items that `deserializeHistory` would not read. */
export function serializeHistory(items: UuidHistoryItem[]): string {
  const json = JSON.stringify(items);
  deserializeHistory(json);
  return json;
}

/** The history that `serializeHistory` wrote; a `HistoryFormatError` for anything else. */
export function deserializeHistory(json: string): UuidHistoryItem[] {
  let items: unknown;
  try {
    if (typeof json === 'string') items = JSON.parse(json);
  } catch {
    // The error below says the same, without the engine's own words.
  }
  if (!Array.isArray(items)) throw new HistoryFormatError('', 'JSON of an array', json);
  for (const [i, item] of items.entries()) {
    const { id, uuid, version, createdAt } = Object(item);
    const check = (isAllowed: boolean, name: string, allowed: string, value: unknown) => {
      if (!isAllowed) throw new HistoryFormatError(`[${i}].${name}`, allowed, value);
    };
    check(typeof id === 'string' && id !== '', 'id', 'a non-empty string', id);
    const found = validateUuid(uuid);
    check(found.isValid, 'uuid', 'a valid UUID', uuid);
    check(version === found.version, 'version', 'the version of its uuid', version);
    check(isIsoTime(createdAt), 'createdAt', 'an ISO 8601 time with a zone', createdAt);
  }
  return items;
}
