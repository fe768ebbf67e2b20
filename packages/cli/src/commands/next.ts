// `kazahana next`: 64-bit IDs, from this machine alone, from a lease server, or from a store.
import { KazahanaClient, LeaseAcquisitionError } from 'kazahana';
import { createExternalIdCodec } from 'kazahana/external';
import { type ExternalOptionFlags, externalOptionsOf } from '../external-options.js';
import { leaseSourceOf, openSource, type SourceFlags } from '../lease-source.js';
import { showProgressOfWriting } from '../progress.js';
import { catchInterruption, EXIT, type Terminal } from '../terminal.js';
import { countOf } from '../values.js';

export interface NextFlags extends SourceFlags, ExternalOptionFlags {
  readonly count: string;
  readonly service?: string;
  readonly external?: boolean;
  readonly json?: boolean;
}

const CHUNK = 1000;
/** More than one lease of the default layout gives, so that many IDs take few milliseconds. */
const THROUGHPUT_PER_MS = 256;

/** How an ID is written. */
async function writerOf(flags: NextFlags): Promise<(id: bigint) => string> {
  if (!flags.external) return flags.json ? (id) => JSON.stringify({ id: String(id) }) : String;
  const { toExternalId } = createExternalIdCodec(await externalOptionsOf(flags));
  return flags.json
    ? (id) => JSON.stringify({ id: String(id), external: toExternalId(id) })
    : (id) => toExternalId(id);
}

export async function next(flags: NextFlags, terminal: Terminal): Promise<number> {
  const count = countOf(flags.count);
  const write = await writerOf(flags);
  const source = await leaseSourceOf(flags);
  const interruption = catchInterruption();
  const { signal } = interruption;
  const opened = source && (await openSource(source, undefined, 'auto'));
  const client = new KazahanaClient({
    maxThroughputPerMs: THROUGHPUT_PER_MS,
    ...(flags.service !== undefined && { serviceId: flags.service }),
    // A user who names a source wants its leases, not an ID at any price; why there is none is the error's to say.
    ...(opened && { provider: opened.provider, disableFallback: true, onWarning: () => {} }),
  });
  const progress = showProgressOfWriting('IDs');
  try {
    for (let done = 0; done < count; done += CHUNK) {
      const ids = await client.nextIds(Math.min(CHUNK, count - done), { signal });
      await terminal.write(`${ids.map(write).join('\n')}\n`, signal);
      progress.at(done, done / count);
    }
    return EXIT.fine;
  } catch (error) {
    if (signal.aborted) return interruption.code;
    // The provider's error says more: the client's says only that there was no lease.
    throw error instanceof LeaseAcquisitionError ? error.cause : error;
  } finally {
    progress.end();
    // The leases go back, however this ends.
    await client.shutdown();
    await opened?.close();
    // Not after what a reader has not taken: it may never do so.
    if (signal.aborted) process.exit(interruption.code);
  }
}
