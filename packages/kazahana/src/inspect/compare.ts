// Two IDs beside each other: the time between them, the bits that differ, and what they say of their makers.
import { type Inspection, type InspectOptions, inspectId, type Reading } from './inspect.js';
import { type Message, message } from './messages.js';
import { REGISTRY } from './registry.js';

export interface Comparison {
  readonly a: Inspection;
  readonly b: Inspection;
  /** The two, read alike where they can be; undefined when one of them is not recognised. */
  readonly readings: readonly [Reading, Reading] | undefined;
  /** Both are read as the same format. */
  readonly isSameFormat: boolean;
  /** -1 when a is the lower, 1 when b is; null when they cannot be ordered. */
  readonly order: -1 | 0 | 1 | null;
  /** From a to b, in milliseconds; null when one has no time. */
  readonly msBetween: number | null;
  /** How many bits differ; null when they have no bits of the same number. */
  readonly differingBits: number | null;
  /** How many bits are equal before the first that differs; null as above. */
  readonly equalFirstBits: number | null;
  readonly maker: 'same' | 'different' | 'unknown';
  /** What is known of the makers. */
  readonly makerNote: Message;
}

/** The pair that is read alike and stands nearest to the top of both lists; otherwise the best of each. */
function pairOf(a: Inspection, b: Inspection): readonly [Reading, Reading] | undefined {
  const pairs = a.readings.flatMap((one, i) => {
    const j = b.readings.findIndex(({ format }) => format === one.format);
    const other = b.readings[j];
    return other ? [{ pair: [one, other] as const, rank: i + j }] : [];
  });
  const placeOf = ({ format }: Reading) => REGISTRY.findIndex(({ name }) => name === format);
  const [best] = pairs.toSorted((x, y) => x.rank - y.rank || placeOf(x.pair[0]) - placeOf(y.pair[0]));
  const [first, second] = [a.readings[0], b.readings[0]];
  const isUnlikely = (reading: Reading | undefined) => reading?.certainty === 'unlikely';
  // What both hardly are does not outweigh what one of them is.
  const isBetterApart = best?.pair.every(isUnlikely) && !(isUnlikely(first) && isUnlikely(second));
  if (best && !isBetterApart) return best.pair;
  return first && second && [first, second];
}

function makersOf(a: Reading, b: Reading): Pick<Comparison, 'maker' | 'makerNote'> {
  const unknown = { maker: 'unknown', makerNote: message('maker-unknown') } as const;
  if (!a.maker || !b.maker || a.format !== b.format) return unknown;
  const { field, text } = a.maker;
  if (text !== b.maker.text) {
    return {
      maker: 'different',
      makerNote: message('maker-different', { field, text, other: b.maker.text }),
    };
  }
  // A machine ID is leased to one client after another.
  if (a.format === 'kazahana-id') return { maker: 'unknown', makerNote: message('maker-slot', { text }) };
  return { maker: 'same', makerNote: message('maker-same', { field, text }) };
}

function bitsBetween(a: Reading, b: Reading): Pick<Comparison, 'differingBits' | 'equalFirstBits'> {
  if (a.bits === 0 || a.bits !== b.bits) return { differingBits: null, equalFirstBits: null };
  const difference = (a.value ^ b.value).toString(2).replace(/^0$/, '');
  return {
    differingBits: difference.replaceAll('0', '').length,
    equalFirstBits: a.bits - difference.length,
  };
}

/**
 * How two IDs stand to each other.
 *
 * ```ts
 * const [a, b] = ['01941f29-7c00-7aaa-aaaa-aaaaaaaaaaaa', '01941f29-7fe8-7aaa-aaaa-aaaaaaaaaaaa'];
 * compareIds(a, b, { now: 1800000000000 }).msBetween; // → 1000
 * ```
 */
export function compareIds(a: string, b: string, options: InspectOptions): Comparison {
  const [one, other] = [inspectId(a, options), inspectId(b, options)];
  const readings = pairOf(one, other);
  if (!readings) {
    return {
      a: one,
      b: other,
      readings,
      isSameFormat: false,
      order: null,
      msBetween: null,
      differingBits: null,
      equalFirstBits: null,
      maker: 'unknown',
      makerNote: message('maker-unknown'),
    };
  }
  const [first, second] = readings;
  const isSameFormat = first.format === second.format;
  const isOrdered = isSameFormat && first.bits > 0 && first.bits === second.bits;
  return {
    a: one,
    b: other,
    readings,
    isSameFormat,
    order: isOrdered ? (first.value < second.value ? -1 : first.value > second.value ? 1 : 0) : null,
    msBetween: first.time && second.time ? second.time.unixMs - first.time.unixMs : null,
    ...bitsBetween(first, second),
    ...makersOf(first, second),
  };
}
