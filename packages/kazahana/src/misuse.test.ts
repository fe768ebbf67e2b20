// What programs get wrong, and what they are told: the class of the error, its code, and a message that names the cure.
import { describe, expect, it } from 'vitest';
import {
  createExternalIdCodec,
  decodeId,
  HttpLeaseProvider,
  InvalidArgumentError,
  idToBytes,
  isKazahanaError,
  KazahanaClient,
  MemoryDriver,
  MemoryLeaseProvider,
  minIdAt,
  TimestampOverflowError,
  toExternalId,
} from './index.js';
import { checkOptions, closestName, LeaseEngine, virtualEnvironment } from './lease/index.js';

const MANY = { signal: undefined };
const URL_OF_SERVER = 'http://127.0.0.1:7420';

type Misuse = readonly [title: string, use: () => unknown, message: string];

/** Calls that are not what their types say. */
const client = (config: unknown) => new KazahanaClient(config as never);
const memory = (options: unknown) => new MemoryLeaseProvider(options as never);
const http = (options: unknown) => new HttpLeaseProvider(URL_OF_SERVER, options as never);

const UNKNOWN_OPTIONS: readonly Misuse[] = [
  [
    'a setting of a service given to a provider',
    () => memory({ leaseDuration: 1000 }),
    'leaseDuration belongs to a service: services: { default: { leaseDuration } }), got "leaseDuration"',
  ],
  [
    'a whole service given to a provider',
    () => memory({ serviceId: 'orders', leaseDuration: 1000, bitId: 14 }),
    'serviceId belongs to a service: services: { "orders": { leaseDuration, bitId } }), got "serviceId"',
  ],
  ['services as a list', () => memory({ services: [] }), 'services must be an object, got "an array"'],
  ['pools as a list', () => memory({ pools: [] }), 'pools must be an object, got "an array"'],
  [
    'one service without its s',
    () => memory({ service: {} }),
    'an option of MemoryLeaseProvider must be one of services, pools, environment, lossKey, createPools, ' +
      'afterFailOver, serviceShare, onLoss (did you mean services?), got "service"',
  ],
  [
    'an engine with an unknown option',
    () => new LeaseEngine(new MemoryDriver(), { onloss: () => {} } as never),
    '(did you mean onLoss?)',
  ],
  [
    'createPools that is no word',
    () => memory({ createPools: false }),
    "createPools must be 'auto' or 'never'",
  ],
  [
    'afterFailOver that is no word',
    () => memory({ afterFailOver: 'Trust' }),
    "afterFailOver must be 'quarantine' or 'trust', got \"Trust\"",
  ],
  ['onLoss that is no function', () => memory({ onLoss: 'log' }), 'onLoss must be a function, got "log"'],
  ['a key that is no text', () => memory({ lossKey: 5 }), 'lossKey must be a string'],
  [
    'a time limit by another name',
    () => http({ timeoutMs: 1 }),
    'an option of HttpLeaseProvider must be one of token, timeout, releaseMethod, fetch, environment ' +
      '(did you mean timeout?), got "timeoutMs"',
  ],
  ['a fetch that is no function', () => http({ fetch: 'node-fetch' }), 'fetch must be a function'],
  [
    'a token in the place of options',
    () => http('a token that is a secret'),
    'the options of HttpLeaseProvider must be an object, got "a string"',
  ],
  ['a client without a clock', () => client({ environment: null }), 'environment must be an object with now'],
  ['a store without a clock', () => memory({ environment: {} }), 'environment must be an object with now'],
  [
    'a word where a client takes true or false',
    () => client({ disableFallback: true, disableRandomFallback: 'x' }),
    'disableRandomFallback must be true or false, got "x"',
  ],
  [
    'a text where a client takes a listener',
    () => client({ onWarning: 'log' }),
    'onWarning must be a function, got "log"',
  ],
  [
    'a monotonic clock that is none',
    () => client({ environment: { ...virtualEnvironment(), monotonic: 5 } }),
    'environment must be an object with now',
  ],
  [
    'a misspelt setting of a client',
    () => client({ disableFalback: true }),
    '(did you mean disableFallback?)',
  ],
  ['null for a client', () => client(null), 'the options of KazahanaClient must be an object, got null'],
  [
    'an event that does not exist',
    () => client({}).on('fallbak' as never, () => {}),
    'an event of KazahanaClient must be one of lease, release, releaseFailed, acquireFailed, fallback, ' +
      'clockBackward, clockCorrected (did you mean fallback?), got "fallbak"',
  ],
  [
    'a listener that is no function',
    () => client({}).on('fallback', 'log' as never),
    'listener must be a function, got "log"',
  ],
  [
    'a misspelt option of a codec',
    () => createExternalIdCodec({ secert: 'x' } as never),
    '(did you mean secret?)',
  ],
  ['a misspelt part of a layout', () => decodeId(1n, { bitSeqs: 5 } as never), '(did you mean bitSeq?)'],
  [
    'a misspelt option of the virtual environment',
    () => virtualEnvironment({ sed: 5 } as never),
    'an option of virtualEnvironment must be one of at, seed (did you mean seed?), got "sed"',
  ],
];

