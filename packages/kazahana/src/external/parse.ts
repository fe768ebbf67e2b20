// Which IDs can exist: no generator has made one with a later time. A made-up text rarely passes, and none that a
// signed 64-bit column could not hold.
import { defaultEnvironment } from '../environment.js';
import { maxIdAt } from '../id/decode.js';
import { type IdLayout, resolveIdLayout } from '../id/layout.js';
import { checkOptions } from '../options.js';

export interface ParseOptions {
  /** The layout of the pool that the IDs come from; the default layout when it is left out. */
  readonly layout?: Partial<IdLayout>;
  /** The latest time that an ID may carry, as a `Date` or in Unix milliseconds; a minute from now when it is left out. */
  readonly notAfter?: Date | number;
}

/** Clocks differ: an ID that another machine has just made may lie a little in the future of this one. */
const CLOCK_DIFFERENCE_MS = 60_000;

const OPTION_NAMES = { layout: true, notAfter: true } satisfies Record<keyof ParseOptions, true>;

/** The highest ID that a generator can have made; below 0 where the time is before the epoch of the layout. */
export function highestId(options: ParseOptions = {}): bigint {
  const { layout, notAfter } = checkOptions('parse', options, OPTION_NAMES);
  const { customEpoch, bitTs } = resolveIdLayout(layout);
  const time = notAfter ?? defaultEnvironment.now() + CLOCK_DIFFERENCE_MS;
  // What is no time at all fails both comparisons, and `maxIdAt` refuses it.
  if (Number(time) < customEpoch) return -1n;
  const lastTime = customEpoch + 2 ** bitTs - 1;
  return maxIdAt(Number(time) > lastTime ? lastTime : time, layout);
}
