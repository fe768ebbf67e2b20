// When IDs were made and whether by fallback, for millions of IDs without taking each apart in full; where the fields
// stand, the layouts say. A test holds the results equal to `decodeId`.
import { presets } from 'kazahana/inspect';
import { uuidV7Layout } from 'kazahana/layout';
import type { ChosenLayout } from '../layout-flags.js';
import type { Words } from './read-id.js';

export interface IdTimes {
  /** The time in a 64-bit ID. */
  unixMsOf(words: Words): number;
  isFallback(words: Words): boolean;
}

interface Place {
  readonly offset: number;
  readonly bits: number;
}

const ID_BITS = 64;
const WORD_BITS = 32;

/** How many bits follow a field. */
const below = ({ offset, bits }: Place) => ID_BITS - offset - bits;

export function idTimesOf(chosen: ChosenLayout | undefined): IdTimes {
  const { epoch, layout } = presets(chosen?.pool)[chosen?.preset ?? 'kazahana'];
  const fields = layout.describe(0n);
  const place = (name: string): Place | undefined => fields.find((field) => field.name === name);
  // Every layout begins with its time and has at least two bits and at most 31 below it.
  const suffix = below(place('timestamp') ?? { offset: 0, bits: ID_BITS });
  const scale = 2 ** (WORD_BITS - suffix);
  const machine = place('machineId');
  const fallbackBit = machine ? below(machine) + machine.bits - 1 : undefined;
  return {
    unixMsOf: (words) => epoch + (words[0] ?? 0) * scale + ((words[1] ?? 0) >>> suffix),
    isFallback: (words) => fallbackBit !== undefined && (((words[1] ?? 0) >>> fallbackBit) & 1) === 1,
  };
}

const placeInV7 = (name: string): Place =>
  uuidV7Layout.fields.find((field) => field.name === name) ?? { offset: 0, bits: 0 };
const V7_VERSION = below(placeInV7('version'));
const V7_TIME = below(placeInV7('unixMs'));

/** The time in a UUID; undefined unless it is a v7. */
export function v7TimeOf(words: Words): number | undefined {
  const second = words[1] ?? 0;
  if (((second >>> V7_VERSION) & 0xf) !== 7) return undefined;
  return (words[0] ?? 0) * 2 ** (WORD_BITS - V7_TIME) + (second >>> V7_TIME);
}