describe('unknown options', () => {
  for (const [title, use, message] of UNKNOWN_OPTIONS) {
    it(`${title} is refused`, () => {
      expect(use).toThrow(InvalidArgumentError);
      expect(use).toThrow(expect.objectContaining({ code: 'INVALID_ARGUMENT' }));
      expect(use).toThrow(message);
    });
  }

  it('that nextId does not know reject, and so does a signal that is none', async () => {
    const made = client({});
    const calls = [
      [() => made.nextId({ signal: 5 } as never), 'signal must be an AbortSignal, got 5'],
      [() => made.nextIds(2, { signal: {} } as never), 'signal must be an AbortSignal, got an object'],
      [
        () => made.nextId({ timeout: 5 } as never),
        'an option of nextId must be one of signal, got "timeout"',
      ],
    ] as const;
    for (const [call, message] of calls) {
      const error = await call().catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(InvalidArgumentError);
      expect((error as Error).message).toBe(message);
    }
    expect(typeof (await made.nextId(MANY as never))).toBe('bigint');
  });

  it('of a known name may be undefined', () => {
    expect(() => memory({ services: undefined, pools: undefined, environment: undefined })).not.toThrow();
    expect(() => http({ token: undefined, timeout: undefined, fetch: undefined })).not.toThrow();
    expect(() => client({ provider: undefined, environment: undefined, bitTs: undefined })).not.toThrow();
    expect(toExternalId(1n, { algorithm: undefined } as never)).toBe(toExternalId(1n));
  });
});

describe('the closest name', () => {
  const names = ['token', 'timeout', 'maxThroughputPerMs'];

  for (const [given, closest] of [
    ['Token', 'token'],
    ['tokne', 'token'],
    ['timeoutMs', 'timeout'],
    ['timeOut', 'timeout'],
    ['maxThroughput', 'maxThroughputPerMs'],
    ['colour', undefined],
    ['', undefined],
    ['t', undefined],
    ['x'.repeat(100_000), undefined],
  ] as const) {
    it(`to "${given.slice(0, 20)}" is ${closest}`, () => expect(closestName(given, names)).toBe(closest));
  }

  it('is told by what stores check their options with', () => {
    const check = () => checkOptions('MyStore', { pth: 'x' }, { path: true });
    expect(check).toThrow('an option of MyStore must be one of path (did you mean path?), got "pth"');
    // What an object inherits is no known name.
    expect(() => checkOptions('MyStore', { toString: 1 }, { path: true })).toThrow('got "toString"');
  });
});

describe('an ID that is no bigint', () => {
  const uses: Readonly<Record<string, (id: never) => unknown>> = {
    toExternalId: (id) => toExternalId(id),
    'a client': (id) => client({}).toExternalId(id),
    idToBytes: (id) => idToBytes(id),
    decodeId: (id) => decodeId(id),
  };
  const TEXT = '115744530178769152';

  for (const [name, use] of Object.entries(uses)) {
    it(`is told so by ${name}, with the cure`, () => {
      expect(() => use(TEXT as never)).toThrow(InvalidArgumentError);
      expect(() => use(TEXT as never)).toThrow(`must be a bigint (write BigInt(value)), got "${TEXT}"`);
      expect(() => use(5 as never)).toThrow('must be a bigint (write BigInt(value)), got 5');
      expect(() => use(Number(TEXT) as never)).toThrow(
        'must be a bigint (read it as text: a number has lost digits), got 115744530178769150',
      );
      expect(() => use(null as never)).toThrow('must be a bigint, got null');
    });
  }

  it('is told so by a provider', async () => {
    const message = 'id must be a bigint (write BigInt(value)), got "5"';
    await expect(memory({}).whois('5' as never)).rejects.toThrow(message);
    await expect(http({}).whois('5' as never)).rejects.toThrow(message);
  });
});

describe('a time before the epoch', () => {
  const message =
    'the time 2024-01-01T00:00:00.000Z is before the epoch of this layout, 2026-01-01T00:00:00.000Z';

  it('is told so, with both as dates', async () => {
    const early = Date.UTC(2024, 0, 1);
    const layout = { customEpoch: Date.UTC(2026, 0, 1) };
    expect(() => minIdAt(early, layout)).toThrow(TimestampOverflowError);
    expect(() => minIdAt(early, layout)).toThrow(message);
    expect(() => minIdAt(-1e300)).toThrow('the time -1e+300 ms is before the epoch');
    const environment = virtualEnvironment({ at: early });
    const made = () => client({ environment, defaultEpoch: layout.customEpoch });
    await expect(made().nextId()).rejects.toThrow(message);
    expect(() => made().nextIdSync()).toThrow(message);
  });
});

describe('a clock that stepped back', () => {
  for (const [maxBackwardMs, limit] of [
    [5000, '(nextIdSync never waits; nextId waits for up to 5000ms)'],
    [-1, '(nextIdSync never waits; nextId waits for as long as it takes)'],
  ] as const) {
    it(`is told by nextIdSync with the limit that was applied, at ${maxBackwardMs}`, () => {
      const environment = virtualEnvironment();
      const made = client({ environment, maxBackwardMs });
      made.nextIdSync();
      environment.set(environment.now() - 3);
      expect(() => made.nextIdSync()).toThrow(`Clock moved backward by 3ms ${limit}.`);
      expect(() => made.nextIdSync()).toThrow(expect.objectContaining({ backwardMs: 3, limitMs: 0 }));
    });
  }
});

it('a layout that is too narrow for random IDs is told with its width', () => {
  expect(() => client({ bitTs: 42 })).toThrow(
    '64 - bitReserve - bitTs must be at least 22 without a provider, got 21',
  );
  expect(() => client({ bitTs: 42 })).toThrow(expect.toSatisfy(isKazahanaError));
});
