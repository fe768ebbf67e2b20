// Who a client is, for the operator who looks at its lease: host, process, runtime and our version, where the platform
// tells; and what the program adds.
import { checkInteger, InvalidArgumentError } from '../errors.js';
import { checkObject } from '../options.js';
import { VERSION } from '../version.js';

export type ClientMeta = Readonly<Record<string, string>>;

interface Platform {
  readonly process?: {
    readonly pid?: number;
    readonly env?: Readonly<Record<string, string | undefined>>;
    readonly version?: string;
    readonly versions?: Readonly<Record<string, string | undefined>>;
    getBuiltinModule?(name: string): { hostname?(): string } | undefined;
  };
  readonly Deno?: {
    hostname?(): string;
    readonly permissions?: { querySync?(permission: object): { readonly state: string } };
  };
  readonly navigator?: { readonly userAgent?: string };
}

/** Each is read apart: a platform may throw for what a program has no permission to read. */
const SOURCES: Readonly<Record<string, (platform: Platform) => string | number | undefined>> = {
  host: ({ process, Deno }) => {
    // Deno would ask the user at the terminal.
    const isGranted = (permission: object) => Deno?.permissions?.querySync?.(permission).state === 'granted';
    if (Deno) return isGranted({ name: 'sys', kind: 'hostname' }) ? Deno.hostname?.() : undefined;
    const { HOSTNAME, COMPUTERNAME } = process?.env ?? {};
    // Not imported: the library runs where there is no such module.
    return HOSTNAME || COMPUTERNAME || process?.getBuiltinModule?.('node:os')?.hostname?.();
  },
  process: ({ process }) => process?.pid,
  runtime: ({ process, navigator }) => {
    const { bun, deno } = process?.versions ?? {};
    if (bun) return `bun ${bun}`;
    if (deno) return `deno ${deno}`;
    return process?.version ? `node ${process.version}` : navigator?.userAgent;
  },
  version: () => VERSION,
};

/** As long as the name of a host may be. */
const MAX_TEXT = 253;
/** What a lease server takes, our own four entries aside. */
const LIMITS = { entries: 12, name: 64, text: 256, bytes: 1024 };

let known: ClientMeta | undefined;

/** Read once: reading the environment is slow, and none of it changes. */
export function platformMeta(): ClientMeta {
  known ??= readMeta(globalThis as Platform);
  return known;
}

export function readMeta(platform: Platform): ClientMeta {
  const meta: Record<string, string> = {};
  for (const [name, read] of Object.entries(SOURCES)) {
    try {
      const value = read(platform);
      if (value !== undefined && value !== '') meta[name] = String(value).slice(0, MAX_TEXT);
    } catch {
      // Not ours to know.
    }
  }
  return meta;
}

/** The option `meta` of a client, checked: it is kept with every lease. */
export function checkMeta(meta: ClientMeta = {}): ClientMeta {
  const entries = Object.entries(checkObject('meta', meta));
  checkInteger('the number of entries of meta', entries.length, 0, LIMITS.entries);
  for (const [name, text] of entries) {
    if (typeof text !== 'string' || text.length > LIMITS.text) {
      const allowed = `a string of at most ${LIMITS.text} characters`;
      throw new InvalidArgumentError(`meta.${name.slice(0, LIMITS.name)}`, allowed, text);
    }
    checkInteger('the length of a name of meta', name.length, 1, LIMITS.name);
  }
  const bytes = new TextEncoder().encode(JSON.stringify(meta)).length;
  checkInteger('the bytes of meta as JSON', bytes, 0, LIMITS.bytes);
  return { ...meta };
}
