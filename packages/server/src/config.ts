// The configuration of a server: flags over environment over file over defaults, checked as a whole. What is wrong is
// said by the name under which it was given.
import { readFileSync } from 'node:fs';
import { DEFAULT_LEASE_DURATION, type PoolsOptions, resolvePools } from 'kazahana/lease';
import { z } from 'zod';
import type { TlsFiles } from './listener.js';
import { hashToken, SCOPES, type Token } from './tokens.js';

export const DEFAULT_PORT = 7420;
export const DEFAULT_HOST = '127.0.0.1';
export const DEFAULT_STORE = 'sqlite:./kazahana.db';
/** DESIGN, section 7: so many leases a call, unless it is configured. */
const DEFAULT_LEASES_PER_REQUEST = 16;
const DEFAULT_REQUESTS_PER_SECOND = 500;
const DEFAULT_MAX_CONNECTIONS = 10_000;
const DEFAULT_DRAIN_MS = 10_000;
const CREATE_POOLS = ['auto', 'never'] as const;
const AFTER_FAIL_OVER = ['quarantine', 'trust'] as const;
const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly code = 'INVALID_CONFIG';
}

const name = z.string().min(1).max(200);
const whole = (min: number, max: number) => z.int().min(min).max(max);
const layout = {
  customEpoch: z.int().optional(),
  bitReserve: z.int().optional(),
  bitTs: z.int().optional(),
  bitId: z.int().optional(),
  bitSeq: z.int().optional(),
};

const tokenSchema = z.strictObject({
  name,
  /** Where the token is, exactly one of these. */
  token: z.string().min(1).optional(),
  env: z.string().min(1).optional(),
  file: z.string().min(1).optional(),
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/, 'must be 64 lower-case hexadecimal digits')
    .optional(),
  scopes: z.array(z.enum(SCOPES)).min(1),
  services: z.union([z.literal('*'), z.array(name).min(1)]).default('*'),
  maxLeases: whole(1, 2 ** 30).optional(),
  requestsPerSecond: whole(1, 1_000_000).default(DEFAULT_REQUESTS_PER_SECOND),
});

const fileSchema = z.strictObject({
  host: z.string().min(1).optional(),
  port: whole(0, 65_535).optional(),
  store: z.string().min(1).optional(),
  insecure: z.boolean().optional(),
  lossKey: z.string().optional(),
  createPools: z.enum(CREATE_POOLS).optional(),
  afterFailOver: z.enum(AFTER_FAIL_OVER).optional(),
  pools: z
    .record(
      name,
      z.strictObject({ ...layout, share: z.strictObject({ index: z.int(), of: z.int() }).optional() }),
    )
    .optional(),
  services: z
    .record(
      name,
      z.strictObject({
        ...layout,
        pool: name.optional(),
        leaseDuration: z.int().optional(),
        fallbackGrace: z.int().optional(),
        maxLeases: z.int().optional(),
        maxLeasesPerRequest: z.int().optional(),
      }),
    )
    .optional(),
  tokens: z.array(tokenSchema).optional(),
  tls: z
    .strictObject({ cert: z.string().min(1), key: z.string().min(1), clientCa: z.string().min(1).optional() })
    .optional(),
  maxConnections: whole(1, 1_000_000).optional(),
  drainMs: whole(0, 600_000).optional(),
  logLevel: z.enum(LOG_LEVELS).optional(),
});

/** What flags and environment variables can say: texts, as they come. */
export interface ServerSettings {
  readonly host?: string | undefined;
  readonly port?: string | undefined;
  readonly store?: string | undefined;
  readonly insecure?: boolean | undefined;
  readonly tlsCert?: string | undefined;
  readonly tlsKey?: string | undefined;
  readonly tlsClientCa?: string | undefined;
  readonly logLevel?: string | undefined;
  /** Comes from the environment or the file only: it is a secret. */
  readonly lossKey?: string | undefined;
  readonly createPools?: string | undefined;
  /** A JSON file with all of the above and more. */
  readonly config?: string | undefined;
}

