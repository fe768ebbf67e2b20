// The whole server as a function from Request to Response: it runs wherever there is `fetch`, and is tested without a
// socket. What surrounds every route is here: callers, rates, headers of responses, counts.
import { type Context, Hono } from 'hono';
import { methodNotAllowed } from 'hono/method-not-allowed';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import {
  DEFAULT_SERVICE,
  defaultEnvironment,
  type Environment,
  type PoolsOptions,
  resolvePools,
} from 'kazahana/lease';
import { generateV7 } from 'kazahana/uuid';
import { type Logger, pino } from 'pino';
import { readBody, validate } from './body.js';
import { idRoutes } from './id-routes.js';
import { leaseRoutes } from './lease-routes.js';
import { type BuildInfo, Metrics } from './metrics.js';
import { Minter } from './minter.js';
import { PoolEvents } from './pool-events.js';
import { poolRoutes } from './pool-routes.js';
import { INTERNAL_REFUSAL, Refusal, toProblem, toRefusal } from './problem.js';
import { RateLimiter } from './rate-limiter.js';
import { logRefusedCallers } from './refused-callers.js';
import { COMMON_HEADERS, SHORT_KEEP_ALIVE } from './response-headers.js';
import type { AppEnv, Route } from './route.js';
import { type Page, statusRoutes } from './status-routes.js';
import { measured, type Store } from './store.js';
import { reasonOf, StoreWatch } from './store-watch.js';
import { authorize, type Caller, type Token, Tokens, UNKNOWN_CALLER } from './tokens.js';

export interface LeaseAppOptions extends PoolsOptions {
  readonly store: Store;
  /** Without tokens every caller may do everything. */
  readonly tokens?: readonly Token[];
  /** Whether the name in a request's Host header is one of this server; any is when left out. */
  readonly isOwnHost?: (name: string) => boolean;
  /** The files at `/`; a few words when left out. */
  readonly page?: Page;
  readonly build?: Partial<BuildInfo>;
  readonly log?: Logger;
  readonly maxWatchers?: number;
  readonly environment?: Environment;
}

/**
 * A request ID from a proxy in front, if it can stand in a log. The middleware of hono takes no dots or colons, which trace
 * IDs have: app.test.ts, "has an id, its own or the one that was given".
 */
const REQUEST_ID = /^[\w.:-]{1,100}$/;

export interface LeaseApp {
  /** With `{ address }` the log knows where a request comes from; servers that pass something else do no harm. */
  readonly fetch: (request: Request, from?: object) => Promise<Response>;
  readonly routes: readonly Route[];
  /** Looks at the store; throws when it contradicts the configuration. */
  check(): Promise<void>;
  /** Keeps looking at the store, for `/readyz` and the metrics. */
  start(): void;
  /** Takes other tokens than it began with; leases go on, event streams end and may begin again. */
  replaceTokens(tokens: readonly Token[]): void;
  /** `/readyz` says no from now on, and event streams end. */
  drain(): void;
  /** Gives back the leases of `/ids`. Call it after the last request. */
  close(): Promise<void>;
}

/** Labels of metrics: a client that invents methods and paths must not make new series. */
const UNKNOWN = 'unknown';
const METHODS = ['GET', 'HEAD', 'POST', 'DELETE'];

