// A history of UUIDs as text, for localStorage. What is written can be read again, and what is read has
// the shape it claims: text that was damaged is refused, with the place of the damage.
import { HistoryFormatError } from './errors.js';
import type { UuidHistoryItem } from './types.js';
import { validateUuid } from './validate.js';

/** The shape only; whether there is such a day is left to Date. */
const ISO_8601 = /^\d{4}(-\d\d){2}T[\d:.]+(Z|[+-]\d\d:\d\d)$/;

type Check = readonly [name: string, allowed: string, isAllowed: (item: Record<string, unknown>) => boolean];

const CHECKS: readonly Check[] = [
  ['id', 'a non-empty string', ({ id }) => typeof id === 'string' && id !== ''],
  ['uuid', 'a valid UUID', ({ uuid }) => validateUuid(uuid).isValid],
  ['version', 'the version of its uuid', ({ uuid, version }) => version === validateUuid(uuid).version],
  [
    'createdAt',
    'an ISO 8601 date and time',
    ({ createdAt }) =>
      typeof createdAt === 'string' && ISO_8601.test(createdAt) && !Number.isNaN(Date.parse(createdAt)),
  ],
];

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
    const object = Object(item);
    for (const [name, allowed, isAllowed] of CHECKS) {
      if (!isAllowed(object)) throw new HistoryFormatError(`[${i}].${name}`, allowed, object[name]);
    }
  }
  return items;
}
