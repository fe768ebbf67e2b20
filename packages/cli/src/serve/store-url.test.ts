import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hasPassword, maskStoreUrl } from './store-url.js';

describe('the URL of a store, for people to read', () => {
  it.each([
    ['postgres://user:hush@db/leases', 'postgres://…@db/leases'],
    ['redis://:hush@db:6379/0', 'redis://…@db:6379/0'],
    ['redis://:s3cr#et@127.0.0.1:19999', 'redis://…@127.0.0.1:19999'],
    ['redis://:s3cr?et@127.0.0.1:19999', 'redis://…@127.0.0.1:19999'],
    ['redis://:s3cr/et@127.0.0.1:19999', 'redis://…@127.0.0.1:19999'],
    ['etcd://root:s3cr#et@a:1,b:2/prefix', 'etcd://…@a:1,b:2/prefix'],
    ['postgres://user:hu:sh@ hush@db/leases', 'postgres://…@db/leases'],
    ['redis+sentinel://user:hush@a:1,b:2/master', 'redis+sentinel://…@a:1,b:2/master'],
    ['redis+cluster://u:hush@a:1,u:hush@b:2', 'redis+cluster://…@b:2'],
    ['postgres://db/leases?user=a&password=hush&x=1', 'postgres://db/leases?user=a&password=…&x=…'],
    ['postgres://db/leases?pass%77ord=hush', 'postgres://db/leases?…=…'],
    ['postgres://db/leases?sslpassword=hush#hush', 'postgres://db/leases?sslpassword=…#…'],
    ['redis://user:hush', 'redis://…'],
    ['redis:user:hush@db', 'redis:…@db'],
    ['redis://[::1]:6379/0', 'redis://[::1]:6379/0'],
    ['hush', '…'],
    ['', '…'],
  ])('has no password: %s', (url, shown) => {
    expect(maskStoreUrl(url)).toBe(shown);
  });

  it.each(['sqlite:./kazahana.db', 'memory:', 'redis://db:6379/0?prefix=a&waitReplicas=1', 'etcd://a:1,b:2'])(
    'is itself when there is nothing to hide: %s',
    (url) => {
      expect(maskStoreUrl(url)).toBe(url);
    },
  );

  const scheme = fc.constantFrom('redis', 'rediss', 'redis+sentinel', 'redis+cluster', 'postgres', 'etcd');
  const hosts = fc.array(fc.constantFrom('db', 'a.example:1', '127.0.0.1:6379', '[::1]:2379'), {
    minLength: 1,
    maxLength: 3,
  });
  const end = fc.constantFrom('', '/0', '/leases?schema=s', '?prefix=p');
  const secret = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: fc.constantFrom('#', '?', '/', '@', ':', '%', '&', '=', 'a', '\n') }),
    fc.string().map(encodeURIComponent),
  );

  it('does not depend on user and password, whatever these are', () => {
    fc.assert(
      fc.property(scheme, hosts, end, secret, secret, (kind, names, rest, user, password) => {
        const place = `${names.join(',')}${rest}`;
        expect(maskStoreUrl(`${kind}://${user}:${password}@${place}`)).toBe(`${kind}://…@${place}`);
      }),
    );
  });

  it('shows no setting that it does not know', () => {
    fc.assert(
      fc.property(scheme, secret, secret, (kind, name, value) => {
        fc.pre(
          !/[&#]/.test(name + value) &&
            value.length > 3 &&
            !name.includes('=') &&
            !`${name}${value}`.includes('@'),
        );
        fc.pre(!['schema', 'prefix', 'user', 'tls', 'ca', 'cert', 'key'].includes(name));
        const shown = maskStoreUrl(`${kind}://db?${name}=${value}`);
        expect(shown.slice(`${kind}://db?`.length)).not.toContain(value);
      }),
    );
  });
});

describe('a password in a URL is noticed', () => {
  it.each([
    ['redis://:hush@db', true],
    ['postgres://user:hush@db/leases', true],
    ['redis://:s3cr/et@db', true],
    ['postgres://db/leases?password=hush', true],
    ['postgres://db/leases?pass%77ord=hush', true],
    ['postgres://user@db/leases', false],
    ['redis://db:6379/0?x=1', false],
    ['sqlite:./a:b@c.db', false],
    ['memory:', false],
  ])('%s: %s', (url, expected) => {
    expect(hasPassword(url)).toBe(expected);
  });
});
