// The two readings of a fallback ID, which its bits do not tell apart (rule R5): fenced, under the machine ID of a lease that
// could not be renewed; or random, with no lease at all.
import type { Reading } from 'kazahana/inspect';

export interface FallbackReadings {
  readonly fenced: { readonly machineId: number; readonly sequence: number };
  /** All that follows the bit of the fallback half. */
  readonly random: { readonly bits: number; readonly value: number };
}

export function fallbackReadings({ fields }: Pick<Reading, 'fields'>): FallbackReadings {
  const field = (name: string) => {
    const { value = 0, bits = 0 } = fields.find((candidate) => candidate.name === name) ?? {};
    return { value: Number(value), bits };
  };
  const machine = field('machineId');
  const sequence = field('sequence');
  const machineId = machine.value - 2 ** (machine.bits - 1);
  return {
    fenced: { machineId, sequence: sequence.value },
    random: {
      bits: machine.bits - 1 + sequence.bits,
      value: machineId * 2 ** sequence.bits + sequence.value,
    },
  };
}
