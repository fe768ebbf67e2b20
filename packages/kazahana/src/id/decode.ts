// Reading a kazahana ID, and the bounds of a time for range queries.
import { InvalidArgumentError } from '../errors.js';
import {
  type IdLayout,
  isFallbackMachine,
  type KazahanaId,
  kazahanaIdLayout,
  resolveIdLayout,
} from './layout.js';
import { checkTimestamp } from './timestamp.js';

export interface DecodedId {
  readonly timestamp: Date;
  readonly unixMs: number;
  readonly machineId: number;
  readonly sequence: number;
  /** Made without a valid lease: under the number of an expired one, or with a random suffix. */
  readonly fallback: boolean;
}

/**
 * The parts of an ID, under the layout of the pool that it was made for.
 *
 * ```ts
 * decodeId(4194309n).machineId; // → 0
 * ```
 */
export function decodeId(id: bigint, layout?: Partial<IdLayout>): DecodedId {
  const resolved = resolveIdLayout(layout);
  const { timestamp, machineId, sequence } = kazahanaIdLayout(layout).decode(id);
  const unixMs = resolved.customEpoch + Number(timestamp);
  return {
    timestamp: new Date(unixMs),
    unixMs,
    machineId: Number(machineId),
    sequence: Number(sequence),
    fallback: isFallbackMachine(Number(machineId), resolved),
  };
}

function toUnixMs(time: Date | number): number {
  const unixMs = time instanceof Date ? time.getTime() : time;
  if (!Number.isInteger(unixMs)) {
    throw new InvalidArgumentError('time', 'a valid Date or whole Unix milliseconds', time);
  }
  return unixMs;
}

function idAt(
  time: Date | number,
  layout: Partial<IdLayout> | undefined,
  suffix: 'lowest' | 'highest',
): KazahanaId {
  const { customEpoch, bitTs, bitId, bitSeq } = resolveIdLayout(layout);
  const unixMs = toUnixMs(time);
  checkTimestamp(unixMs, { customEpoch, bitTs });
  const ones = (bits: number) => (suffix === 'highest' ? 2 ** bits - 1 : 0);
  return kazahanaIdLayout(layout).encode({
    timestamp: unixMs - customEpoch,
    machineId: ones(bitId),
    sequence: ones(bitSeq),
  }) as KazahanaId;
}

/** The lowest ID that a millisecond can have: `id >= minIdAt(from)`. */
export function minIdAt(time: Date | number, layout?: Partial<IdLayout>): KazahanaId {
  return idAt(time, layout, 'lowest');
}

/** The highest ID that a millisecond can have: `id <= maxIdAt(to)`. */
export function maxIdAt(time: Date | number, layout?: Partial<IdLayout>): KazahanaId {
  return idAt(time, layout, 'highest');
}
