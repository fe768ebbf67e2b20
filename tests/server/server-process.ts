// A server over one of the stores under test, in a process of its own: `node server-process.ts <options as JSON>`.
import { resolveServerConfig, startServer } from '@kazahana/server';
import type { PoolsOptions } from 'kazahana/lease';
import { pino } from 'pino';
import { loadStore, type StoreName } from '../stores/store-under-test.ts';

export interface ServerProcessOptions {
  readonly store: StoreName;
  readonly address: string;
  readonly port: number;
  readonly services: NonNullable<PoolsOptions['services']>;
}

const { store: name, address, port, services } = JSON.parse(process.argv[2] ?? '') as ServerProcessOptions;
const { provider: store, close } = await (await loadStore(name)).connect(address, { services });
const config = { ...resolveServerConfig({ port: String(port) }, {}), services };
const log = pino({ level: 'info' });
const starting = startServer({ config, store, storeName: name, version: '0.0.0', log });
// At once: it serves clients before it has started in full, and a test may end it as soon as it does.
process.once('SIGTERM', async () => {
  await (await starting).stop();
  await close();
});
await starting;
