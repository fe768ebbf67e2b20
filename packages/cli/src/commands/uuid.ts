// `kazahana uuid`: UUIDs, as many as are wanted, at the speed of the pipe.
import { formatUuid, generateV1, generateV4, generateV7, UuidV7Generator } from 'kazahana/uuid';
import { EXIT, type Terminal, UsageError } from '../terminal.js';
import { timeOf, wholeNumber } from '../values.js';

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

const GENERATORS: Readonly<Record<string, () => string>> = { v1: generateV1, v4: generateV4, v7: generateV7 };
/** Written at once: large enough for the pipe, small enough for the memory. */
const CHUNK = 2000;

async function sourceOf(version: string, { at, min, max }: UuidFlags): Promise<() => string> {
  const generate = Object.hasOwn(GENERATORS, version) ? GENERATORS[version] : undefined;
  if (!generate) throw new UsageError(`the version must be v1, v4 or v7, got ${JSON.stringify(version)}`);
  const times = [at, min, max].filter((time) => time !== undefined);
  if (times.length === 0) return generate;
  if (version !== 'v7') throw new UsageError('--at, --min and --max are for v7, which begins with its time');
  if (times.length > 1) throw new UsageError('take one of --at, --min and --max');
  if (at !== undefined) {
    const generator = new UuidV7Generator();
    const unixMs = checkedTime('--at', at);
    return () => generator.nextAt(unixMs);
  }
  const bound = await boundOf(
    min === undefined ? 'highest' : 'lowest',
    checkedTime('--min or --max', min ?? max ?? ''),
  );
  return () => bound;
}

function checkedTime(what: string, text: string): number {
  const unixMs = timeOf(what, text);
  if (unixMs < 0 || unixMs >= 2 ** 48)
    throw new UsageError(`${what}: a v7 holds the times from 1970 to 10889`);
  return unixMs;
}

/** The lowest or the highest v7 of a millisecond, for range queries. */
async function boundOf(which: 'lowest' | 'highest', unixMs: number): Promise<string> {
  // Only here: a plain UUID should not wait for it.
  const { uuidV7Layout } = await import('kazahana/layout');
  const ones = which === 'highest';
  const value = uuidV7Layout.encode({
    unixMs,
    version: 7,
    counter: ones ? 0xfff : 0,
    random: ones ? 2n ** 62n - 1n : 0n,
  });
  return formatUuid(Buffer.from(value.toString(16).padStart(32, '0'), 'hex'));
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

export async function uuid(version: string, flags: UuidFlags, terminal: Terminal): Promise<number> {
  const count = wholeNumber('--count', flags.count, 1, Number.MAX_SAFE_INTEGER);
  const next = await sourceOf(version, flags);
  const write = writerOf(flags);
  const make = write ? () => write(next()) : next;
  for (let left = count; left > 0; left -= CHUNK) {
    const size = Math.min(CHUNK, left);
    let text = '';
    for (let i = 0; i < size; i++)
      text += flags.json ? `${JSON.stringify({ uuid: make(), version })}\n` : `${make()}\n`;
    await terminal.write(text);
  }
  return EXIT.fine;
}