export interface ServerConfig extends PoolsOptions {
  readonly host: string;
  readonly port: number;
  readonly store: string;
  readonly isInsecure: boolean;
  readonly tokens: readonly Token[];
  /** Proves to clients what survives the loss of the store; the same on all servers. */
  readonly lossKey: string | undefined;
  readonly createPools: (typeof CREATE_POOLS)[number];
  readonly afterFailOver: (typeof AFTER_FAIL_OVER)[number];
  readonly tls: TlsFiles | undefined;
  readonly maxConnections: number;
  readonly drainMs: number;
  readonly logLevel: (typeof LOG_LEVELS)[number];
}

type Environment = Readonly<Record<string, string | undefined>>;

function fromEnvironment(env: Environment): ServerSettings {
  return {
    host: env.KAZAHANA_HOST,
    port: env.KAZAHANA_PORT,
    store: env.KAZAHANA_STORE,
    insecure:
      env.KAZAHANA_INSECURE === undefined ? undefined : readFlag('KAZAHANA_INSECURE', env.KAZAHANA_INSECURE),
    tlsCert: env.KAZAHANA_TLS_CERT,
    tlsKey: env.KAZAHANA_TLS_KEY,
    tlsClientCa: env.KAZAHANA_TLS_CLIENT_CA,
    logLevel: env.KAZAHANA_LOG_LEVEL,
    lossKey: env.KAZAHANA_LOSS_KEY,
    createPools: env.KAZAHANA_CREATE_POOLS,
    config: env.KAZAHANA_CONFIG,
  };
}

function readFlag(what: string, text: string): boolean {
  if (text === 'true' || text === '1') return true;
  if (text === 'false' || text === '0' || text === '') return false;
  throw new ConfigError(`${what} must be true or false`);
}

function readPort(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new ConfigError(`the port must be a whole number from 0 to 65535, got ${JSON.stringify(text)}`);
}

