// The conformance suite of all stores, through HTTP: the calls of clients and of operators.
import { HttpLeaseProvider, MemoryDriver, MemoryLeaseProvider } from 'kazahana';
import { LeaseEngine, type PoolsOptions } from 'kazahana/lease';
import { leaseProviderConformance, virtualEnvironment } from 'kazahana/testing';
import { pino } from 'pino';
import { describe, it } from 'vitest';
import { createLeaseApp, type LeaseApp } from './app.js';
import { resolveServerConfig } from './config.js';
import { startServer } from './server.js';

describe('memory behind the app conforms:', () => {
  const cases = leaseProviderConformance(async (options) => {
    const environment = virtualEnvironment();
    const { now, advance } = environment;
    const driver = new MemoryDriver({ environment });
    const apps: LeaseApp[] = [];
    const open = async (config: PoolsOptions) => {
      const store = new LeaseEngine(driver, { ...config, environment });
      const app = createLeaseApp({ store, environment, ...config });
      apps.push(app);
      const fetch = async (url: string, init: RequestInit) => app.fetch(new Request(url, init));
      return new HttpLeaseProvider('http://localhost', { fetch, environment });
    };
    const dispose = async () => {
      for (const app of apps) await app.close();
    };
    return { provider: await open(options), now, advance, reopen: open, isRemote: true, dispose };
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
