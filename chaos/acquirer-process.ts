// A process that acquires and releases without end, so that its parent can kill it in the middle of that.
import { HttpLeaseProvider } from 'kazahana';
import { type LeaseEngineOptions, type LeaseProvider, signRelease } from 'kazahana/lease';
import { openStore } from '../packages/cli/dist/serve/open-store.js';
import { switchOff } from './controls/switch-off.ts';
import { openRecord, recorded } from './records.ts';

export interface AcquirerOptions {
  readonly name: string;
  readonly source: { readonly server: string; readonly token: string } | { readonly store: string };
  readonly engine: Omit<LeaseEngineOptions, 'environment' | 'onLoss'>;
  readonly folder: string;
}

await switchOff();
process.once('message', async ({ name, source, engine, folder }: AcquirerOptions) => {
  const { note, begin } = openRecord(folder, name);
  begin(name);
  const real: LeaseProvider =
    'store' in source
      ? (await openStore(source.store, engine, () => {})).store
      : new HttpLeaseProvider(source.server, { token: source.token });
  const provider = recorded(real, note, name);
  process.send?.('ready');
  for (;;) {
    note({ kind: 'acquiring' });
    const { leases } = await provider.acquire({}).catch(() => ({ leases: [] }));
    note({ kind: 'acquired' });
    for (const { id, secret, created } of leases)
      await provider
        .release({ id, timestamp: created, signature: signRelease(secret, id, created) })
        .catch(() => {});
  }
});
process.on('disconnect', () => process.exit(0));
