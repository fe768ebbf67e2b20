// Who a client is, for the operator who looks at its lease: host, process and version, where the platform tells.
interface Platform {
  readonly process?: {
    readonly pid?: number;
    readonly env?: Readonly<Record<string, string | undefined>>;
    readonly version?: string;
  };
  readonly navigator?: { readonly userAgent?: string };
}

/** Each is asked for apart: Deno throws for what a program has no permission to read. */
const SOURCES: Readonly<Record<string, (platform: Platform) => string | number | undefined>> = {
  host: ({ process }) => process?.env?.HOSTNAME ?? process?.env?.COMPUTERNAME,
  process: ({ process }) => process?.pid,
  version: ({ process, navigator }) => process?.version ?? navigator?.userAgent,
};

let known: Readonly<Record<string, string>> | undefined;

/** Asked for once: reading the environment is slow, and none of it changes. */
export function clientMeta(): Readonly<Record<string, string>> {
  known ??= readMeta();
  return known;
}

function readMeta(): Record<string, string> {
  const meta: Record<string, string> = {};
  for (const [name, read] of Object.entries(SOURCES)) {
    try {
      const value = read(globalThis as Platform);
      if (value !== undefined) meta[name] = String(value);
    } catch {
      // Not ours to know.
    }
  }
  return meta;
}
