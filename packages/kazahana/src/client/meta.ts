// Who a client is, for the operator who looks at its lease: host, process and version, where the platform tells.
interface Platform {
  readonly process?: {
    readonly pid?: number;
    readonly env?: Readonly<Record<string, string | undefined>>;
    readonly version?: string;
  };
  readonly navigator?: { readonly userAgent?: string };
}

let known: Readonly<Record<string, string>> | undefined;

/** Asked for once: reading the environment is slow, and none of it changes. */
export function clientMeta(): Readonly<Record<string, string>> {
  known ??= readMeta();
  return known;
}

function readMeta(): Record<string, string> {
  const { process, navigator } = globalThis as Platform;
  const meta = {
    host: process?.env?.HOSTNAME ?? process?.env?.COMPUTERNAME,
    process: process?.pid === undefined ? undefined : String(process.pid),
    version: process?.version ?? navigator?.userAgent,
  };
  return Object.fromEntries(Object.entries(meta).filter(([, value]) => value !== undefined)) as Record<
    string,
    string
  >;
}
