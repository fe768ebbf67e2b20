// What operators and the page see and do: the pool, its events, and the operator's verbs.
import { DEFAULT_POOL, type ResolvedPools } from 'kazahana/lease';
import type { Logger } from 'pino';
import type { PoolEvents } from './pool-events.js';
import { Refusal, retryAfter } from './problem.js';
import { type Route, route } from './route.js';
import * as schemas from './schemas.js';
import { type CallStore, readTotals } from './store.js';
import type { Caller } from './tokens.js';

export interface PoolServices {
  readonly callStore: CallStore;
  readonly pools: ResolvedPools;
  readonly events: PoolEvents;
  readonly log: Logger;
  readonly maxWatchers: number;
}

/** A change of layout reads and writes all slots of a pool. */
const LAYOUT_MS = 120_000;

export function poolRoutes({ callStore, pools, events, log, maxWatchers }: PoolServices): Route[] {
  const isVisible = ({ token }: Caller, name: string) => {
    const services = token?.services ?? '*';
    return services === '*' || services.some((serviceId) => pools.service(serviceId).pool === name);
  };
  /** The pool that the request names, if it exists and the caller may know it. */
  const visiblePool = (caller: Caller, name = DEFAULT_POOL): string => {
    if (pools.poolNames.includes(name) && isVisible(caller, name)) return name;
    throw new Refusal(404, 'POOL_NOT_FOUND', 'there is no such pool, or this token is for others');
  };

  const responses = { 200: { content: schemas.pool, description: 'the pool afterwards' } };
  return [
    route({
      method: 'GET',
      path: '/pool',
      summary: 'A pool and its leases, a page at a time; limit=0: only its totals',
      scope: 'observe',
      query: schemas.poolPageQuery,
      responses: { 200: { content: schemas.poolState, description: 'the pool now' } },
      async handle({ context, caller, query }) {
        const name = visiblePool(caller, query.pool);
        const names = pools.poolNames.filter((other) => isVisible(caller, other));
        const { after = -1, limit = schemas.MAX_PAGE } = query;
        const pool = await readTotals(callStore, name);
        // A lease that comes between the two reads shows in one of them only.
        const leases =
          limit === 0 ? [] : await callStore('list', (store) => store.listLeases(name, { after, limit }));
        const next = leases.length < limit ? null : (leases.at(-1)?.id ?? null);
        return context.json({ pools: names, pool, leases, next });
      },
    }),
    route({
      method: 'GET',
      path: '/pool/events',
      summary: 'The totals of a pool as they change: `pool`; `unavailable` while the store is away',
      scope: 'observe',
      query: schemas.poolQuery,
      responses: { 200: { content: 'text/event-stream', description: 'server-sent events' } },
      handle({ context, caller, query }) {
        const name = visiblePool(caller, query.pool);
        const ownLimit = caller.token?.maxWatchers ?? Number.POSITIVE_INFINITY;
        const isOwn = events.count(caller.name) >= ownLimit;
        if (isOwn || events.count() >= maxWatchers) {
          const detail = isOwn
            ? `this caller may watch ${ownLimit} times`
            : `at most ${maxWatchers} may watch`;
          throw new Refusal(isOwn ? 429 : 503, 'TOO_MANY_WATCHERS', detail, {}, retryAfter(5000));
        }
        // A proxy that buffers the stream would hold its events back.
        const headers = { 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' };
        // hono would drop the stream of a HEAD request without cancelling it.
        if (context.req.method === 'HEAD') return context.body(null, 200, headers);
        return context.body(events.watch(name, caller.name), 200, headers);
      },
    }),
    route({
      method: 'GET',
      path: '/whois/{id}',
      summary: 'Which service, host and process made an ID, as far as its slot remembers',
      scope: 'observe',
      params: schemas.idParams,
      query: schemas.poolQuery,
      responses: { 200: { content: schemas.whois, description: 'the maker, or null' } },
      async handle({ context, caller, params: { id }, query }) {
        const name = visiblePool(caller, query.pool);
        const found = await callStore('whois', (store) => store.whois(BigInt(id), name));
        return context.json({ id, ...found });
      },
    }),
    route({
      method: 'POST',
      path: '/pool/create',
      summary:
        'Make a pool that is missing; afterLoss: in quarantine, because clients may still hold leases of a lost one',
      scope: 'operate',
      body: schemas.createPoolRequest,
      responses,
      async handle({ context, caller, body: { pool, afterLoss = false } }) {
        const name = visiblePool(caller, pool);
        const create = { pool: name, afterLoss };
        const state = await callStore('create', (store) => store.createPool(create));
        log.warn({ pool: name, caller: caller.name, afterLoss }, 'pool created');
        return context.json(state);
      },
    }),
    route({
      method: 'POST',
      path: '/pool/quarantine',
      summary:
        'Stop granting until every lease that clients may still hold has ended; for after a restored backup',
      scope: 'operate',
      body: schemas.quarantineRequest,
      responses,
      async handle({ context, caller, body: { pool } }) {
        const name = visiblePool(caller, pool);
        const state = await callStore('quarantine', (store) => store.quarantine(name));
        const until = state.quarantinedUntil;
        log.warn({ pool: name, caller: caller.name, until }, 'pool put into quarantine');
        return context.json(state);
      },
    }),
    route({
      method: 'POST',
      path: '/pool/revoke',
      summary:
        'Forget a lease, so that it cannot be released; its machine ID stays held until its windows end',
      scope: 'operate',
      body: schemas.revokeRequest,
      responses: { 204: { description: 'revoked' } },
      async handle({ context, caller, body: { id, pool } }) {
        const name = visiblePool(caller, pool);
        await callStore('revoke', (store) => store.revoke({ id, pool: name }));
        log.warn({ pool: name, caller: caller.name, id }, 'lease revoked');
        return context.body(null, 204);
      },
    }),
    route({
      method: 'POST',
      path: '/pool/layout',
      summary: 'Change how many bits are machine ID and how many sequence, while leases live',
      scope: 'operate',
      body: schemas.layoutRequest,
      responses,
      async handle({ context, caller, body: { bitId, bitSeq, pool } }) {
        const name = visiblePool(caller, pool);
        const change = { bitId, bitSeq, pool: name };
        const state = await callStore('layout', (store) => store.changeLayout(change), LAYOUT_MS);
        log.warn({ pool: name, caller: caller.name, bitId, bitSeq }, 'layout of the pool changed');
        return context.json(state);
      },
    }),
  ];
}
