// SQLite for the tests that drive every store: a file in a temporary folder.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { SqliteLeaseProvider } from '@kazahana/sqlite';
import type { PoolsOptions } from 'kazahana/lease';
import { type ConformanceSubject, virtualEnvironment } from 'kazahana/testing';
import { dataFolder } from '../services/process.ts';
import type { StartedStore, StoreUnderTest } from './store-under-test.ts';

export const sqlite: StoreUnderTest = {
  name: 'sqlite',

  async start(): Promise<StartedStore> {
    const folder = await dataFolder('sqlite');
    let files = 0;
    const open = (
      options: PoolsOptions,
      time?: ReturnType<typeof virtualEnvironment>,
    ): ConformanceSubject => {
      const path = join(folder, `case-${++files}.db`);
      const connect = (others: PoolsOptions) =>
        new SqliteLeaseProvider({ path, ...others, ...(time && { environment: time }) });
      const providers = [connect(options)];
      return {
        provider: providers[0] as SqliteLeaseProvider,
        ...(time && { now: time.now, advance: time.advance }),
        async reopen(others) {
          const provider = connect(others);
          providers.push(provider);
          return provider;
        },
        async dispose() {
          for (const provider of providers) await provider.close();
        },
      };
    };
    return {
      address: join(folder, 'shared.db'),
      subject: async (options) => open(options),
      virtualSubject: async (options) => open(options, virtualEnvironment()),
      stop: () => rm(folder, { recursive: true, force: true }),
    };
  },

  async connect(address, options) {
    const provider = new SqliteLeaseProvider({ path: address, ...options });
    return { provider, close: () => provider.close() };
  },
};
