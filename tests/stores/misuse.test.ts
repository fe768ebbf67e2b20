// Options that no store knows: refused before a connection is used, with what to write instead.
import { EtcdLeaseProvider } from '@kazahana/etcd';
import { PostgresLeaseProvider } from '@kazahana/postgres';
import { RedisLeaseProvider } from '@kazahana/redis';
import { SqliteLeaseProvider } from '@kazahana/sqlite';
import { describe, expect, it } from 'vitest';

const SERVICE = { serviceId: 'orders', leaseDuration: 60_000, customEpoch: 0, bitId: 14 };
const UNTOUCHED = {} as never;

const STORES: Readonly<Record<string, (options: object) => unknown>> = {
  SqliteLeaseProvider: (options) => new SqliteLeaseProvider({ path: '/nowhere/x.db', ...options }),
  RedisLeaseProvider: (options) => new RedisLeaseProvider(UNTOUCHED, options),
  PostgresLeaseProvider: (options) => new PostgresLeaseProvider(UNTOUCHED, options),
  EtcdLeaseProvider: (options) => new EtcdLeaseProvider({ endpoints: ['http://127.0.0.1:1'], ...options }),
};

const MISUSES: readonly [title: string, options: object, message: string][] = [
  [
    'a service in the place of options',
    SERVICE,
    'serviceId belongs to a service: services: { "orders": { leaseDuration, customEpoch, bitId } })',
  ],
  [
    'a setting of a service',
    { leaseDuration: 1000 },
    'leaseDuration belongs to a service: services: { default: { leaseDuration } }), got "leaseDuration"',
  ],
  ['a misspelt option of every store', { enviroment: {} }, '(did you mean environment?), got "enviroment"'],
  ['services as a list', { services: [] }, ''],
];

for (const [name, open] of Object.entries(STORES)) {
  describe(name, () => {
    for (const [title, options, message] of MISUSES) {
      it(`refuses ${title}`, () => {
        expect(() => open(options)).toThrow(expect.objectContaining({ code: 'INVALID_ARGUMENT' }));
        expect(() => open(options)).toThrow(message);
      });
    }
  });
}

describe('the own options of a store', () => {
  for (const [name, options, meant] of [
    ['SqliteLeaseProvider', { busyTimeoutMs: 5 }, 'busyTimeout'],
    ['RedisLeaseProvider', { prefx: 'a' }, 'prefix'],
    ['RedisLeaseProvider', { waitReplicas: { replicas: 1, timeout: 5 } }, 'timeoutMs'],
    ['PostgresLeaseProvider', { shema: 'a' }, 'schema'],
    ['EtcdLeaseProvider', { user: 'a' }, 'username'],
  ] as const) {
    it(`are known to ${name}: ${meant}`, () =>
      expect(() => STORES[name]?.(options)).toThrow(`(did you mean ${meant}?)`));
  }
});