function read(what: string, path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new ConfigError(`${what}: ${path} cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
}

function readConfigFile(path: string | undefined): z.infer<typeof fileSchema> {
  if (path === undefined) return {};
  let content: unknown;
  try {
    content = JSON.parse(read('the configuration', path));
  } catch (error) {
    // The parser quotes the text, and secrets may be in it.
    throw error instanceof ConfigError ? error : new ConfigError(`${path} is not JSON`);
  }
  return parse(fileSchema, content, path);
}

function parse<Schema extends z.ZodType>(schema: Schema, value: unknown, where: string): z.infer<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const lines = result.error.issues.map(
    ({ path, message }) => `${path.join('.') || 'the whole'}: ${message}`,
  );
  throw new ConfigError(`${where}: ${lines.join('; ')}`);
}

function readToken(config: z.infer<typeof tokenSchema>, env: Environment): Token {
  const { token, env: variable, file, sha256, maxLeases = Number.POSITIVE_INFINITY, ...rest } = config;
  const where = `tokens.${config.name}`;
  if ([token, variable, file, sha256].filter((source) => source !== undefined).length !== 1) {
    throw new ConfigError(`${where} needs exactly one of token, env, file, sha256`);
  }
  if (sha256 !== undefined) return { ...rest, maxLeases, sha256: Buffer.from(sha256, 'hex') };
  const text = token ?? (variable !== undefined ? env[variable] : read(where, file ?? '').trim());
  if (text === undefined) throw new ConfigError(`${where}: the environment has no ${variable}`);
  // Short ones can be guessed; anything but visible ASCII does not survive a header.
  if (!/^[\x21-\x7e]{16,200}$/.test(text)) {
    throw new ConfigError(`${where} must be 16 to 200 visible ASCII characters`);
  }
  return { ...rest, maxLeases, sha256: hashToken(text) };
}

function resolveTls(file: TlsFiles | undefined, settings: ServerSettings): TlsFiles | undefined {
  const {
    tlsCert: cert = file?.cert,
    tlsKey: key = file?.key,
    tlsClientCa: clientCa = file?.clientCa,
  } = settings;
  if (cert === undefined && key === undefined && clientCa === undefined) return undefined;
  if (cert === undefined || key === undefined)
    throw new ConfigError('TLS needs both a certificate and a key');
  for (const path of [cert, key, ...(clientCa === undefined ? [] : [clientCa])]) read('TLS', path);
  return { cert, key, ...(clientCa !== undefined && { clientCa }) };
}

/** Shorter ones can be guessed. */
function checkLossKey(lossKey: string | undefined): string | undefined {
  if (lossKey === undefined || lossKey.length >= 16) return lossKey;
  throw new ConfigError('lossKey must have 16 characters or more');
}

/** A store that is this process's own creates its pools by itself. One that a fleet shares may have lost them. */
function defaultCreatePools(store: string, host: string): ServerConfig['createPools'] {
  const isOwn = store.startsWith('memory:') || (store.startsWith('sqlite:') && isLoopback(host));
  return isOwn ? 'auto' : 'never';
}

/** Addresses that only this machine can reach. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host);
}

const defined = (settings: ServerSettings): ServerSettings =>
  Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));

export function resolveServerConfig(flags: ServerSettings, env: Environment): ServerConfig {
  const settings: ServerSettings = { ...defined(fromEnvironment(env)), ...defined(flags) };
  const file = readConfigFile(settings.config);
  const port = settings.port === undefined ? (file.port ?? DEFAULT_PORT) : readPort(settings.port);
  const host = settings.host ?? file.host ?? DEFAULT_HOST;
  // For Node an empty one is every address of the machine.
  if (host === '') throw new ConfigError('the host must not be empty');
  const services = { default: {}, ...file.services };
  const limited = Object.entries(services).map(([serviceId, service]) => [
    serviceId,
    { leaseDuration: DEFAULT_LEASE_DURATION, maxLeasesPerRequest: DEFAULT_LEASES_PER_REQUEST, ...service },
  ]);
  const tokens = (file.tokens ?? []).map((token) => readToken(token, env));
  const twice = tokens.find(({ name: one }, i) => tokens.findIndex((other) => other.name === one) !== i);
  if (twice) throw new ConfigError(`tokens: there are two of the name ${twice.name}`);
  const store = settings.store ?? file.store ?? DEFAULT_STORE;
  const createPools = settings.createPools ?? file.createPools ?? defaultCreatePools(store, host);
  const config: ServerConfig = {
    host,
    port,
    store,
    lossKey: checkLossKey(settings.lossKey ?? file.lossKey),
    createPools: parse(z.enum(CREATE_POOLS), createPools, 'createPools'),
    afterFailOver: file.afterFailOver ?? 'quarantine',
    isInsecure: settings.insecure ?? file.insecure ?? false,
    services: Object.fromEntries(limited),
    pools: (file.pools ?? {}) as NonNullable<PoolsOptions['pools']>,
    tokens,
    tls: resolveTls(file.tls as TlsFiles | undefined, settings),
    maxConnections: file.maxConnections ?? DEFAULT_MAX_CONNECTIONS,
    drainMs: file.drainMs ?? DEFAULT_DRAIN_MS,
    logLevel: parse(z.enum(LOG_LEVELS), settings.logLevel ?? file.logLevel ?? 'info', 'the log level'),
  };
  check(config);
  return config;
}

function check({ services, pools, host, tokens, isInsecure }: ServerConfig): void {
  try {
    resolvePools({ ...(services && { services }), ...(pools && { pools }) });
  } catch (error) {
    throw new ConfigError((error as Error).message);
  }
  if (!isLoopback(host) && tokens.length === 0 && !isInsecure) {
    throw new ConfigError(
      `without tokens the server listens on loopback only, not on ${host}: configure tokens, or say --insecure`,
    );
  }
}
