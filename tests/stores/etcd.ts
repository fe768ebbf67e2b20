// etcd for the tests that drive every store: a prefix of its own for every case.
import { EtcdLeaseProvider } from '@kazahana/etcd';
import type { PoolsOptions } from 'kazahana/lease';
import { type ConformanceSubject, virtualEnvironment } from 'kazahana/testing';
import { etcdUrl, startEtcd } from '../services/etcd.ts';
import type { StartedStore, StoreUnderTest } from './store-under-test.ts';

export const etcd: StoreUnderTest = {
  name: 'etcd',

  async start(): Promise<StartedStore> {
    const server = await startEtcd();
    const address = etcdUrl(server);
    let cases = 0;
    const open = (
      options: PoolsOptions,
      time?: ReturnType<typeof virtualEnvironment>,
    ): ConformanceSubject => {
      const prefix = `/case-${++cases}/`;
      const connect = (others: PoolsOptions) =>
        new EtcdLeaseProvider({
          endpoints: [address],
          prefix,
          ...others,
          ...(time && { environment: time }),
        });
      const providers = [connect(options)];
      return {
        provider: providers[0] as EtcdLeaseProvider,
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
      address,
      subject: async (options) => open(options),
      virtualSubject: async (options) => open(options, virtualEnvironment()),
      stop: () => server.dispose(),
    };
  },

  async connect(address, options) {
    const provider = new EtcdLeaseProvider({ endpoints: [address], ...options });
    return { provider, close: () => provider.close() };
  },
};
