// @kazahana/server: the HTTP face of any lease store.
export { createLeaseApp, type LeaseApp, type LeaseAppOptions } from './app.js';
export {
  ConfigError,
  DEFAULT_HOST,
  DEFAULT_PORT,
  DEFAULT_STORE,
  resolveServerConfig,
  type ServerConfig,
  type ServerSettings,
} from './config.js';
export { logLoss } from './loss-log.js';
export { isPassing, type RunningServer, type ServerParts, startServer } from './server.js';
export type { Page } from './status-routes.js';
export type { Store } from './store.js';
export { hashToken, type Scope, type Token } from './tokens.js';
