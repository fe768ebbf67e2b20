// The wire protocol of leases: acquire and release.
import { createHash } from 'node:crypto';
import {
  type AcquireOptions,
  type ClientReport,
  type LeaseAccount,
  PoolExhaustedError,
  StoreError,
} from 'kazahana/lease';
import { readBody, validate } from './body.js';
import type { AcquireResult, Metrics, ReleaseResult } from './metrics.js';
import { json, NO_CONTENT, type Reply } from './reply.js';
import type { Call, Route } from './route.js';
import * as schemas from './schemas.js';
import { seconds } from './stopwatch.js';
import type { MeasuredStore } from './store.js';
import { authorize, type Caller } from './tokens.js';

export interface LeaseServices {
  readonly store: MeasuredStore;
  readonly metrics: Metrics;
}

const DEFAULT_SERVICE = 'default';

/** The request as the store gets it for a caller with a token. */
function onBehalfOf({ name }: Caller, { requestId, ...rest }: AcquireOptions): AcquireOptions {
  if (requestId === undefined) return rest;
  // Another caller must not get secrets for guessing a request's name, so the store knows requests by their caller's
  // name, too. As a hash, because the store limits the length of names.
  return { ...rest, requestId: createHash('sha256').update(`${name}\n${requestId}`).digest('hex') };
}

/** Rule R7: whether the caller's claims are believed without proof, because it could stop the pool anyway. */
function isTrusted({ token }: Caller): boolean {
  return token === undefined || token.scopes.includes('operate');
}

function accountOf({ token }: Caller): LeaseAccount | undefined {
  if (!token || token.maxLeases === Number.POSITIVE_INFINITY) return undefined;
  return { name: token.name, maxLeases: token.maxLeases };
}

const ACQUIRE_RESULTS: Readonly<Record<string, AcquireResult>> = {
  'every slot is taken': 'exhausted',
  'in quarantine': 'in quarantine',
  'the quota is used up': 'over quota',
  'the layout is changing': 'exhausted',
};

function acquireResult(error: unknown): AcquireResult {
  if (error instanceof PoolExhaustedError) return ACQUIRE_RESULTS[error.reason] ?? 'exhausted';
  if (error instanceof StoreError) return 'store failure';
  const { code } = (error ?? {}) as { code?: unknown };
  return code === 'TOO_MANY_LEASES' ? 'too many' : code === 'POOL_MISMATCH' ? 'mismatch' : 'refused';
}

function releaseResult(error: unknown): ReleaseResult {
  if (error instanceof StoreError) return 'store failure';
  const { code } = (error ?? {}) as { code?: unknown };
  if (code === 'STALE_SIGNATURE') return 'stale';
  return code === 'LEASE_NOT_FOUND' || code === 'INVALID_SIGNATURE' ? 'not found' : 'refused';
}

export function leaseRoutes({ store, metrics }: LeaseServices): Route[] {
  const acquire = async ({ request, caller }: Call): Promise<Reply> => {
    const body = (await readBody(request, schemas.acquireRequest)) as unknown as AcquireOptions;
    const { serviceId = DEFAULT_SERVICE, requestId, report } = body;
    authorize(caller, 'acquire', serviceId);
    const options = caller.token ? onBehalfOf(caller, body) : body;
    const account = accountOf(caller);
    const started = seconds();
    try {
      const answer = await store.call('acquire', (provider, call) =>
        provider.acquire(options, { ...call, isTrusted: isTrusted(caller), ...(account && { account }) }),
      );
      // A repeated response was counted when it was given first, by this server or another.
      if (report && !answer.isRepeated) metrics.reported(serviceId, report);
      metrics.acquired(serviceId, 'granted', answer.leases.length, seconds() - started);
      return json(
        requestId === undefined || answer.requestId === requestId ? answer : { ...answer, requestId },
      );
    } catch (error) {
      metrics.acquired(serviceId, acquireResult(error), 0, seconds() - started);
      throw error;
    }
  };

  const release = async ({ request, params, caller }: Call): Promise<Reply> => {
    const { id } = validate(schemas.leaseParams, params());
    const body = await readBody(request, schemas.releaseRequest);
    const { serviceId = DEFAULT_SERVICE, signature, timestamp, report } = body;
    authorize(caller, 'acquire', serviceId);
    try {
      await store.call('release', (provider, call) =>
        provider.release({ id: Number(id), signature, timestamp, serviceId }, call),
      );
      metrics.released('released');
      if (report) metrics.reported(serviceId, report as ClientReport);
      return NO_CONTENT;
    } catch (error) {
      metrics.released(releaseResult(error));
      throw error;
    }
  };

  const releaseRoute = {
    scope: 'acquire',
    params: schemas.leaseParams,
    body: schemas.releaseRequest,
    answers: { 204: { description: 'released' } },
    handle: release,
  } as const;
  return [
    {
      method: 'POST',
      path: '/lease',
      summary: 'Lease one or more machine IDs',
      scope: 'acquire',
      body: schemas.acquireRequest,
      answers: { 200: { content: schemas.acquireResponse, description: 'the leases' } },
      handle: acquire,
    },
    { method: 'DELETE', path: '/lease/{id}', summary: 'Give a lease back', ...releaseRoute },
    {
      method: 'POST',
      path: '/lease/{id}/release',
      summary: 'Give a lease back, for proxies that drop the body of a DELETE',
      ...releaseRoute,
    },
  ];
}
