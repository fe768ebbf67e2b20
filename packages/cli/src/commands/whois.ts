// `kazahana whois`: which service, host and process made an ID, as far as its slot remembers.
import type { IdMaker, WhoisResult } from 'kazahana/lease';
import { inputs } from '../inputs.js';
import type { SourceFlags } from '../lease-source.js';
import { openPool } from '../pool-access.js';
import { EXIT, type Terminal } from '../terminal.js';
import { quoted, visible } from '../visible.js';

export interface WhoisFlags extends SourceFlags {
  readonly pool?: string;
  readonly json?: boolean;
}

/** Exits with 1 when no slot remembers an ID. */
export async function whois(args: readonly string[], flags: WhoisFlags, terminal: Terminal): Promise<number> {
  const { provider, close } = await openPool(flags, flags.pool);
  let code: number = EXIT.fine;
  let isFirst = true;
  try {
    for await (const { text } of inputs(args, 'IDs')) {
      const id = readId(text.trim());
      if (id === undefined) {
        code = EXIT.invalid;
        await complain(text, flags, terminal);
        continue;
      }
      const result = await provider.whois(id, flags.pool);
      if (!result.maker) code = EXIT.invalid;
      if (flags.json) await terminal.json({ id, ...result });
      else {
        const several = args.length === 1 && args[0] !== '-' ? [] : [`ID         ${id}`];
        const lines = [...several, ...describe(result)];
        await terminal.line((isFirst ? lines : ['', ...lines]).join('\n'));
      }
      isFirst = false;
    }
    return code;
  } finally {
    await close();
  }
}

const MAX_ID = 2n ** 64n - 1n;

function readId(text: string): bigint | undefined {
  return /^\d{1,20}$/.test(text) && BigInt(text) <= MAX_ID ? BigInt(text) : undefined;
}

async function complain(input: string, flags: WhoisFlags, terminal: Terminal): Promise<void> {
  const message = `an ID has decimal digits and is at most ${MAX_ID}, got ${quoted(input)}`;
  if (flags.json) await terminal.json({ input, error: { code: 'OUT_OF_RANGE', message } });
  else terminal.say(`kazahana whois: ${message}`);
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
