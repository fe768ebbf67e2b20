// When each fault begins and how long it lasts: a pure function of the seed. Faults of one lane come one after another, with time
// to recover in between; the lanes run side by side.
import { Random } from '../../simulation/world.ts';

/** What may happen in a lane. */
export interface Lane {
  readonly name: string;
  /** Mean time between the end of one fault and the beginning of the next. */
  readonly gapMs: number;
  readonly faults: readonly LaneFault[];
}

export interface LaneFault {
  readonly name: string;
  /** How long it lasts, at least and at most. */
  readonly lastsMs: readonly [min: number, max: number];
}

export interface ScheduledFault {
  readonly at: number;
  readonly lane: string;
  readonly name: string;
  readonly lastsMs: number;
  /** From 0 to 1: whom it hits, and how hard. */
  readonly chances: readonly [number, number, number];
}

/** No gap is longer than this many times the mean, or a short run would see nothing. */
const LONGEST_GAP = 2;

export function schedule(seed: number, lengthMs: number, lanes: readonly Lane[]): ScheduledFault[] {
  const all = lanes.flatMap(({ name: lane, gapMs, faults }) => {
    // By its name, so that the faults of a lane do not depend on which others there are.
    const random = new Random(seed ^ hashOf(lane));
    const scheduled: ScheduledFault[] = [];
    let coming: LaneFault[] = [];
    for (let at = gapMs * random.next(); faults.length > 0; ) {
      // Each once before any comes again.
      if (coming.length === 0) coming = shuffled(faults, random);
      const { name, lastsMs: range } = coming.pop() as LaneFault;
      const lastsMs = random.integer(...range);
      if (at + lastsMs > lengthMs) break;
      const chances = [random.next(), random.next(), random.next()] as const;
      scheduled.push({ at: Math.round(at), lane, name, lastsMs, chances });
      at += lastsMs + Math.min(LONGEST_GAP * gapMs, random.wait(gapMs));
    }
    return scheduled;
  });
  return all.sort((a, b) => a.at - b.at);
}

function shuffled<Item>(items: readonly Item[], random: Random): Item[] {
  return items
    .map((item) => [random.next(), item] as const)
    .sort(([a], [b]) => a - b)
    .map(([, item]) => item);
}

/** FNV-1a. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const letter of text) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 0x01000193);
  return hash >>> 0;
}
