// `kazahana uuid`: UUIDs, as many as are wanted, at the speed of the pipe.
import { generateV1, generateV4, generateV7, maxUuidV7At, minUuidV7At, UuidV7Generator } from 'kazahana/uuid';
import { showProgressOfWriting } from '../progress.js';
import { EXIT, type Terminal, UsageError } from '../terminal.js';
import { V7Lines } from '../v7-lines.js';
import { countOf, timeOf } from '../values.js';

export interface UuidFlags {
  readonly count: string;
  readonly upper?: boolean;
  readonly hyphens: boolean;
  readonly braces?: boolean;
  readonly urn?: boolean;
  readonly at?: string;
  readonly min?: string;
  readonly max?: string;
  readonly json?: boolean;
}

const GENERATORS = { v1: generateV1, v4: generateV4, v7: generateV7 } as const;
export type Version = keyof typeof GENERATORS;
/** Written at once: large enough for the pipe, small enough for the memory. */
const CHUNK = 2000;

function sourceOf(version: Version, count: number, { at, min, max }: UuidFlags): () => string {
  const times = [at, min, max].filter((time) => time !== undefined);
  if (times.length === 0) return GENERATORS[version];
  if (version !== 'v7') throw new UsageError('--at, --min and --max are for v7, which begins with its time');
  if (times.length > 1) throw new UsageError('take one of --at, --min and --max');
  if (at !== undefined) {
    const generator = new UuidV7Generator();
    const unixMs = checkedTime('--at', at);
    return () => generator.nextAt(unixMs);
  }
  if (count > 1) throw new UsageError('--min and --max give one UUID; --count has no place beside them');
  const bound =
    min === undefined ? maxUuidV7At(checkedTime('--max', max ?? '')) : minUuidV7At(checkedTime('--min', min));
  return () => bound;
}

function checkedTime(what: string, text: string): number {
  const unixMs = timeOf(what, text);
  if (unixMs < 0 || unixMs >= 2 ** 48)
    throw new UsageError(`${what}: a v7 holds the times from 1970 to 10889`);
  return unixMs;
}

/** How one is written; undefined when it is written as it comes. */
function writerOf({ upper, hyphens, braces, urn }: UuidFlags): ((uuid: string) => string) | undefined {
  if (braces && urn) throw new UsageError('take one of --braces and --urn');
  if (!upper && hyphens && !braces && !urn) return undefined;
  return (uuid) => {
    const bare = hyphens ? uuid : uuid.replaceAll('-', '');
    const cased = upper ? bare.toUpperCase() : bare;
    if (braces) return `{${cased}}`;
    return urn ? `urn:uuid:${cased}` : cased;
  };
}

/** Writes so many, a portion at a time. */
type WritePortion = (size: number) => Promise<void>;

function portionsOf(version: Version, count: number, flags: UuidFlags, terminal: Terminal) {
  const { at, min, max, json } = flags;
  const next = sourceOf(version, count, flags);
  const write = writerOf(flags);
  const isPlain = !write && !json && [at, min, max].every((time) => time === undefined);
  if (version === 'v7' && isPlain) {
    const lines = new V7Lines(Math.min(CHUNK, count));
    return ((size) => terminal.writeBytes(lines.next(size))) satisfies WritePortion;
  }
  const make = write ? () => write(next()) : next;
  const line = json ? () => `${JSON.stringify({ uuid: make(), version })}\n` : () => `${make()}\n`;
  return ((size) => {
    let text = '';
    for (let left = size; left > 0; left--) text += line();
    return terminal.write(text);
  }) satisfies WritePortion;
}

export async function uuid(version: Version, flags: UuidFlags, terminal: Terminal): Promise<number> {
  const count = countOf(flags.count);
  const writePortion = portionsOf(version, count, flags, terminal);
  const progress = showProgressOfWriting('UUIDs');
  for (let done = 0; done < count; done += CHUNK) {
    await writePortion(Math.min(CHUNK, count - done));
    progress.at(done, done / count);
  }
  progress.end();
  return EXIT.fine;
}
