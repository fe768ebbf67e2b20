// Whether a body is an acquire, yes or no: what the schema says, in a tenth of its time, for the request that comes all
// day. The schema stays the measure (the tests compare the two) and says what is wrong when the answer is no.
import { type AcquireOptions, checkAcquire } from 'kazahana/lease';
import { MAX_META, MAX_META_NAME, MAX_META_TEXT } from './schemas.js';

const FIELDS = new Set(['serviceId', 'meta', 'throughputPerMs', 'requestId', 'seen', 'report']);
const SEEN_FIELDS = new Set(['pool', 'serial']);
const REPORT_FIELDS = new Set([
  'leasedIds',
  'fencedIds',
  'randomIds',
  'exhaustedMs',
  'acquireFailures',
  'clockSteps',
]);

const hasOnly = (value: object, names: ReadonlySet<string>) => {
  for (const name in value) if (!names.has(name)) return false;
  return true;
};

function isSmall(meta: Readonly<Record<string, string>>): boolean {
  let count = 0;
  for (const name in meta) {
    const isFine = name !== '' && name.length <= MAX_META_NAME && String(meta[name]).length <= MAX_META_TEXT;
    if (!isFine || ++count > MAX_META) return false;
  }
  return true;
}

export function isAcquire(value: unknown): value is AcquireOptions {
  try {
    const { meta, seen, report } = checkAcquire(value);
    return (
      hasOnly(value as object, FIELDS) &&
      (meta === undefined || isSmall(meta)) &&
      (seen === undefined || hasOnly(seen, SEEN_FIELDS)) &&
      (report === undefined || hasOnly(report, REPORT_FIELDS))
    );
  } catch {
    return false;
  }
}
