// How sure a reading is, and which of several comes first. A text alone proves little: what counts is how much its form
// says, and whether its time can be right.
import { type Message, type MessageKey, message } from './messages.js';
import { verdictOn } from './times.js';
import type { Certainty, Context, Facts, Format, Match, ReadingField } from './types.js';

export interface Judgement {
  readonly certainty: Certainty;
  readonly reason: Message;
  readonly notes: readonly Message[];
  /** What the time says; null where there is none. */
  readonly verdict: ReturnType<typeof verdictOn> | null;
}

const isOutOfRange = ({ inRange }: ReadingField) => !inRange;

export function judge(format: Format, { strength, reason, facts }: Match, context: Context): Judgement {
  const since = typeof format.since === 'function' ? format.since(context) : format.since;
  const verdict = facts.time && verdictOn(facts.time, since, context.now);
  const isWrong = verdict === 'future' || verdict === 'early';
  const timeNotes = isWrong ? [message(`note-${verdict}`)] : [];
  const say = (certainty: Certainty, key: MessageKey): Judgement => ({
    certainty,
    reason: message(reason ?? key),
    // Where the reason says it, a note need not.
    notes: certainty === 'unlikely' ? [] : timeNotes,
    verdict,
  });
  if (context.isForced) return { ...say('likely', 'reason-chosen'), reason: message('reason-chosen') };
  if (strength === 'certain') return say('likely', 'reason-form');
  if (facts.fields.some(isOutOfRange)) return say('unlikely', 'reason-range');
  if (isWrong) return say('unlikely', `reason-${verdict}`);
  if (strength === 'weak') return say('unlikely', 'reason-weak');
  if (strength === 'shared') return say('possible', 'reason-shared');
  return say('likely', verdict === null ? 'reason-form-without-time' : 'reason-form-and-time');
}

/** Counts within a tick and machine IDs are low far more often than chance would have them, in bits. */
function lowness({ fields, fallback }: Facts): number {
  return fields
    .filter(({ role }) => role === 'sequence' || role === 'machine')
    .reduce((sum, { bits, value, role }) => {
      // The upper half of the machine IDs is for fallback: there, the lowest is the first above the middle.
      const isUpper = fallback && role === 'machine';
      const above = isUpper ? Number(value) - 2 ** (bits - 1) : Number(value);
      return sum + bits - (isUpper ? FALLBACK_BITS : 0) - Math.log2(above + 1);
    }, 0);
}

/** Of so many IDs one is made without a lease, in bits. */
const FALLBACK_BITS = 3;

/**
 * People look at IDs of the last weeks far more often than at older ones. So a number that is a kazahana ID of this month and a
 * Discord ID of the same month of 2015 (both count milliseconds in the same bits, from different years) is listed as a kazahana ID
 * first. That is meant: of all Discord IDs hardly one in a thousand is of those weeks, of the kazahana IDs that a reader looks at,
 * most are of the last ones. Both are only possible, and each names the other.
 */
const FRESH_MS = 30 * 24 * 3600 * 1000;
const FRESH_BITS = 12;

function freshness({ time }: Facts, now: number): number {
  return time !== null && now - FRESH_MS <= time.unixMs && time.unixMs <= now ? FRESH_BITS : 0;
}

/** By which readings of the same certainty are ordered, the highest first. */
export function weightOf({ family, spread = 0 }: Format, { facts, weight = 0 }: Match, now: number): number {
  const isNumber = family === 'snowflake' || family === 'kazahana';
  return spread + weight + (isNumber ? lowness(facts) + freshness(facts, now) : 0);
}
