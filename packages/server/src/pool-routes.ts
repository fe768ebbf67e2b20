// What operators and the page see and do: the pool, its events, and the operator's verbs.
import type { ResolvedPools } from 'kazahana/lease';
import type { Logger } from 'pino';
import { readBody, validate } from './body.js';
import { type PoolEvents, readPool } from './pool-events.js';
import { Refusal } from './problem.js';
import { json, NO_CONTENT, type Reply } from './reply.js';
import type { Call, Route } from './route.js';
import * as schemas from './schemas.js';
import type { MeasuredStore } from './store.js';
import type { Caller } from './tokens.js';

export interface PoolServices {
  readonly store: MeasuredStore;
  readonly pools: ResolvedPools;
  readonly events: PoolEvents;
  readonly log: Logger;
  readonly maxWatchers: number;
}

const DEFAULT_POOL = 'default';

export function poolRoutes({ store, pools, events, log, maxWatchers }: PoolServices): Route[] {
  /** The pool that is meant, if there is one and the caller may know it. */
  const visiblePool = ({ token }: Caller, name = DEFAULT_POOL): string => {
    const services = token?.services ?? '*';
    const isTheirs = services === '*' || services.some((serviceId) => pools.service(serviceId).pool === name);
    if (isTheirs && pools.poolNames.includes(name)) return name;
    throw new Refusal(404, 'POOL_NOT_FOUND', 'there is no such pool, or this token is for others');
  };
  const poolOfQuery = ({ caller, query }: Call) =>
    visiblePool(caller, validate(schemas.poolQuery, query()).pool);

  const read = async (call: Call) => {
    const name = poolOfQuery(call);
    const names = pools.poolNames.filter((other) => isVisible(call.caller, other));
    return json({ pools: names, ...(await readPool(store, name)) });
  };
  const isVisible = (caller: Caller, name: string) => {
    try {
      return visiblePool(caller, name) === name;
    } catch {
      return false;
    }
  };

  const watch = (call: Call): Reply => {
    const name = poolOfQuery(call);
    if (events.watchers >= maxWatchers) {
      throw new Refusal(
        503,
        'TOO_MANY_WATCHERS',
        `at most ${maxWatchers} may watch`,
        {},
        { 'retry-after': '5' },
      );
    }
    return {
      status: 200,
      // A proxy that gathers the stream would keep its events back.
      headers: { 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' },
      body: call.request.method === 'HEAD' ? null : events.watch(name),
    };
  };

  const create = async ({ request, caller }: Call) => {
    const { pool, afterLoss = false } = await readBody(request, schemas.createPoolRequest);
    const name = visiblePool(caller, pool);
    const state = await store.call('create', (inspector) => inspector.createPool({ pool: name, afterLoss }));
    log.warn({ pool: name, caller: caller.name, afterLoss }, 'pool created');
    return json(state);
  };

  const whois = async (call: Call) => {
    const { id } = validate(schemas.idParams, call.params());
    const name = poolOfQuery(call);
    return json({ id, ...(await store.call('whois', (inspector) => inspector.whois(BigInt(id), name))) });
  };

  const quarantine = async ({ request, caller }: Call) => {
    const { pool } = await readBody(request, schemas.quarantineRequest);
    const name = visiblePool(caller, pool);
    const state = await store.call('quarantine', (inspector) => inspector.quarantine(name));
    log.warn({ pool: name, caller: caller.name, until: state.quarantinedUntil }, 'pool put into quarantine');
    return json(state);
  };

  const revoke = async ({ request, caller }: Call) => {
    const { id, pool } = await readBody(request, schemas.revokeRequest);
    const name = visiblePool(caller, pool);
    await store.call('revoke', (inspector) => inspector.revoke({ id, pool: name }));
    log.warn({ pool: name, caller: caller.name, id }, 'lease revoked');
    return NO_CONTENT;
  };

  const changeLayout = async ({ request, caller }: Call) => {
    const { bitId, bitSeq, pool } = await readBody(request, schemas.layoutRequest);
    const name = visiblePool(caller, pool);
    const state = await store.call('layout', (inspector) =>
      inspector.changeLayout({ bitId, bitSeq, pool: name }),
    );
    log.warn({ pool: name, caller: caller.name, bitId, bitSeq }, 'layout of the pool changed');
    return json(state);
  };

  const state = { 200: { content: schemas.inspectedPool, description: 'the pool afterwards' } };
  return [
    {
      method: 'GET',
      path: '/pool',
      summary: 'A pool and its leases',
      scope: 'observe',
      query: schemas.poolQuery,
      answers: { 200: { content: schemas.poolResponse, description: 'the pool now' } },
      handle: read,
    },
    {
      method: 'GET',
      path: '/pool/events',
      summary: 'A pool as it changes: `state` first, then `change`; `unavailable` while the store is away',
      scope: 'observe',
      query: schemas.poolQuery,
      answers: { 200: { content: 'text/event-stream', description: 'server-sent events' } },
      handle: watch,
    },
    {
      method: 'GET',
      path: '/whois/{id}',
      summary: 'Which service, host and process made an ID, as far as its slot remembers',
      scope: 'observe',
      params: schemas.idParams,
      query: schemas.poolQuery,
      answers: { 200: { content: schemas.whoisResponse, description: 'the maker, or null' } },
      handle: whois,
    },
    {
      method: 'POST',
      path: '/pool/create',
      summary:
        'Make a pool that is missing; afterLoss: in quarantine, because leases of a lost one may be out',
      scope: 'operate',
      body: schemas.createPoolRequest,
      answers: state,
      handle: create,
    },
    {
      method: 'POST',
      path: '/pool/quarantine',
      summary: 'Stop granting until every lease that could be out has ended; for after a restored backup',
      scope: 'operate',
      body: schemas.quarantineRequest,
      answers: state,
      handle: quarantine,
    },
    {
      method: 'POST',
      path: '/pool/revoke',
      summary:
        'Forget a lease, so that it cannot be released; its machine ID stays held until its windows end',
      scope: 'operate',
      body: schemas.revokeRequest,
      answers: { 204: { description: 'revoked' } },
      handle: revoke,
    },
    {
      method: 'POST',
      path: '/pool/layout',
      summary: 'Change how many bits are machine ID and how many sequence, while leases live',
      scope: 'operate',
      body: schemas.layoutRequest,
      answers: state,
      handle: changeLayout,
    },
  ];
}
