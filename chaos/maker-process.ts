// A process that makes IDs: it starts and stops the makers that its parent names.
import { setTimeout as sleep } from 'node:timers/promises';
import { HttpLeaseProvider, KazahanaClient, type KazahanaClientConfig, MintingClient } from 'kazahana';
import type { LeaseEngineOptions, LeaseProvider } from 'kazahana/lease';
import { openStore } from '../packages/cli/dist/serve/open-store.js';
import { Random } from '../simulation/world.ts';
import { type SourceRules, sourceRules } from './controls/source-rules.ts';
import { providerWithout, switchOff } from './controls/switch-off.ts';
import { type MakerRecord, openRecord, recorded } from './records.ts';
import { type Batch, mintingTaker, takerOf, type Way } from './ways.ts';

/** A client that makes some hundred IDs a second; or one client after another. */
export interface MakerOptions {
  readonly name: string;
  /** Where leases come from: a server, or the store itself; or IDs from `POST /ids`, for a service. */
  readonly source:
    | { readonly server: string; readonly token: string; readonly mints?: string }
    | { readonly store: string }
    | { readonly sourceRules: SourceRules };
  /** For the store itself. */
  readonly engine: Omit<LeaseEngineOptions, 'environment' | 'onLoss'>;
  readonly client: Omit<KazahanaClientConfig, 'provider'>;
  /** `nextIds` when left out. */
  readonly way?: Way;
  /** At most so many IDs at once; 5 when left out. */
  readonly atOnce?: number;
  /** So long it waits after each; 10 when left out. */
  readonly pauseMs?: number;
  /** After so long, on average, a client gives way to the next one, some later; never when left out. */
  readonly staysMs?: number;
  readonly seed: number;
  readonly folder: string;
}

export type MakerCommand = { readonly start: MakerOptions } | { readonly stop: string };

const PAUSE_MS = { made: 10, refused: 500 };

/** The code of an error, and that of its cause. */
function codesOf(error: unknown): string {
  const { code, message, cause } = error as Error & { code?: string; cause?: { code?: string } };
  return [code ?? message, cause?.code ?? []].flat().join(': ');
}

function whyOf(error: unknown): string {
  const { code, message, reason, cause } = error as Error & { code?: string; reason?: string };
  return [code ?? message, reason ?? (cause as Error | undefined)?.message ?? []].flat().join(': ');
}

interface IdSource {
  take(count: number): Promise<Batch>;
  end(): Promise<void>;
}

function newClient(
  provider: LeaseProvider,
  { client: config, way = 'nextIds' }: MakerOptions,
  { note }: MakerRecord,
  holder: string,
): IdSource {
  const client = new KazahanaClient({
    ...config,
    provider: providerWithout(recorded(provider, note, holder)),
    onWarning: (_message, { kind }) => note({ kind: 'warning', why: kind }),
  });
  client.on('acquireFailed', ({ error }) => note({ kind: 'failed', why: whyOf(error) }));
  client.on('releaseFailed', ({ error }) => note({ kind: 'failed', why: `release: ${whyOf(error)}` }));
  client.on('fallback', ({ kind }) => note({ kind: 'fallback', why: kind }));
  return { take: takerOf(client, way), end: () => client.shutdown() };
}

async function make(
  newSource: (holder: string) => IdSource,
  { name, seed, staysMs, atOnce = 5, pauseMs = PAUSE_MS.made }: MakerOptions,
  { note, begin, add, end: endRecord }: MakerRecord,
  ended: AbortSignal,
): Promise<void> {
  const random = new Random(seed);
  for (let turn = 0; !ended.aborted; turn++) {
    const holder = `${name}.${turn}`;
    begin(holder);
    const source = newSource(holder);
    const staying = (random.chance(0.1) ? 20 : 1) * random.wait(staysMs ?? 0);
    const end = staysMs === undefined ? Number.POSITIVE_INFINITY : performance.now() + staying;
    do {
      const wanted = random.integer(1, atOnce);
      const { ids, error } = await source
        .take(wanted)
        .catch((reason: unknown) => ({ ids: [], error: reason }));
      if (ids.length > 0) add(ids);
      if (error !== undefined) note({ kind: 'refused', ids: wanted - ids.length, why: codesOf(error) });
      await sleep(error === undefined ? pauseMs : PAUSE_MS.refused);
    } while (!ended.aborted && performance.now() < end);
    await source.end();
  }
  endRecord();
}

const running = new Map<string, () => Promise<void>>();

async function start(options: MakerOptions): Promise<void> {
  const { name, source, engine, folder } = options;
  const record = openRecord(folder, name);
  const ended = new AbortController();
  const begin = (newSource: (holder: string) => IdSource, close = async () => {}) => {
    const work = make(newSource, options, record, ended.signal);
    running.set(name, async () => {
      running.delete(name);
      ended.abort();
      await work;
      await close();
    });
  };
  if ('store' in source) {
    const onLoss: LeaseEngineOptions['onLoss'] = ({ reason }) => record.note({ kind: 'loss', why: reason });
    const { store: provider, close } = await openStore(source.store, { ...engine, onLoss }, () => {});
    begin((holder) => newClient(provider, options, record, holder), close);
    return;
  }
  if ('sourceRules' in source) {
    const { provider, close } = await sourceRules(source.sourceRules);
    begin((holder) => newClient(provider, options, record, holder), close);
    return;
  }
  const { server, token, mints: serviceId } = source;
  if (serviceId !== undefined) {
    const end = async () => {};
    begin(() => ({ take: mintingTaker(new MintingClient(server, { token, serviceId })), end }));
    return;
  }
  const provider = new HttpLeaseProvider(server, { token });
  begin((holder) => newClient(provider, options, record, holder));
}

await switchOff();
process.on('message', (command: MakerCommand) => {
  void ('start' in command ? start(command.start) : running.get(command.stop)?.());
});
// The parent has said all that it has to say.
process.on('disconnect', async () => {
  await Promise.all([...running.values()].map((stop) => stop()));
  process.exit(0);
});
