// The configuration of a server: flags over environment over file over defaults, checked as a whole. A refusal names the
// setting.
import { readFileSync } from 'node:fs';
import {
  closestName,
  DEFAULT_LEASE_DURATION,
  makeLayout,
  type PoolsOptions,
  resolvePools,
} from 'kazahana/lease';
import { z } from 'zod';
import { hashToken, isPlaceholder, isToken, SCOPES, type Token } from './tokens.js';

export const DEFAULT_PORT = 7420;
export const DEFAULT_HOST = '127.0.0.1';
export const DEFAULT_STORE = 'sqlite:./kazahana.db';
const CREATE_POOLS = ['auto', 'never'] as const;
const AFTER_FAIL_OVER = ['quarantine', 'trust'] as const;
const LOG_FORMATS = ['pretty', 'json'] as const;
const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly code = 'INVALID_CONFIG';
}

const name = z.string().min(1).max(200);
const whole = (min: number, max: number) => z.int().min(min).max(max);
const layout = makeLayout(() => z.int().optional());

const shareSchema = z.strictObject({ index: z.int(), of: z.int() });

const poolSchema = z.strictObject({
  ...layout,
  share: shareSchema.optional(),
});

const serviceSchema = z.strictObject({
  leaseDuration: z.int().default(DEFAULT_LEASE_DURATION),
  maxLeasesPerRequest: z.int().default(16),
  ...layout,
  pool: name.optional(),
  fallbackGrace: z.int().optional(),
  maxLeases: z.int().optional(),
});

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
  requestsPerSecond: whole(1, 1_000_000).default(500),
  maxWatchers: whole(1, 1000).default(20),
});

/** A name in lower case, as it is compared; addresses need none. */
const HOST_NAME = /^[a-z0-9_]([a-z0-9_-]{0,62}\.?)*$/;

const tlsSchema = z.strictObject({
  cert: z.string().min(1),
  key: z.string().min(1),
  // With it, only clients with a certificate of this authority may connect.
  clientCa: z.string().min(1).optional(),
});

export type TlsFiles = z.infer<typeof tlsSchema>;

const fileSchema = z.strictObject({
  // For Node an empty host is every address of the machine.
  host: z.string().min(1, 'the host must not be empty').default(DEFAULT_HOST),
  port: whole(0, 65_535).default(DEFAULT_PORT),
  store: z.string().min(1).default(DEFAULT_STORE),
  insecure: z.boolean().default(false),
  hostNames: z.array(z.string().regex(HOST_NAME, 'must be a host name, without a port')).default([]),
  // Proves to clients what survives the loss of the store; the same on all servers. A shorter one can be guessed.
  lossKey: z
    .string()
    .min(16, 'must have 16 characters or more')
    .refine((key) => !isPlaceholder(key), 'is a placeholder')
    .optional(),
  createPools: z.enum(CREATE_POOLS).optional(),
  afterFailOver: z.enum(AFTER_FAIL_OVER).default('quarantine'),
  serviceShare: z.number().gt(0).max(1).default(0.75),
  pools: z.record(name, poolSchema).default({}),
  services: z
    .record(name, serviceSchema)
    .default({})
    .transform((services) => ({ default: serviceSchema.parse({}), ...services })),
  tokens: z.array(tokenSchema).default([]),
  tls: tlsSchema.optional(),
  maxConnections: whole(1, 1_000_000).default(10_000),
  drainMs: whole(0, 600_000).default(10_000),
  logLevel: z.enum(LOG_LEVELS).default('info'),
  // Left out, it is for people at a terminal and JSON elsewhere.
  logFormat: z.enum(LOG_FORMATS).optional(),
});
export const FILE_SETTINGS: readonly string[] = Object.keys(fileSchema.shape);
type ConfigFile = z.input<typeof fileSchema>;
type Settings = z.output<typeof fileSchema>;

