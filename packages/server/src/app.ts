// The whole server as a function from Request to Response: it runs wherever there is `fetch`, and is tested without a
// socket. What surrounds every route is here: who calls, how often, what headers an answer has, what is counted.
import { Hono } from 'hono';
import { defaultEnvironment, type Environment, type PoolsOptions, resolvePools } from 'kazahana/lease';
import { generateV7 } from 'kazahana/uuid';
import { type Logger, pino } from 'pino';
import { FleetReports } from './fleet-reports.js';
import { idRoutes } from './id-routes.js';
import { leaseRoutes } from './lease-routes.js';
import { type BuildInfo, Metrics } from './metrics.js';
import { Minter } from './minter.js';
import { PoolEvents } from './pool-events.js';
import { poolRoutes } from './pool-routes.js';
import { INTERNAL_PROBLEM, problemResponse, Refusal, toProblem } from './problem.js';
import { RateLimiter } from './rate-limiter.js';
import { honoPath, type Route } from './route.js';
import { type Page, statusRoutes } from './status-routes.js';
import { MeasuredStore, type Store } from './store.js';
import { reasonOf, StoreWatch } from './store-watch.js';
import { ANYBODY, authorize, type Token, Tokens } from './tokens.js';

export interface LeaseAppOptions extends PoolsOptions {
  readonly store: Store;
  /** Who may do what; with none, everybody may do everything. */
  readonly tokens?: readonly Token[];
  /** Names that a request's Host header may have; any when left out. */
  readonly hosts?: readonly string[];
  /** What is served at `/`; a few words when left out. */
  readonly page?: Page;
  readonly build?: Partial<BuildInfo>;
  readonly log?: Logger;
  readonly maxWatchers?: number;
  readonly environment?: Environment;
}

const DEFAULT_MAX_WATCHERS = 100;

/** For every answer. Nothing but the page's own files may be loaded by the page, and nothing may frame it. */
const HEADERS: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; " +
    "manifest-src 'self'; worker-src 'self' blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/** A request id as sent by a proxy in front, if it is one that can stand in a log. */
const REQUEST_ID = /^[\w.:-]{1,100}$/;

export interface LeaseApp {
  readonly fetch: (request: Request) => Response | Promise<Response>;
  readonly routes: readonly Route[];
  /** Looks at the store; what is wrong with the configuration is thrown. */
  check(): Promise<void>;
  /** Keeps looking at the store, for `/readyz` and the metrics. */
  start(): void;
  /** `/readyz` says no from now on. */
  drain(): void;
  /** Ends streams and gives back the leases of `/ids`. */
  close(): Promise<void>;
}

export function createLeaseApp(options: LeaseAppOptions): LeaseApp {
  const { environment = defaultEnvironment, hosts, maxWatchers = DEFAULT_MAX_WATCHERS } = options;
  const log = options.log ?? pino({ level: 'silent' });
  const version = options.build?.version ?? '0.0.0';
  const pools = resolvePools(options);
  const metrics = new Metrics(['default', ...Object.keys(options.services ?? {})], {
    version,
    store: options.build?.store ?? 'unknown',
  });
  const store = new MeasuredStore(options.store, metrics, environment);
  const tokens = new Tokens(options.tokens ?? []);
  const limiter = new RateLimiter(environment);
  const minter = new Minter(options.store, environment);
  const events = new PoolEvents(store, environment);
  const watch = new StoreWatch({ store, poolNames: pools.poolNames, metrics, log, environment });
  let isDraining = false;

  const main = [
    ...leaseRoutes({ store, metrics, reports: new FleetReports(metrics) }),
    ...idRoutes({ minter, pools, metrics }),
    ...poolRoutes({ store, pools, events, log, maxWatchers }),
  ];
  const readiness = () => ({ isReady: watch.isUp && !isDraining, store: watch.isUp ? 'up' : 'down' });
  const routes = [...main, ...statusRoutes({ metrics, version, readiness, page: options.page }, main)];

  const admit = (request: Request, { scope }: Route) => {
    if (hosts && !hosts.includes(hostOf(request))) {
      throw new Refusal(421, 'MISDIRECTED', 'this server is not called by that name');
    }
    if (scope === undefined) return ANYBODY;
    const caller = tokens.authenticate(request.headers.get('authorization') ?? undefined);
    limiter.take(caller.name, caller.token?.requestsPerSecond ?? Number.POSITIVE_INFINITY);
    authorize(caller, scope);
    return caller;
  };

  /** An answer in the end, whatever happens; with the headers that all have, and counted. */
  const finish = (request: Request, route: string, response: Response, requestId: string): Response => {
    for (const [name, value] of Object.entries(HEADERS)) response.headers.set(name, value);
    response.headers.set('x-request-id', requestId);
    const method = METHODS.includes(request.method) ? request.method : 'other';
    metrics.answered(route, method, response.status);
    return response;
  };
  const refuse = (error: unknown, requestId: string): Response => {
    const problem = toProblem(error);
    if (!problem) log.error({ requestId, reason: reasonOf(error), err: error }, 'a request has failed');
    return problemResponse(problem ?? INTERNAL_PROBLEM);
  };
  const requestIdOf = (request: Request) => {
    const given = request.headers.get('x-request-id');
    return given !== null && REQUEST_ID.test(given) ? given : generateV7();
  };

  const app = new Hono();
  for (const route of routes) {
    app.on(route.method, honoPath(route), async (context) => {
      const request = context.req.raw;
      const requestId = requestIdOf(request);
      let response: Response;
      try {
        const caller = admit(request, route);
        const params = context.req.param() as Record<string, string>;
        response = await route.handle({ context, request, caller, params, query: context.req.query() });
      } catch (error) {
        response = refuse(error, requestId);
      }
      return finish(request, route.path, response, requestId);
    });
  }
  const allowed = Map.groupBy(routes, honoPath);
  for (const [path, ofPath] of allowed) {
    const allow = ofPath.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ');
    app.all(path, (context) => {
      const request = context.req.raw;
      const error = new Refusal(405, 'METHOD_NOT_ALLOWED', `allowed: ${allow}`, {}, { allow });
      const requestId = requestIdOf(request);
      return finish(request, ofPath[0]?.path ?? UNKNOWN, refuse(error, requestId), requestId);
    });
  }
  const unknown = (request: Request, error: unknown) => {
    const requestId = requestIdOf(request);
    return finish(request, UNKNOWN, refuse(error, requestId), requestId);
  };
  app.notFound((context) =>
    unknown(context.req.raw, new Refusal(404, 'NOT_FOUND', 'there is nothing here; see /openapi.json')),
  );
  app.onError((error, context) => unknown(context.req.raw, error));

  return {
    fetch: (request) => app.fetch(request),
    routes,
    check: () => watch.look(),
    start: () => void watch.run(),
    drain: () => {
      isDraining = true;
    },
    close: async () => {
      isDraining = true;
      watch.stop();
      events.close();
      await minter.close();
    },
  };
}

/** Labels of metrics: whoever invents methods and paths must not make new series. */
const UNKNOWN = 'unknown';
const METHODS = ['GET', 'HEAD', 'POST', 'DELETE'];

/** Without its port. */
function hostOf(request: Request): string {
  return URL.canParse(request.url) ? new URL(request.url).hostname : '';
}
