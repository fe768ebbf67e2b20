// Why the server cannot start, in a sentence, and what helps, in another. Only for what waiting cannot mend.
import type { ServerConfig } from '@kazahana/server';

interface Failure extends Error {
  readonly code?: unknown;
}

type Where = Pick<ServerConfig, 'host' | 'port' | 'store'>;

/** Codes of the operating system for an address at which it does not let us listen. */
const LISTENING: Readonly<Record<string, (where: Where) => string>> = {
  EADDRINUSE: ({ host, port }) =>
    `port ${port} of ${host} is in use (EADDRINUSE). Another server may be running there: end it, or choose another port with --port.`,
  EACCES: ({ port }) =>
    `this user may not listen on port ${port} (EACCES). Choose a port above 1023 with --port.`,
  EADDRNOTAVAIL: ({ host }) =>
    `this machine has no address ${host} (EADDRNOTAVAIL). Choose one of its own with --host.`,
  ENOTFOUND: ({ host }) => `the host ${host} has no address (ENOTFOUND). Choose another with --host.`,
};

/** Why a pinned value cannot be changed. */
const PINNED =
  'A pool keeps the epoch and the bits of its timestamp for ever: IDs made with others would come from another time ' +
  'line, and could be equal to old ones. Configure a new pool for a new layout, or take the setting back.';

const isFile = ({ store }: Where) => store.startsWith('sqlite:');

/** What helps, by the code of an error of the store. */
const HINTS: Readonly<Record<string, (where: Where) => string>> = {
  POOL_MISMATCH: () => PINNED,
  STORE_REFUSED: (where) =>
    isFile(where)
      ? 'Let the user of this process write the file and its folder, or name another file with --store.'
      : 'Check the user name, the password and the rights of that user; the URL is in KAZAHANA_STORE or the --config file.',
  STORE_INCOMPATIBLE: (where) =>
    isFile(where)
      ? 'Restore it from a backup, or name another file with --store when all leases have ended.'
      : 'Check that the URL names the right store, and that all servers have the same version.',
};

export function explainStart(error: unknown, where: Where | undefined): string {
  const { message, code, syscall } = error as Failure & { syscall?: unknown };
  if (where === undefined || typeof code !== 'string') return message;
  if (syscall === 'listen' || syscall === 'getaddrinfo') return LISTENING[code]?.(where) ?? message;
  if (code.startsWith('ERR_OSSL') || code.startsWith('ERR_TLS'))
    return `the certificate or the key of TLS cannot be used (${message}). Check --tls-cert, --tls-key and --tls-client-ca.`;
  const hint = HINTS[code]?.(where);
  return hint === undefined ? message : `${message.replace(/\.$/, '')}. ${hint}`;
}
