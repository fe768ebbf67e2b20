import { describe, expect, it } from 'vitest';
import { DEFAULT_ID_LAYOUT } from '../id/layout.js';
import { DEFAULT_LEASE_DURATION, type PoolsOptions, resolvePools } from './config.js';

describe('a service', () => {
  const pools = resolvePools({
    services: {
      default: { leaseDuration: 1000 },
      orders: { leaseDuration: 2000, fallbackGrace: 0, pool: 'own', serviceId: 'orders' },
      mails: {},
    },
  });
  const rows: [serviceId: string | undefined, pool: string, leaseDuration: number, fallbackGrace: number][] =
    [
      [undefined, 'default', 1000, 1000],
      ['default', 'default', 1000, 1000],
      ['orders', 'own', 2000, 0],
      ['mails', 'default', DEFAULT_LEASE_DURATION, DEFAULT_LEASE_DURATION],
      ['one that is not configured', 'default', 1000, 1000],
      // Names that objects have of themselves.
      ['constructor', 'default', 1000, 1000],
      ['__proto__', 'default', 1000, 1000],
    ];
  for (const [serviceId, pool, leaseDuration, fallbackGrace] of rows) {
    it(`${serviceId ?? 'without a name'} draws from ${pool}, for ${leaseDuration} + ${fallbackGrace} ms`, () => {
      expect(pools.service(serviceId)).toMatchObject({
        serviceId: serviceId ?? 'default',
        pool,
        leaseDuration,
        fallbackGrace,
      });
    });
  }

  it('has ten minutes when nothing is configured at all', () => {
    expect(resolvePools().service()).toMatchObject({ pool: 'default', leaseDuration: 600_000 });
  });

  for (const name of ['', 5, null, 'x'.repeat(201)]) {
    it(`cannot be called ${JSON.stringify(name).slice(0, 10)}`, () => {
      expect(() => pools.service(name as string)).toThrow(
        'serviceId must be a string of 1 to 200 characters',
      );
    });
  }
});

describe('a pool', () => {
  it('has the layout that its services and its own entry state, and defaults beyond', () => {
    const pools = resolvePools({
      services: { a: { bitId: 12, pool: 'p' }, b: { bitSeq: 10, pool: 'p' } },
      pools: { p: { customEpoch: 5 }, empty: {} },
    });
    expect(pools.pool('p')).toMatchObject({
      layout: { ...DEFAULT_ID_LAYOUT, customEpoch: 5, bitId: 12, bitSeq: 10 },
      stated: { customEpoch: 5, bitId: 12, bitSeq: 10 },
    });
    expect(pools.pool('default')).toMatchObject({ layout: DEFAULT_ID_LAYOUT, stated: {} });
    expect(pools.pool('empty').layout).toEqual(DEFAULT_ID_LAYOUT);
  });

  it('knows the longest window of its services, unconfigured ones included', () => {
    const pools = resolvePools({
      services: {
        default: { leaseDuration: 100 },
        a: { leaseDuration: 30, pool: 'p' },
        b: { leaseDuration: 40, fallbackGrace: 500, pool: 'p' },
        c: { leaseDuration: 9000, pool: 'q' },
      },
    });
    expect(['default', 'p', 'q'].map((name) => pools.pool(name).maxWindow)).toEqual([200, 540, 18_000]);
  });

  it('has the share that its entry states, and all of the machine IDs otherwise', () => {
    const pools = resolvePools({ pools: { eu: { bitId: 4, bitSeq: 18, share: { index: 7, of: 8 } } } });
    const { share, stated, layout } = pools.pool('eu');
    expect(share).toEqual({ index: 7, of: 8 });
    expect(stated).toEqual({ bitId: 4, bitSeq: 18, share: { index: 7, of: 8 } });
    expect(layout).not.toHaveProperty('share');
    expect(pools.pool('default')).toMatchObject({ share: { index: 0, of: 1 }, stated: {} });
  });

  it('must be configured', () => {
    expect(() => resolvePools().pool('p')).toThrow('pool must be one of default, got "p"');
  });
});

