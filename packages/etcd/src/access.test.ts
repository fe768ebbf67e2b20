// The ways into etcd: which endpoint, with which password, with which certificate; and what is said when there is none.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, describe, expect, it } from 'vitest';
import { etcdUrl, requirePassword, startEtcd, startEtcdWithTls } from '../../../tests/services/etcd.ts';
import { freePort } from '../../../tests/services/process.ts';
import { EtcdLeaseProvider, type EtcdLeaseProviderOptions } from './index.js';

const server = await startEtcd();
afterAll(() => server.dispose());

/** One acquire with these options. */
async function acquire(options: EtcdLeaseProviderOptions): Promise<number> {
  const provider = new EtcdLeaseProvider(options);
  try {
    return (await provider.acquire({})).leases.length;
  } finally {
    await provider.close();
  }
}

describe('endpoints', () => {
  it('that are dead are passed over', async () => {
    const dead = `http://127.0.0.1:${await freePort()}`;
    expect(await acquire({ endpoints: [dead, etcdUrl(server)] })).toBe(1);
  });

  it('that are all dead are named in the error', async () => {
    const dead = `http://127.0.0.1:${await freePort()}`;
    const refused = acquire({ endpoints: [dead], requestTimeout: 200 });
    await expect(refused).rejects.toMatchObject({ name: 'StoreError', code: 'STORE_UNAVAILABLE' });
    await expect(refused).rejects.toThrow(dead);
  });

  it('that are something else are no etcd', async () => {
    const other = createServer((_, outgoing) => outgoing.writeHead(404).end('nothing here'));
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
    await expect(acquire({ endpoints: [url] })).rejects.toMatchObject({ code: 'STORE_INCOMPATIBLE' });
    other.close();
  });
});

describe('a signal', () => {
  it('that was given already sends nothing', async () => {
    let requests = 0;
    const counting = createServer(() => requests++);
    await new Promise<void>((resolve) => counting.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(counting.address() as AddressInfo).port}`;
    const provider = new EtcdLeaseProvider({ endpoints: [url] });
    const reason = new Error('no longer wanted');
    await expect(provider.acquire({}, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    await provider.close();
    expect(requests).toBe(0);
    counting.close();
  });

  it('ends a call that waits for etcd', async () => {
    const silent = createServer(() => {});
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    // What was begun goes on without the caller; `close` waits for its end.
    const provider = new EtcdLeaseProvider({ endpoints: [url], requestTimeout: 100 });
    const stop = new AbortController();
    const call = provider.acquire({}, { signal: stop.signal });
    const reason = new Error('no longer wanted');
    stop.abort(reason);
    await expect(call).rejects.toBe(reason);
    await provider.close();
    silent.closeAllConnections();
    silent.close();
  });
});

describe('a provider that was closed', () => {
  it('says so', async () => {
    const provider = new EtcdLeaseProvider({ endpoints: [etcdUrl(server)] });
    await provider.close();
    await expect(provider.acquire({})).rejects.toMatchObject({ code: 'STORE_CLOSED' });
  });
});

describe('user name and password', () => {
  const user = { name: 'kazahana', password: 'correct horse', prefix: '/kazahana/' };
  const { name: username, password } = user;

  it('open a locked etcd for the keys of the prefix, and nothing else does', async () => {
    const locked = await startEtcd();
    await requirePassword(locked, user);
    const endpoints = [etcdUrl(locked)];
    const provider = new EtcdLeaseProvider({ endpoints, username, password });
    await provider.acquire({});

    const refusals = [
      ['no password', {}, 'wants a user name'],
      ['a wrong one', { username, password: 'wrong battery' }, 'refuses this user name and password'],
      ['another prefix', { username, password, prefix: '/other/' }, 'may not read and write'],
    ] as const;
    for (const [what, options, message] of refusals) {
      const error: unknown = await acquire({ endpoints, ...options }).catch((reason: unknown) => reason);
      expect(error, what).toMatchObject({ name: 'StoreError', code: 'STORE_REFUSED' });
      expect(String(error), what).toContain(message);
      expect(JSON.stringify(error) + String(error), what).not.toMatch(/horse|battery/);
    }

    // The member forgets all tokens; a password gets another one.
    await locked.stop();
    await locked.start();
    await provider.acquire({});
    await provider.close();
    await locked.dispose();
  });

  it('do no harm where etcd asks for none', async () => {
    expect(await acquire({ endpoints: [etcdUrl(server)], username, password })).toBe(1);
  });
});

describe('TLS', () => {
  it('works with a certificate of our own, and not without', async () => {
    const { service, certificates } = await startEtcdWithTls();
    const { ca } = certificates;
    const endpoints = [etcdUrl(service, 'https')];
    expect(await acquire({ endpoints, tls: certificates })).toBe(1);
    for (const tls of [{ ca }, {}]) {
      const refused = acquire({ endpoints, tls, requestTimeout: 200 });
      await expect(refused).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    }
    await service.dispose();
  });
});

describe('options that cannot work are refused:', () => {
  const endpoints = ['http://127.0.0.1:2379'];
  const rows: [what: string, options: unknown][] = [
    ['no endpoints', {}],
    ['an empty list of endpoints', { endpoints: [] }],
    ['an endpoint that is no URL', { endpoints: ['127.0.0.1'] }],
    ['an endpoint with a path', { endpoints: ['http://127.0.0.1:2379/v3'] }],
    ['an endpoint with a password', { endpoints: ['http://root:secret@127.0.0.1:2379'] }],
    ['another protocol', { endpoints: ['unix:/run/etcd'] }],
    ['a prefix without a slash at its end', { endpoints, prefix: '/kazahana' }],
    ['an empty prefix', { endpoints, prefix: '' }],
    ['a user name alone', { endpoints, username: 'a' }],
    ['a password alone', { endpoints, password: 'secret' }],
    ['a certificate without its key', { endpoints, tls: { cert: 'x' } }],
    ['a part of tls that does not exist', { endpoints, tls: { passphrase: 'secret' } }],
    ['no time at all', { endpoints, requestTimeout: 0 }],
    ['half a millisecond', { endpoints, requestTimeout: 0.5 }],
    ['warnings to what is no function', { endpoints, onWarning: 'me' }],
  ];
  for (const [what, options] of rows) {
    it(what, () => {
      let error: unknown;
      try {
        new EtcdLeaseProvider(options as EtcdLeaseProviderOptions);
      } catch (thrown) {
        error = thrown;
      }
      expect(error).toMatchObject({ code: expect.stringMatching(/INVALID_ARGUMENT|OUT_OF_RANGE/) });
      expect(String(error)).not.toContain('secret');
    });
  }
});