export function createLeaseApp(options: LeaseAppOptions): LeaseApp {
  const { environment = defaultEnvironment, isOwnHost = () => true, maxWatchers = 100 } = options;
  const log = options.log ?? pino({ level: 'silent' });
  const { version = '0.0.0', store: storeName = 'unknown' } = options.build ?? {};
  const pools = resolvePools(options);
  const services = [DEFAULT_SERVICE, ...Object.keys(options.services ?? {})];
  const metrics = new Metrics(services, { version, store: storeName });
  const callStore = measured(options.store, metrics, environment);
  const tokens = new Tokens(options.tokens ?? []);
  const limiter = new RateLimiter(environment);
  const logRefused = logRefusedCallers(log, environment);
  const minter = new Minter(options.store, pools, environment);
  const events = new PoolEvents(callStore, environment);
  const watch = new StoreWatch({ callStore, poolNames: pools.poolNames, metrics, log, environment });
  const hasTokens = (options.tokens ?? []).length > 0;
  let isDraining = false;

  const main = [
    ...leaseRoutes(callStore, metrics),
    ...idRoutes(minter, limiter, metrics),
    ...poolRoutes({ callStore, pools, events, log, maxWatchers }),
  ];
  const readiness = () => ({ isReady: watch.isUp && !isDraining, store: watch.isUp ? 'up' : 'down' });
  const routes = [...main, ...statusRoutes({ metrics, version, readiness, page: options.page }, main)];

  const admit = (context: Context<AppEnv>, { scope }: Route): Caller => {
    if (scope === undefined) return UNKNOWN_CALLER;
    const caller = tokens.authenticate(context.req.header('authorization'));
    context.set('caller', caller.name);
    limiter.take(caller);
    context.set('isKnown', true);
    authorize(caller, scope);
    return caller;
  };
  const refuse = (context: Context<AppEnv>, error: unknown): Response => {
    const refusal = toRefusal(error);
    const requestId = context.get('requestId');
    if (!refusal) log.error({ requestId, reason: reasonOf(error), err: error }, 'a request has failed');
    const { status, headers, body } = toProblem(refusal ?? INTERNAL_REFUSAL);
    if (refusal && (status === 401 || status === 403)) {
      const { caller, route = UNKNOWN } = context.var;
      const { address } = context.env;
      logRefused({ caller, address, code: refusal.code, method: context.req.method, route, requestId });
    }
    return context.body(body, status as ContentfulStatusCode, headers);
  };

  const app = new Hono<AppEnv>();
  app.use(async (context, next) => {
    const given = context.req.header('x-request-id') ?? '';
    const requestId = REQUEST_ID.test(given) ? given : generateV7();
    context.set('requestId', requestId);
    context.header('x-request-id', requestId);
    for (const [name, value] of Object.entries(COMMON_HEADERS)) context.header(name, value);
    await next();
    if (hasTokens && !context.get('isKnown')) context.header('keep-alive', `timeout=${SHORT_KEEP_ALIVE}`);
    const { method } = context.req;
    metrics.requests.inc({
      route: context.get('route') ?? UNKNOWN,
      method: METHODS.includes(method) ? method : 'other',
      status: context.res.status,
    });
  });
  app.use(
    methodNotAllowed({
      app,
      onMethodNotAllowed(context, methods) {
        const allow = methods.join(', ');
        return refuse(context, new Refusal(405, 'METHOD_NOT_ALLOWED', `allowed: ${allow}`, {}, { allow }));
      },
    }),
  );
  app.use((context, next) => {
    if (isOwnHost(new URL(context.req.url).hostname)) return next();
    throw new Refusal(
      421,
      'MISDIRECTED',
      'this server does not have that name; its setting hostNames lists its names',
    );
  });
  for (const route of routes) {
    app.on(route.method, route.path.replace(/\{(\w+)\}/g, ':$1'), async (context) => {
      context.set('route', route.path);
      const caller = admit(context, route);
      const params = route.params && validate(route.params, context.req.param());
      const query = route.query && validate(route.query, context.req.query());
      const body = route.body && (await readBody(context, route.body));
      return route.handle({ context, caller, params, query, body });
    });
  }
  app.notFound((context) => refuse(context, new Refusal(404, 'NOT_FOUND', NOTHING_HERE)));
  app.onError((error, context) => refuse(context, error));

  const drain = () => {
    isDraining = true;
    events.close();
  };
  return {
    fetch: async (request, from) => {
      const { address } = Object(from) as { readonly address?: unknown };
      return app.fetch(request, typeof address === 'string' ? { address } : {});
    },
    routes,
    check: () => watch.look(),
    start: () => void watch.run(),
    replaceTokens(next) {
      tokens.replace(next);
      events.endOpen();
    },
    drain,
    async close() {
      drain();
      watch.stop();
      await minter.close();
    },
  };
}

const NOTHING_HERE = 'there is nothing here; see /openapi.json';
