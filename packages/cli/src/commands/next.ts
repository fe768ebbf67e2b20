// `kazahana next`: 64-bit IDs, from this machine alone, from a lease server, or from a store.
import { HttpLeaseProvider, KazahanaClient, LeaseAcquisitionError } from 'kazahana';
import { createExternalIdCodec } from 'kazahana/external';
import { LeaseError, type LeaseProvider } from 'kazahana/lease';
import { noServerAt } from '../http-inspector.js';
import { leaseSourceOf, openStoreAt, type SourceFlags } from '../lease-source.js';
import { showProgressOfWriting } from '../progress.js';
import { readSecret, type SecretFlags } from '../secret.js';
import { EXIT, type Terminal } from '../terminal.js';
import { countOf } from '../values.js';

export interface NextFlags extends SourceFlags, SecretFlags {
  readonly count: string;
  readonly service?: string;
  readonly public?: boolean;
  readonly json?: boolean;
}

const CHUNK = 1000;
/** More than one lease of the default layout gives, so that many IDs take few milliseconds. */
const THROUGHPUT_PER_MS = 256;

interface Opened {
  readonly provider?: LeaseProvider;
  /** Where the server should be. */
  readonly url?: string;
  close(): Promise<void>;
}

async function openSource(flags: NextFlags): Promise<Opened> {
  const source = await leaseSourceOf(flags);
  const close = async () => {};
  if (!source) return { close };
  if (source.kind === 'server') {
    const { url, token } = source;
    return { provider: new HttpLeaseProvider(url, token === undefined ? {} : { token }), url, close };
  }
  const opened = await openStoreAt(source.url, undefined, 'auto');
  return { provider: opened.store, close: () => opened.close() };
}

/** How an ID is written. */
async function writerOf(flags: NextFlags): Promise<(id: bigint) => string> {
  if (!flags.public) return flags.json ? (id) => JSON.stringify({ id: String(id) }) : String;
  const secret = await readSecret(flags);
  const { toExternalId } = createExternalIdCodec(secret === undefined ? {} : { secret });
  return flags.json
    ? (id) => JSON.stringify({ id: String(id), public: toExternalId(id) })
    : (id) => toExternalId(id);
}

/** Why there was no lease; the client says only that there was none, and its provider not where it looked. */
function reasonOf(error: unknown, { url }: Opened): unknown {
  const reason = error instanceof LeaseAcquisitionError ? error.cause : error;
  const isAway = reason instanceof LeaseError && reason.code === 'UNREACHABLE';
  return isAway && url !== undefined ? noServerAt(url, reason) : reason;
}

export async function next(flags: NextFlags, terminal: Terminal): Promise<number> {
  const count = countOf(flags.count);
  const write = await writerOf(flags);
  const source = await openSource(flags);
  const client = new KazahanaClient({
    maxThroughputPerMs: THROUGHPUT_PER_MS,
    ...(flags.service !== undefined && { serviceId: flags.service }),
    // Who names a server wants its leases, not an ID at any price.
    ...(source.provider && { provider: source.provider, disableFallback: true }),
  });
  const progress = showProgressOfWriting('IDs');
  try {
    for (let done = 0; done < count; done += CHUNK) {
      const ids = await client.nextIds(Math.min(CHUNK, count - done));
      await terminal.write(`${ids.map(write).join('\n')}\n`);
      progress.at(done, done / count);
    }
    return EXIT.fine;
  } catch (error) {
    throw reasonOf(error, source);
  } finally {
    progress.end();
    await client.shutdown();
    await source.close();
  }
}