describe('a configuration is refused when', () => {
  const rows: [title: string, options: unknown, message: string][] = [
    [
      'two services of a pool differ',
      { services: { a: { bitId: 12, bitSeq: 10 }, b: { bitId: 14, bitSeq: 8 } } },
      'bitId (services.b) is 12 for this pool and cannot be 14',
    ],
    [
      'a service and its pool differ',
      { services: { a: { customEpoch: 1 } }, pools: { default: { customEpoch: 2 } } },
      'customEpoch (services.a) is 2 for this pool and cannot be 1',
    ],
    [
      'a layout does not sum up',
      { services: { a: { bitId: 13 } } },
      'must be an integer from 64 to 64, got 63',
    ],
    ['a pool has an unknown part', { pools: { p: { bitID: 13 } } }, 'a part of layout must be one of'],
    [
      'a setting is misspelt',
      { services: { a: { leaseduration: 5 } } },
      'an option of services.a must be one of',
    ],
    ['a service is no object', { services: { a: 5 } }, 'services.a must be an object, got 5'],
    ['a service is null', { services: { a: null } }, 'services.a must be an object, got null'],
    [
      'a service has two names',
      { services: { a: { serviceId: 'b' } } },
      'services.a.serviceId must be "a", got "b"',
    ],
    ['a lease lasts no time', { services: { a: { leaseDuration: 0 } } }, 'services.a.leaseDuration must be'],
    [
      'a lease lasts for ever',
      { services: { a: { leaseDuration: 2 ** 40 } } },
      'services.a.leaseDuration must be',
    ],
    ['a duration is a text', { services: { a: { leaseDuration: '5' } } }, 'from 1 to 2592000000, got "5"'],
    ['a grace is negative', { services: { a: { fallbackGrace: -1 } } }, 'services.a.fallbackGrace must be'],
    ...[3, 0, 0.5, -2, '2', undefined].map((of): [string, unknown, string] => [
      `a share is one of ${of} parts`,
      { pools: { p: { share: { index: 0, of } } } },
      'pools.p.share.of must be a power of two from 1 to 8192',
    ]),
    [
      'a share is less than a slot',
      { pools: { p: { bitId: 4, bitSeq: 18, share: { index: 0, of: 16 } } } },
      'pools.p.share.of must be a power of two from 1 to 8, got 16',
    ],
    ...[2, -1, 0.5, '0', undefined].map((index): [string, unknown, string] => [
      `a share is number ${index} of 2`,
      { pools: { p: { share: { index, of: 2 } } } },
      'pools.p.share.index must be an integer from 0 to 1',
    ]),
    ['a share is null', { pools: { p: { share: null } } }, 'pools.p.share.of must be a power of two'],
    [
      'a share is of a service',
      { services: { a: { share: { index: 0, of: 2 } } } },
      'an option of services.a',
    ],
    ['a pool has no name', { services: { a: { pool: '' } } }, 'services.a.pool must be a string'],
    ['a service has no name', { services: { '': {} } }, 'a service must be a string'],
    ['an entry of a pool has no name', { pools: { '': {} } }, 'a pool must be a string'],
  ];
  for (const [title, options, message] of rows) {
    it(title, () => expect(() => resolvePools(options as PoolsOptions)).toThrow(message));
  }
});

describe('quotas', () => {
  it('are infinite when they are left out', () => {
    const { maxLeases, maxLeasesPerRequest } = resolvePools().service();
    expect([maxLeases, maxLeasesPerRequest]).toEqual([Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]);
  });

  it('of the default service hold for each service that is not configured', () => {
    const pools = resolvePools({ services: { default: { maxLeases: 3 }, orders: {} } });
    expect(pools.service('mails').maxLeases).toBe(3);
    expect(pools.service('orders').maxLeases).toBe(Number.POSITIVE_INFINITY);
  });

  for (const limit of [0, -1, 1.5, '3', Number.POSITIVE_INFINITY]) {
    it(`cannot be ${JSON.stringify(limit)}`, () => {
      const services = { default: { maxLeases: limit } };
      expect(() => resolvePools({ services } as PoolsOptions)).toThrow('services.default.maxLeases');
    });
  }
});
