// The layout of a pool's IDs, as people name it on a command line.
import { type IdLayout, LIB_DEFAULT_EPOCH } from 'kazahana';
import { type PresetName, presets } from 'kazahana/inspect';
import { UsageError } from './terminal.js';
import { timeOf, wholeNumber } from './values.js';

const PRESET_NAMES = Object.keys(presets()) as PresetName[];

/** An epoch by the name of who uses it, or as a time. */
function epochOf(text: string): number {
  const name = PRESET_NAMES.find((candidate) => candidate === text.toLowerCase());
  return name ? presets()[name].epoch : timeOf('--epoch', text);
}

export interface LayoutFlags {
  readonly epoch?: string;
  /** The four widths, `1,41,14,8`. */
  readonly bits?: string;
}

/** The layout of a pool's IDs, as the flags say. */
export function layoutOf({ epoch, bits }: LayoutFlags): Partial<IdLayout> {
  const customEpoch = epoch === undefined ? LIB_DEFAULT_EPOCH : epochOf(epoch);
  if (bits === undefined) return { customEpoch };
  const widths = bits.split(',').map((width) => wholeNumber('a width of --bits', width, 1, 52));
  const [bitReserve, bitTs, bitId, bitSeq] = widths;
  if (
    widths.length !== 4 ||
    bitReserve === undefined ||
    bitTs === undefined ||
    bitId === undefined ||
    bitSeq === undefined
  ) {
    throw new UsageError('--bits must be four widths: reserve,timestamp,machine,sequence, as in 1,41,14,8');
  }
  return { customEpoch, bitReserve, bitTs, bitId, bitSeq };
}