/** Settings that flags and environment variables can give, all as text: what each is in the file, and how it is read. */
const TEXT_SETTINGS = {
  host: (host: string) => ({ host }),
  // Several are parted by commas.
  hostName: (names: string) => ({ hostNames: names.split(',').map((one) => one.trim()) }),
  port: (port: string) => ({ port: readPort(port) }),
  store: (store: string) => ({ store }),
  tlsCert: (cert: string) => ({ tls: { cert } }),
  tlsKey: (key: string) => ({ tls: { key } }),
  tlsClientCa: (clientCa: string) => ({ tls: { clientCa } }),
  logLevel: (logLevel: string) => ({ logLevel }),
  logFormat: (logFormat: string) => ({ logFormat }),
  // Not a flag: it is a secret.
  lossKey: (lossKey: string) => ({ lossKey }),
  createPools: (createPools: string) => ({ createPools }),
  // A JSON file with all of these and more.
  config: () => ({}),
} satisfies Record<string, (text: string) => object>;

const SETTINGS = Object.keys(TEXT_SETTINGS) as (keyof typeof TEXT_SETTINGS)[];

export type ServerSettings = { readonly [Name in keyof typeof TEXT_SETTINGS]?: string | undefined } & {
  readonly insecure?: boolean | undefined;
};

export interface ServerConfig
  extends PoolsOptions,
    Omit<Settings, 'insecure' | 'createPools' | 'pools' | 'services' | 'tokens'> {
  readonly isInsecure: boolean;
  readonly tokens: readonly Token[];
  readonly createPools: (typeof CREATE_POOLS)[number];
}

type Environment = Readonly<Record<string, string | undefined>>;

const defined = <Value extends object>(values: Value): Value =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Value;

