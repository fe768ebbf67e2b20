// The whole server as a function from Request to Response: it runs wherever there is `fetch`, and is tested without a
// socket. What surrounds every route is here: who calls, how often, what headers an answer has, what is counted.
import { type Context, Hono } from 'hono';
import { defaultEnvironment, type Environment, type PoolsOptions, resolvePools } from 'kazahana/lease';
import { generateV7 } from 'kazahana/uuid';
import { type Logger, pino } from 'pino';
import type { Asked } from './asked.js';
import { idRoutes } from './id-routes.js';
import { leaseRoutes } from './lease-routes.js';
import { type BuildInfo, Metrics } from './metrics.js';
import { Minter } from './minter.js';
import { PoolEvents } from './pool-events.js';
import { poolRoutes } from './pool-routes.js';
import { INTERNAL_PROBLEM, problemReply, Refusal, toProblem } from './problem.js';
import { RateLimiter } from './rate-limiter.js';
import { complete, type Reply, toResponse } from './reply.js';
import { honoPath, matchesPath, type Route } from './route.js';
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

/** A request id as sent by a proxy in front, if it is one that can stand in a log. */
const REQUEST_ID = /^[\w.:-]{1,100}$/;

export interface LeaseApp {
  readonly fetch: (request: Request) => Promise<Response>;
  /** The same for those who have no `Request` and want no `Response`. */
  readonly handle: (asked: Asked) => Promise<Reply>;
  readonly routes: readonly Route[];
  /** Looks at the store; what is wrong with the configuration is thrown. */
  check(): Promise<void>;
  /** Keeps looking at the store, for `/readyz` and the metrics. */
  start(): void;
  /** `/readyz` says no from now on, and streams end, which would go on for ever. */
  drain(): void;
  /** Gives back the leases of `/ids`, when nobody asks any more. */
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
  const hostOf = hostReader();
  let isDraining = false;

  const main = [
    ...leaseRoutes({ store, metrics }),
    ...idRoutes({ minter, pools, metrics }),
    ...poolRoutes({ store, pools, events, log, maxWatchers }),
  ];
  const readiness = () => ({ isReady: watch.isUp && !isDraining, store: watch.isUp ? 'up' : 'down' });
  const routes = [...main, ...statusRoutes({ metrics, version, readiness, page: options.page }, main)];

  const admit = (request: Asked, { scope }: Route) => {
    if (hosts && !hosts.includes(hostOf(request))) {
      throw new Refusal(421, 'MISDIRECTED', 'this server is not called by that name');
    }
    if (scope === undefined) return ANYBODY;
    const caller = tokens.authenticate(request.headers.get('authorization') ?? undefined);
    limiter.take(caller.name, caller.token?.requestsPerSecond ?? Number.POSITIVE_INFINITY);
    authorize(caller, scope);
    return caller;
  };

  /** With the headers that all answers have, and counted. */
  const respond = (context: Context<Replying>, route: string, requestId: string, reply: Reply): Response => {
    const { method } = context.req.raw;
    metrics.answered(route, METHODS.includes(method) ? method : 'other', reply.status);
    context.env.reply = complete(reply, { 'x-request-id': requestId });
    return ANSWERED;
  };
  const refusal = (error: unknown, requestId: string): Reply => {
    const problem = toProblem(error);
    if (!problem) log.error({ requestId, reason: reasonOf(error), err: error }, 'a request has failed');
    return problemReply(problem ?? INTERNAL_PROBLEM);
  };
  const requestIdOf = (request: Asked) => {
    const given = request.headers.get('x-request-id');
    return given !== null && REQUEST_ID.test(given) ? given : generateV7();
  };

  const app = new Hono<Replying>();
  for (const route of routes) {
    app.on(route.method, honoPath(route), async (context) => {
      const request = context.req.raw;
      const requestId = requestIdOf(request);
      let reply: Reply;
      try {
        reply = await route.handle({
          request,
          caller: admit(request, route),
          params: () => context.req.param() as Record<string, string>,
          query: () => context.req.query(),
        });
      } catch (error) {
        reply = refusal(error, requestId);
      }
      return respond(context, route.path, requestId, reply);
    });
  }
  const places = routes.map((route) => ({ route, isAt: matchesPath(route) }));
  app.notFound((context) => {
    const request = context.req.raw;
    const requestId = requestIdOf(request);
    const here = places.filter(({ isAt }) => isAt(context.req.path)).map(({ route }) => route);
    const error = here.length > 0 ? wrongMethod(here) : new Refusal(404, 'NOT_FOUND', NOTHING_HERE);
    return respond(context, here[0]?.path ?? UNKNOWN, requestId, refusal(error, requestId));
  });
  app.onError((error, context) => {
    const requestId = requestIdOf(context.req.raw);
    return respond(context, UNKNOWN, requestId, refusal(error, requestId));
  });
  const handle = async (asked: Asked): Promise<Reply> => {
    const answer: Replying['Bindings'] = {};
    // Of a request, hono itself reads no more than its method and its URL.
    await app.fetch(asked as Request, answer);
    const reply = answer.reply ?? complete(problemReply(INTERNAL_PROBLEM));
    return asked.method === 'HEAD' ? { ...reply, body: null } : reply;
  };

  return {
    fetch: async (request) => toResponse(await handle(request)),
    handle,
    routes,
    check: () => watch.look(),
    start: () => void watch.run(),
    drain: () => {
      isDraining = true;
      events.close();
    },
    close: async () => {
      isDraining = true;
      events.close();
      watch.stop();
      await minter.close();
    },
  };
}

/** Handlers leave their reply here, as it is; hono wants a `Response`, and gets one that nobody looks at. */
interface Replying {
  Bindings: { reply?: Reply };
}
const ANSWERED = new Response(null);

const NOTHING_HERE = 'there is nothing here; see /openapi.json';

function wrongMethod(routes: readonly Route[]): Refusal {
  const allow = routes.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ');
  return new Refusal(405, 'METHOD_NOT_ALLOWED', `allowed: ${allow}`, {}, { allow });
}

/** Labels of metrics: whoever invents methods and paths must not make new series. */
const UNKNOWN = 'unknown';
const METHODS = ['GET', 'HEAD', 'POST', 'DELETE'];

/**
 * Reads the name in a request's URL, without its port. Nearly all come by the same name, and to take a URL apart costs
 * more than all else that is asked of a request; so the last one is remembered.
 */
function hostReader(): (request: Asked) => string {
  let last = { origin: '', host: '' };
  return ({ url }) => {
    const origin = url.slice(0, url.indexOf('/', url.indexOf('//') + 2));
    if (origin !== last.origin) last = { origin, host: URL.canParse(url) ? new URL(url).hostname : '' };
    return last.host;
  };
}
