import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { ConfigError, isLoopback, resolveServerConfig, type ServerSettings } from './config.js';
import { hashToken } from './tokens.js';

const folder = mkdtempSync(join(tmpdir(), 'kazahana-config-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;

function file(content: unknown): string {
  const path = join(folder, `${++files}`);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

const SECRET = 'a-token-that-no-log-may-show';
const token = { name: 'web', token: SECRET, scopes: ['acquire'] };

/** The message of the refusal; whatever it is, it holds no secret. */
function refusal(flags: ServerSettings, env: Record<string, string> = {}): string {
  try {
    resolveServerConfig(flags, env);
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    expect(error).toMatchObject({ name: 'ConfigError', code: 'INVALID_CONFIG' });
    const { message } = error as Error;
    expect(message).not.toContain(SECRET);
    return message;
  }
  throw new Error('it was not refused');
}

const withFile = (content: unknown, flags: ServerSettings = {}) =>
  resolveServerConfig({ ...flags, config: file(content) }, {});
const refusedFile = (content: unknown) => refusal({ config: file(content) });

describe('a configuration', () => {
  it('of nothing has the defaults', () => {
    expect(resolveServerConfig({}, {})).toEqual({
      host: '127.0.0.1',
      hostNames: [],
      port: 7420,
      store: 'sqlite:./kazahana.db',
      isInsecure: false,
      services: { default: { leaseDuration: 600_000, maxLeasesPerRequest: 16 } },
      pools: {},
      tokens: [],
      lossKey: undefined,
      createPools: 'auto',
      afterFailOver: 'quarantine',
      tls: undefined,
      maxConnections: 10_000,
      serviceShare: 0.75,
      drainMs: 10_000,
      logLevel: 'info',
    });
  });

  const cert = file('cert');
  const key = file('key');
  const otherCert = file('other');
  const rows: [name: string, flag: ServerSettings, env: Record<string, string>, inFile: object][] = [
    ['host', { host: '127.0.0.2' }, { KAZAHANA_HOST: '127.0.0.3' }, { host: '127.0.0.4' }],
    ['hostNames', { hostName: 'a,b.example' }, { KAZAHANA_HOST_NAME: 'c' }, { hostNames: ['d'] }],
    ['port', { port: '2' }, { KAZAHANA_PORT: '3' }, { port: 4 }],
    ['store', { store: 'memory:2' }, { KAZAHANA_STORE: 'memory:3' }, { store: 'memory:4' }],
    ['isInsecure', { insecure: true }, { KAZAHANA_INSECURE: 'false' }, { insecure: true }],
    ['createPools', { createPools: 'never' }, { KAZAHANA_CREATE_POOLS: 'auto' }, { createPools: 'never' }],
    ['logLevel', { logLevel: 'debug' }, { KAZAHANA_LOG_LEVEL: 'warn' }, { logLevel: 'error' }],
    ['logFormat', { logFormat: 'json' }, { KAZAHANA_LOG_FORMAT: 'pretty' }, { logFormat: 'json' }],
    [
      'tls',
      { tlsCert: cert, tlsKey: key },
      { KAZAHANA_TLS_CERT: key, KAZAHANA_TLS_KEY: cert },
      { tls: { cert: otherCert, key } },
    ],
  ];
  it.each(rows)('takes %s from flags before the environment before the file', (name, flag, env, inFile) => {
    const config = file(inFile);
    const of = (flags: ServerSettings, variables: Record<string, string>) =>
      resolveServerConfig({ config, ...flags }, variables)[name as 'host'];
    const values = [of(flag, env), of({}, env), of({}, {})];
    expect(values[0]).not.toEqual(values[1]);
    expect(values[1]).not.toEqual(values[2]);
    const path = { KAZAHANA_CONFIG: config };
    expect(resolveServerConfig({}, path)[name as 'host']).toEqual(values[2]);
  });

  it.each([
    ['sqlite:x', '127.0.0.1', 'auto'],
    ['memory:', '::1', 'auto'],
    ['memory:', '0.0.0.0', 'auto'],
    ['sqlite:x', '0.0.0.0', 'never'],
    ['redis://127.0.0.1', '127.0.0.1', 'never'],
    ['postgres://db/x', '127.0.0.1', 'never'],
    ['etcd://a:1', '127.0.0.1', 'never'],
  ])('creates pools of %s at %s: %s', (store, host, createPools) => {
    expect(resolveServerConfig({ store, host, insecure: true }, {}).createPools).toBe(createPools);
    const other = createPools === 'auto' ? 'never' : 'auto';
    expect(resolveServerConfig({ store, host, insecure: true, createPools: other }, {}).createPools).toBe(
      other,
    );
  });

  it('has a loss key of 16 characters or more', () => {
    expect(withFile({ lossKey: 'x'.repeat(16) }).lossKey).toBe('x'.repeat(16));
    expect(refusedFile({ lossKey: 'x'.repeat(15) })).toContain('16 characters');
    expect(refusedFile({ createPools: 'maybe' })).toContain('createPools');
  });

  it('limits every service to 16 leases a call, unless it says otherwise', () => {
    const { services } = withFile({ services: { orders: {}, mails: { maxLeasesPerRequest: 40 } } });
    expect(services).toMatchObject({
      default: { maxLeasesPerRequest: 16 },
      orders: { maxLeasesPerRequest: 16 },
      mails: { maxLeasesPerRequest: 40 },
    });
  });

  it('keeps hashes of tokens, from wherever they come', () => {
    const hash = hashToken(SECRET);
    const sources = [
      { token: SECRET },
      { env: 'WEB_TOKEN' },
      { file: file(`${SECRET}\n`) },
      { sha256: Buffer.from(hash).toString('hex') },
    ];
    for (const source of sources) {
      const config = file({ tokens: [{ name: 'web', scopes: ['acquire'], ...source }] });
      const resolved = resolveServerConfig({ config }, { WEB_TOKEN: SECRET });
      const [kept] = resolved.tokens;
      expect(Buffer.from(kept?.sha256 ?? []).equals(hash)).toBe(true);
      expect(kept).toMatchObject({
        name: 'web',
        services: '*',
        requestsPerSecond: 500,
        maxLeases: Number.POSITIVE_INFINITY,
      });
      expect(JSON.stringify(resolved)).not.toContain(SECRET);
    }
  });

  it('listens beyond loopback only with tokens, or when it is told to', () => {
    expect(refusal({ host: '0.0.0.0' })).toContain('loopback only');
    expect(refusal({ host: '::' })).toContain('loopback only');
    expect(refusal({ host: '10.0.0.1', tlsCert: cert, tlsKey: key })).toContain('loopback only');
    expect(resolveServerConfig({ host: '0.0.0.0', insecure: true }, {}).host).toBe('0.0.0.0');
    expect(withFile({ tokens: [token] }, { host: '0.0.0.0' }).host).toBe('0.0.0.0');
  });
});

describe('refused, by its name:', () => {
  it.each(['', 'http', '-1', '65536', '7420.5', '1e3', '0x50', ' 80', '９'])('the port %j', (port) => {
    expect(refusal({ port })).toContain('the port must be');
    expect(refusal({}, { KAZAHANA_PORT: port })).toContain('the port must be');
  });

  it('an empty host, which would be all of them', () => {
    expect(refusal({}, { KAZAHANA_HOST: '', KAZAHANA_INSECURE: '1' })).toContain(
      'the host must not be empty',
    );
  });

  it.each(['yes', 'no', 'TRUE', '2'])('KAZAHANA_INSECURE=%s', (text) => {
    expect(refusal({}, { KAZAHANA_INSECURE: text })).toBe('KAZAHANA_INSECURE must be true or false');
  });

  it('a log level that is none', () => {
    expect(refusal({ logLevel: 'loud' })).toContain('logLevel: ');
  });

  it('a file that is not there, is no JSON, is no object', () => {
    expect(refusal({ config: join(folder, 'missing') })).toContain('cannot be read (ENOENT)');
    expect(refusedFile(`{"tokens": "${SECRET}`)).toContain('is not JSON');
    expect(refusedFile('[]')).toContain('expected object');
  });

  const contents: [title: string, content: object, message: string][] = [
    ['a setting that is not known', { prot: 5 }, '"prot" (did you mean port?)'],
    [
      'a misspelt setting of a service',
      { services: { a: { leasDuration: 1 } } },
      '(did you mean leaseDuration?)',
    ],
    ['a misspelt setting of a pool', { pools: { a: { bitid: 1 } } }, '(did you mean bitId?)'],
    ['a misspelt share', { pools: { a: { share: { indx: 0, of: 2 } } } }, '(did you mean index?)'],
    ['a misspelt setting of a token', { tokens: [{ ...token, scope: ['mint'] }] }, '(did you mean scopes?)'],
    [
      'a misspelt setting of TLS',
      { tls: { cert: 'x', key: 'y', clientCA: 'z' } },
      '(did you mean clientCa?)',
    ],
    ['a port as text', { port: '7420' }, 'port: '],
    ['a port out of range', { port: 70_000 }, 'port: '],
    ['a service that is not known in its settings', { services: { a: { color: 1 } } }, 'services.a: '],
    ['a lease of no time', { services: { a: { leaseDuration: 0 } } }, 'services.a.leaseDuration'],
    [
      'two layouts of one pool',
      { services: { a: { bitId: 14, bitSeq: 8 }, b: { bitId: 12, bitSeq: 10 } } },
      'bitId',
    ],
    ['widths that are not 64', { pools: { default: { bitId: 3 } } }, '64'],
    ['no connections', { maxConnections: 0 }, 'maxConnections: '],
    ['a token without a name', { tokens: [{ token: SECRET, scopes: ['acquire'] }] }, 'tokens.0.name'],
    ['a token without scopes', { tokens: [{ ...token, scopes: [] }] }, 'tokens.0.scopes'],
    ['a scope that is none', { tokens: [{ ...token, scopes: ['everything'] }] }, 'tokens.0.scopes.0'],
    ['a token from nowhere', { tokens: [{ name: 'web', scopes: ['mint'] }] }, 'exactly one of'],
    ['a token from two places', { tokens: [{ ...token, env: 'X' }] }, 'exactly one of'],
    [
      'a token from a variable that is not set',
      { tokens: [{ name: 'web', env: 'NOT_SET', scopes: ['mint'] }] },
      'the environment has no NOT_SET',
    ],
    [
      'a token from a file that is not there',
      { tokens: [{ name: 'web', file: '/nowhere/token', scopes: ['mint'] }] },
      'tokens.web: /nowhere/token cannot be read (ENOENT)',
    ],
    ['a token that can be guessed', { tokens: [{ ...token, token: 'short' }] }, '16 to 200'],
    ['a token that no header can carry', { tokens: [{ ...token, token: `${SECRET} \n x` }] }, '16 to 200'],
    ['a hash that is none', { tokens: [{ name: 'web', sha256: 'abc', scopes: ['mint'] }] }, '64 lower-case'],
    [
      'a token that documents show',
      { tokens: [{ ...token, token: 'read-it-from-a-secret' }] },
      'tokens.web is a placeholder',
    ],
    [
      'a placeholder for a token',
      { tokens: [{ ...token, token: '<openssl rand -base64 32>' }] },
      'placeholder',
    ],
    ['a placeholder for a loss key', { lossKey: '<openssl rand -base64 32>' }, 'lossKey: is a placeholder'],
    [
      'the hash of a token that can be guessed',
      { tokens: [{ name: 'web', sha256: Buffer.from(hashToken('test')).toString('hex'), scopes: ['mint'] }] },
      'tokens.web is the hash of "test": 16 to 200',
    ],
    [
      'two tokens of one text',
      {
        tokens: [
          token,
          { name: 'other', sha256: Buffer.from(hashToken(SECRET)).toString('hex'), scopes: ['mint'] },
        ],
      },
      'web and other have the same token',
    ],
    ['a host name with a port', { hostNames: ['ids.example:7420'] }, 'hostNames.0: must be a host name'],
    ['a host name that no header has', { hostNames: ['*.example'] }, 'hostNames.0: must be a host name'],
    ['two tokens of one name', { tokens: [token, { ...token, token: `${SECRET}2` }] }, 'two of the name web'],
    ['a certificate without a key', { tls: { cert: 'x' } }, 'tls.key'],
    [
      'a certificate that is not there',
      { tls: { cert: '/nowhere/c', key: '/nowhere/k' } },
      'TLS: /nowhere/c',
    ],
  ];
  it.each(contents)('%s', (_title, content, message) => {
    expect(refusedFile(content)).toContain(message);
  });

  it('half of TLS on the command line', () => {
    expect(refusal({ tlsCert: file('x') })).toContain('both a certificate and a key');
    expect(refusal({ tlsClientCa: file('x') })).toContain('both a certificate and a key');
  });
});

describe('loopback', () => {
  it.each(['localhost', '127.0.0.1', '127.9.9.9', '::1'])('is %s', (host) => {
    expect(isLoopback(host)).toBe(true);
  });
  it.each([
    '',
    '0.0.0.0',
    '::',
    '128.0.0.1',
    '127.0.0.1.example',
    'localhost.example',
    '10.0.0.1',
    '1127.0.0.1',
  ])('is not %j', (host) => {
    expect(isLoopback(host)).toBe(false);
  });
});
