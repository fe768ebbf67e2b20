// What the box holds: nothing, one ID with its readings, two to compare, many for the batch, or text that is no ID, with
// every fault at its character.
import { diagnoseId, findIds, type OldReading as Reading, readId } from 'kazahana/inspect';
import { validateUuid } from 'kazahana/uuid';
import { safeFix } from './safe-fix.js';

export interface Fault {
  readonly code: string;
  /** Where, in the shown text; undefined when it is the text as a whole. */
  readonly position?: number;
}

export type Inspection =
  | { readonly kind: 'empty' }
  | { readonly kind: 'id'; readonly text: string; readonly readings: readonly Reading[] }
  | { readonly kind: 'pair'; readonly readings: readonly [Reading, Reading] }
  | { readonly kind: 'many'; readonly text: string; readonly first: readonly Reading[] }
  | {
      readonly kind: 'broken';
      readonly text: string;
      readonly faults: readonly Fault[];
      readonly fix: string | undefined;
    };

/** No single ID is longer; what is, is looked through for IDs. */
const LONGEST_ID = 100;

function faultsOf(text: string): readonly Fault[] {
  const diagnosis = diagnoseId(text);
  const faults = diagnosis.kind === 'uuid' ? validateUuid(text).errors : [diagnosis];
  return faults.map(({ code, position }) => ({ code, ...(position !== undefined && { position }) }));
}

/** At most three: more than two is many, however many there are. */
function firstIds(text: string): string[] {
  const found: string[] = [];
  for (const { text: id } of findIds(text)) {
    found.push(id);
    if (found.length > 2) break;
  }
  return found;
}

export function inspect(input: string, now: number): Inspection {
  const text = input.trim();
  if (text === '') return { kind: 'empty' };
  if (text.length <= LONGEST_ID) {
    const readings = readId(text, { now });
    if (readings.length > 0) return { kind: 'id', text, readings };
  }
  const found = firstIds(text).map((id) => readId(id, { now }));
  const [first = [], second = []] = found;
  // A single ID within other characters is more likely one that was copied with too much around it: say what is wrong.
  const isOneToken = !/\s/.test(text);
  if (found.length === 2 && first[0] && second[0]) return { kind: 'pair', readings: [first[0], second[0]] };
  if (found.length > 2) return { kind: 'many', text, first };
  if (found.length === 1 && first[0] && !isOneToken)
    return { kind: 'id', text: first[0].text, readings: first };
  return { kind: 'broken', text, faults: faultsOf(text), fix: safeFix(text) };
}

/** How two IDs stand to each other: −1, 0 or 1, or null when they are of different kinds. */
export function orderOf(a: Reading, b: Reading): -1 | 0 | 1 | null {
  if (a.bits !== b.bits || a.title !== b.title) return null;
  if (a.value === b.value) return 0;
  return a.value < b.value ? -1 : 1;
}
