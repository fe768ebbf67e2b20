// The layout of 64-bit IDs, as people name it on a command line.
import type { IdLayout } from 'kazahana';
import { type PresetName, presets } from 'kazahana/inspect';
import { UsageError } from './terminal.js';
import { timeOf, wholeNumber } from './values.js';
import { quoted } from './visible.js';

const PRESET_NAMES = Object.keys(presets()) as PresetName[];

export interface LayoutFlags {
  readonly epoch?: string;
  /** The four widths, `1,41,14,8`. */
  readonly bits?: string;
}

export interface ChosenLayout {
  /** The kind of 64-bit ID that the flags speak of: one that others make with bits of their own, or a pool's. */
  readonly preset: PresetName;
  /** The layout of a pool's IDs. */
  readonly pool: Partial<IdLayout>;
}

/** What the flags say; undefined when they say nothing. */
export function chosenLayout({ epoch, bits }: LayoutFlags): ChosenLayout | undefined {
  if (epoch === undefined && bits === undefined) return undefined;
  const preset = PRESET_NAMES.find((name) => name === epoch?.toLowerCase());
  if (preset !== undefined && bits === undefined) return { preset, pool: {} };
  const customEpoch =
    epoch === undefined
      ? {}
      : { customEpoch: preset === undefined ? epochOf(epoch) : presets()[preset].epoch };
  const pool = { ...customEpoch, ...(bits !== undefined && widthsOf(bits)) };
  // Refused here, where the flags are at hand.
  presets(pool);
  return { preset: 'kazahana', pool };
}

function epochOf(text: string): number {
  try {
    return timeOf('--epoch', text);
  } catch {
    throw new UsageError(
      `--epoch must be one of ${PRESET_NAMES.join(', ')}, or a time like 2026-01-01T00:00:00Z; got ${quoted(text)}`,
    );
  }
}

function widthsOf(bits: string): Partial<IdLayout> {
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
  return { bitReserve, bitTs, bitId, bitSeq };
}
