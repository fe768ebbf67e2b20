// The server that served this page, as the library's own HTTP client talks to it.
import { HttpLeaseProvider } from 'kazahana';
import { currentToken, serverUrl } from '../state/server.js';

export function leaseServer(): HttpLeaseProvider {
  const token = currentToken();
  return new HttpLeaseProvider(serverUrl(), token === '' ? {} : { token });
}
