// An app over memory in virtual time, and the means to call it with a token.
import { type LeaseInfo, signRelease } from 'kazahana/lease';
import { virtualEnvironment } from 'kazahana/testing';
import { createLeaseApp, type LeaseAppOptions } from '../../packages/server/src/app.ts';
import { hashToken, type Token } from '../../packages/server/src/tokens.ts';
import { BreakableStore } from './breakable-store.ts';
import { collectingLog } from './log.ts';
import { metricOf } from './metric-lines.ts';
import { ask, type Call } from './requests.ts';

/** The token of a caller, as it is sent … */
export const tokenText = (name: string) => `token-of-${name}-0123456789`;

/** … and as the server keeps it. */
export function token(name: string, more: Partial<Token> = {}): Token {
  return {
    name,
    sha256: hashToken(tokenText(name)),
    scopes: ['acquire', 'observe', 'mint', 'operate'],
    services: '*',
    maxLeases: Number.POSITIVE_INFINITY,
    requestsPerSecond: 1000,
    ...more,
  };
}

export function serving({ at, ...options }: Partial<LeaseAppOptions> & { at?: number } = {}) {
  const environment = virtualEnvironment(at === undefined ? {} : { at });
  const { log, lines } = collectingLog();
  const { services, pools } = options;
  const store = new BreakableStore({
    environment,
    ...(services && { services }),
    ...(pools && { pools }),
    serviceShare: 1,
  });
  const app = createLeaseApp({ store, environment, log, ...options });
  const as = (name: string, path: string, call: Call = {}) =>
    ask(app, path, { ...call, headers: { authorization: `Bearer ${tokenText(name)}`, ...call.headers } });
  const metric = async (series: string) => metricOf((await ask(app, '/metrics')).text, `kazahana_${series}`);
  return { environment, store, app, lines, as, metric };
}

/** The body of a release. */
export const releaseOf = ({ id, secret }: LeaseInfo, timestamp: number) => ({
  timestamp,
  signature: signRelease(secret, id, timestamp),
});