const variableOf = (setting: string) =>
  `KAZAHANA_${setting.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;

function fromEnvironment(env: Environment): ServerSettings {
  const texts = Object.fromEntries(SETTINGS.map((setting) => [setting, env[variableOf(setting)]]));
  const insecure = env.KAZAHANA_INSECURE;
  if (!['true', '1', 'false', '0', '', undefined].includes(insecure))
    throw new ConfigError('KAZAHANA_INSECURE must be true or false');
  const isInsecure = insecure === undefined ? undefined : ['true', '1'].includes(insecure);
  return defined({ ...texts, insecure: isInsecure });
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

function readConfigFile(path: string | undefined): ConfigFile {
  if (path === undefined) return {};
  const text = read('the configuration', path);
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    // The message of the parser quotes the text, and secrets may be in it.
    throw new ConfigError(`${path} is not JSON`);
  }
  parse(content, path);
  return content as ConfigFile;
}

const PARTS = { pools: poolSchema, services: serviceSchema, tokens: tokenSchema, tls: tlsSchema };

/** The setting that was probably meant by each of the keys that are none, in the part of the file that has them. */
function hintOf(path: readonly PropertyKey[], keys: readonly string[]): string {
  const part = PARTS[path[0] as keyof typeof PARTS] ?? fileSchema;
  const { shape } = path[2] === 'share' ? shareSchema : part;
  const hints = keys.flatMap((key) => closestName(key, Object.keys(shape)) ?? []);
  return hints.length > 0 ? ` (did you mean ${hints.join(', ')}?)` : '';
}

function parse(value: unknown, where: string): Settings {
  const result = fileSchema.safeParse(value);
  if (result.success) return result.data;
  const lines = result.error.issues.map(
    (issue) =>
      `${issue.path.join('.') || 'the whole'}: ${issue.message}${issue.code === 'unrecognized_keys' ? hintOf(issue.path, issue.keys) : ''}`,
  );
  throw new ConfigError(`${where}: ${lines.join('; ')}`);
}

const LENGTH = '16 to 200 visible ASCII characters';
const MAKE_ONE = 'put a secret of your own there, for example from "openssl rand -base64 32"';
const WEAK_TOKENS = ['', 'test', 'token', 'secret', 'password', 'admin', 'changeme', 'kazahana'];

function readToken(config: z.infer<typeof tokenSchema>, env: Environment): Token {
  const { token, env: variable, file, sha256, maxLeases = Number.POSITIVE_INFINITY, ...rest } = config;
  const where = `tokens.${config.name}`;
  if ([token, variable, file, sha256].filter((source) => source !== undefined).length !== 1) {
    throw new ConfigError(`${where} needs exactly one of token, env, file, sha256`);
  }
  if (sha256 !== undefined) {
    // A hash does not tell how long its text is. These are the ones that people try things out with.
    const short = WEAK_TOKENS.find((weak) => Buffer.from(hashToken(weak)).toString('hex') === sha256);
    if (short !== undefined)
      throw new ConfigError(`${where} is the hash of ${JSON.stringify(short)}: ${LENGTH}`);
    return { ...rest, maxLeases, sha256: Buffer.from(sha256, 'hex') };
  }
  const text = token ?? (variable !== undefined ? env[variable] : read(where, file ?? '').trim());
  if (text === undefined) throw new ConfigError(`${where}: the environment has no ${variable}`);
  if (isPlaceholder(text)) throw new ConfigError(`${where} is a placeholder: ${MAKE_ONE}`);
  if (!isToken(text)) throw new ConfigError(`${where} must be ${LENGTH}`);
  return { ...rest, maxLeases, sha256: hashToken(text) };
}

/** Two tokens of one name would share their quotas; of two with one text, the server could only know the caller as one. */
function checkDifferent(tokens: readonly Token[]): void {
  for (const [i, { name: own, sha256 }] of tokens.entries()) {
    const others = tokens.slice(0, i);
    if (others.some((other) => other.name === own))
      throw new ConfigError(`tokens: there are two of the name ${own}`);
    const same = others.find((other) => Buffer.compare(other.sha256, sha256) === 0);
    if (same) throw new ConfigError(`tokens: ${same.name} and ${own} have the same token`);
  }
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

/** Flags over environment over file over defaults. The caller may have flags of its own among these. */
function readSettings(flags: ServerSettings, env: Environment): Settings {
  const given: ServerSettings = { ...fromEnvironment(env), ...defined(flags) };
  const file = readConfigFile(given.config);
  const parts = SETTINGS.flatMap((name) => {
    const text = given[name];
    return text === undefined ? [] : [TEXT_SETTINGS[name](text) as Partial<ConfigFile>];
  });
  const tls = Object.assign({}, file.tls, ...parts.map((part) => part.tls)) as Record<string, string>;
  const tlsFiles = Object.values(tls);
  if (tlsFiles.length > 0 && (tls.cert === undefined || tls.key === undefined))
    throw new ConfigError('TLS needs both a certificate and a key');
  for (const path of tlsFiles) read('TLS', path);
  const { insecure } = given;
  const whole = Object.assign({}, file, ...parts, defined({ insecure }), tlsFiles.length > 0 ? { tls } : {});
  return parse(whole, 'the settings');
}

export function resolveServerConfig(flags: ServerSettings, env: Environment): ServerConfig {
  const { insecure: isInsecure, services, pools, ...settings } = readSettings(flags, env);
  const { host, store, createPools = defaultCreatePools(store, host) } = settings;
  const tokens = settings.tokens.map((token) => readToken(token, env));
  checkDifferent(tokens);
  if (!isLoopback(host) && tokens.length === 0 && !isInsecure)
    throw new ConfigError(
      `without tokens the server listens on loopback only, not on ${host}: configure tokens, or say --insecure`,
    );
  const poolsOptions = { services, pools } as PoolsOptions;
  try {
    resolvePools(poolsOptions);
  } catch (error) {
    throw new ConfigError((error as Error).message);
  }
  return { ...settings, ...poolsOptions, isInsecure, tokens, createPools };
}
