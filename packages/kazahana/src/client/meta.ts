// Who a client is, for the operator who looks at its lease: host, process and version, where the platform tells.
interface Platform {
  readonly process?: {
    readonly pid?: number;
    readonly env?: Readonly<Record<string, string | undefined>>;
    readonly version?: string;
  };
  readonly navigator?: { readonly userAgent?: string };
}

export function clientMeta(): Record<string, string> {
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
