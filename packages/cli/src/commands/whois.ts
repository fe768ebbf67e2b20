// `kazahana whois`: which service, host and process made an ID, as far as its slot remembers.
import type { IdMaker, WhoisResult } from 'kazahana/lease';
import type { SourceFlags } from '../lease-source.js';
import { openPool } from '../pool-access.js';
import { EXIT, type Terminal, UsageError } from '../terminal.js';
import { visible } from '../text-width.js';

export interface WhoisFlags extends SourceFlags {
  readonly pool?: string;
  readonly json?: boolean;
}

const MAX_ID = 2n ** 64n - 1n;

function readId(text: string): bigint {
  if (/^\d{1,20}$/.test(text) && BigInt(text) <= MAX_ID) return BigInt(text);
  throw new UsageError(
    `an ID has decimal digits and is at most ${MAX_ID}, got ${JSON.stringify(text.slice(0, 40))}`,
  );
}

/** Exits with 1 when no slot remembers the ID. */
export async function whois(text: string, flags: WhoisFlags, terminal: Terminal): Promise<number> {
  const id = readId(text);
  const { provider, close } = await openPool(flags, flags.pool);
  try {
    const result = await provider.whois(id, flags.pool);
    if (flags.json) await terminal.json({ id: String(id), ...result });
    else for (const line of describe(result)) await terminal.line(line);
    return result.maker ? EXIT.fine : EXIT.invalid;
  } finally {
    await close();
  }
}

function describe(result: WhoisResult): string[] {
  const { unixMs, machineId, sequence, isFallback, maker } = result;
  const kind = isFallback ? 'fallback' : 'leased';
  return [
    `made       ${new Date(unixMs).toISOString()} (${kind}, machine ID ${machineId}, sequence ${sequence})`,
    ...(maker ? describeMaker(maker, isFallback) : [unknownMaker(isFallback)]),
  ];
}

function describeMaker({ serviceId, holder, created, end }: IdMaker, isFallback: boolean): string[] {
  const fields = Object.entries(holder).map(
    ([name, value]) => `${visible(name).padEnd(10)} ${visible(value)}`,
  );
  const window = `${new Date(created).toISOString()} to ${new Date(end).toISOString()}`;
  return [
    `service    ${visible(serviceId)}`,
    ...fields,
    `held       ${window}`,
    ...(isFallback ? ['unless     it is a random ID, which has no maker on record'] : []),
  ];
}

function unknownMaker(isFallback: boolean): string {
  const random = isFallback ? ', or the ID is a random one, which has no maker on record' : '';
  return `maker      not known any more${random}`;
}
