// `kazahana next`: 64-bit IDs, from this machine alone, from a lease server, or from a store.
import { HttpLeaseProvider, KazahanaClient, LeaseAcquisitionError } from 'kazahana';
import { createExternalIdCodec } from 'kazahana/external';
import type { LeaseProvider } from 'kazahana/lease';
import { exitCodeOf } from '../failures.js';
import { EXIT, type Terminal, UsageError } from '../terminal.js';
import { wholeNumber } from '../values.js';

export interface NextFlags {
  readonly count: string;
  readonly url?: string;
  readonly store?: string;
  readonly service?: string;
  readonly public?: boolean;
  readonly json?: boolean;
}

const CHUNK = 1000;
/** More than one lease of the default layout gives, so that many IDs take few milliseconds. */
const THROUGHPUT_PER_MS = 256;

interface Source {
  readonly provider?: LeaseProvider;
  close(): Promise<void>;
}

async function openSource({ url, store }: NextFlags): Promise<Source> {
  const close = async () => {};
  if (url !== undefined && store !== undefined) throw new UsageError('take one of --url and --store');
  if (url !== undefined) {
    const { KAZAHANA_TOKEN } = process.env;
    return { provider: new HttpLeaseProvider(url, KAZAHANA_TOKEN ? { token: KAZAHANA_TOKEN } : {}), close };
  }
  if (store === undefined) return { close };
  const { openStore } = await import('../serve/open-store.js');
  const opened = await openStore(store, {}, (message) => process.stderr.write(`${message}\n`));
  return { provider: opened.store, close: () => opened.close() };
}

export async function next(flags: NextFlags, terminal: Terminal): Promise<number> {
  const count = wholeNumber('--count', flags.count, 1, Number.MAX_SAFE_INTEGER);
  const source = await openSource(flags);
  const { toExternalId } = createExternalIdCodec({});
  const client = new KazahanaClient({
    maxThroughputPerMs: THROUGHPUT_PER_MS,
    ...(flags.service !== undefined && { serviceId: flags.service }),
    // Who names a server wants its leases, not an ID at any price.
    ...(source.provider && { provider: source.provider, disableFallback: true }),
  });
  try {
    for (let left = count; left > 0; left -= CHUNK) {
      const ids = await client.nextIds(Math.min(CHUNK, left));
      const lines = ids.map((id) => {
        const text = flags.public ? toExternalId(id) : String(id);
        return flags.json
          ? JSON.stringify(flags.public ? { id: String(id), public: text } : { id: text })
          : text;
      });
      await terminal.write(`${lines.join('\n')}\n`);
    }
    return EXIT.fine;
  } catch (error) {
    const cause = error instanceof LeaseAcquisitionError ? error.cause : error;
    terminal.say(`kazahana next: ${cause instanceof Error ? cause.message : String(cause)}`);
    return exitCodeOf(cause);
  } finally {
    await client.shutdown();
    await source.close();
  }
}
