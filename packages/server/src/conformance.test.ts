// The measure of all stores, through HTTP: nothing is lost on the way there and back.
import { HttpLeaseProvider, MemoryLeaseProvider } from 'kazahana';
import { leaseProviderConformance, virtualEnvironment } from 'kazahana/testing';
import { pino } from 'pino';
import { describe, it } from 'vitest';
import { createLeaseApp } from './app.js';
import { resolveServerConfig } from './config.js';
import { startServer } from './server.js';

describe('memory behind the app conforms:', () => {
  const cases = leaseProviderConformance(async (options) => {
    const environment = virtualEnvironment();
    const { now, advance } = environment;
    const store = new MemoryLeaseProvider({ ...options, environment });
    const app = createLeaseApp({ store, environment, ...options });
    const fetch = async (url: string, init: RequestInit) => app.fetch(new Request(url, init));
    const provider = new HttpLeaseProvider('http://localhost', { fetch, environment });
    const dispose = () => app.close();
    return { provider, now, advance, isRemote: true, dispose };
  });
  for (const { name, run } of cases) it(name, run);
});

describe('memory behind a socket conforms:', () => {
  const cases = leaseProviderConformance(async (options) => {
    const { now, advance, ...rest } = virtualEnvironment();
    const store = new MemoryLeaseProvider({ ...options, environment: { now, ...rest } });
    const config = { ...resolveServerConfig({ port: '0' }, {}), ...options };
    const log = pino({ level: 'silent' });
    const server = await startServer({ config, store, storeName: 'memory', version: '0.0.0', log });
    const dispose = () => server.stop();
    return { provider: new HttpLeaseProvider(server.url), now, advance, isRemote: true, dispose };
  });
  // Some send thousands of requests.
  for (const { name, run } of cases) it(name, run, 60_000);
});
