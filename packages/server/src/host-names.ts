// The names by which a server may be called. A page on another site can make its own name lead to this server (DNS
// rebinding): the browser then takes the server for that site, and only the Host header tells.
import { isIP } from 'node:net';
import { isLoopback, type ServerConfig } from './config.js';

const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '[::1]'];

/** Whether a request for this host is for a server of such a configuration. */
export function ownHosts({
  host,
  hostNames,
}: Pick<ServerConfig, 'host' | 'hostNames'>): (name: string) => boolean {
  const names = new Set([...LOOPBACK_NAMES, ...hostNames, host.toLowerCase()]);
  // Beyond loopback the machine may have any address, and no page has an address for its name unless it comes from there.
  const isAddress = (name: string) => !isLoopback(host) && isIP(name.replace(/^\[(.*)\]$/, '$1')) > 0;
  return (name) => names.has(name.toLowerCase()) || isAddress(name);
}
