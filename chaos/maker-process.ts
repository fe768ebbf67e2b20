// A process that makes IDs: it starts and stops the makers that its parent names.
import { setTimeout as sleep } from 'node:timers/promises';
import { HttpLeaseProvider, KazahanaClient, type KazahanaClientConfig } from 'kazahana';
import type { LeaseEngineOptions, LeaseProvider } from 'kazahana/lease';
import { openStore } from '../packages/cli/dist/serve/open-store.js';
import { Random } from '../simulation/world.ts';
import { type MakerRecord, openRecord, recorded } from './records.ts';

/** A client that makes some hundred IDs a second; or one client after another. */
export interface MakerOptions {
  readonly name: string;
  /** Where leases come from: a server, or the store itself. */
  readonly source: { readonly server: string; readonly token: string } | { readonly store: string };
  /** For the store itself. */
  readonly engine: Omit<LeaseEngineOptions, 'environment' | 'onLoss'>;
  readonly client: Omit<KazahanaClientConfig, 'provider'>;
  /** After so long, on average, a client gives way to the next one, some later; never when left out. */
  readonly staysMs?: number;
  readonly seed: number;
  readonly folder: string;
}

export type MakerCommand = { readonly start: MakerOptions } | { readonly stop: string };

const PAUSE_MS = { made: 10, refused: 500 };
const MAX_IDS_AT_ONCE = 5;

/** The code of an error, and that of its cause. */
function codesOf(error: unknown): string {
  const { code, message, cause } = error as Error & { code?: string; cause?: { code?: string } };
  return [code ?? message, cause?.code ?? []].flat().join(': ');
}

function whyOf(error: unknown): string {
  const { code, message, reason, cause } = error as Error & { code?: string; reason?: string };
  return [code ?? message, reason ?? (cause as Error | undefined)?.message ?? []].flat().join(': ');
}

async function make(
  provider: LeaseProvider,
  { name, client: config, seed, staysMs }: MakerOptions,
  { note, add }: MakerRecord,
  ended: AbortSignal,
): Promise<void> {
  const random = new Random(seed);
  for (let turn = 0; !ended.aborted; turn++) {
    const client = new KazahanaClient({
      ...config,
      provider: recorded(provider, note, `${name}.${turn}`),
      onWarning: (_message, { kind }) => note({ kind: 'warning', why: kind }),
    });
    client.on('acquireFailed', ({ error }) => note({ kind: 'failed', why: whyOf(error) }));
    client.on('releaseFailed', ({ error }) => note({ kind: 'failed', why: `release: ${whyOf(error)}` }));
    client.on('fallback', ({ kind }) => note({ kind: 'fallback', why: kind }));
    const staying = (random.chance(0.1) ? 20 : 1) * random.wait(staysMs ?? 0);
    const end = staysMs === undefined ? Number.POSITIVE_INFINITY : Date.now() + staying;
    do {
      const ids = random.integer(1, MAX_IDS_AT_ONCE);
      try {
        add(await client.nextIds(ids));
        await sleep(PAUSE_MS.made);
      } catch (error) {
        note({ kind: 'refused', ids, why: codesOf(error) });
        await sleep(PAUSE_MS.refused);
      }
    } while (!ended.aborted && Date.now() < end);
    await client.shutdown();
  }
}

const running = new Map<string, () => Promise<void>>();

async function start(options: MakerOptions): Promise<void> {
  const { name, source, engine, folder } = options;
  const record = openRecord(folder, name);
  const onLoss: LeaseEngineOptions['onLoss'] = ({ reason }) => record.note({ kind: 'loss', why: reason });
  const { store: provider, close } =
    'store' in source
      ? await openStore(source.store, { ...engine, onLoss }, () => {})
      : { store: new HttpLeaseProvider(source.server, { token: source.token }), close: async () => {} };
  const ended = new AbortController();
  const work = make(provider, options, record, ended.signal);
  running.set(name, async () => {
    running.delete(name);
    ended.abort();
    await work;
    await close();
  });
}

process.on('message', (command: MakerCommand) => {
  void ('start' in command ? start(command.start) : running.get(command.stop)?.());
});
// The parent has said all that it has to say.
process.on('disconnect', async () => {
  await Promise.all([...running.values()].map((stop) => stop()));
  process.exit(0);
});
