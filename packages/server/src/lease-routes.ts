// The wire protocol of leases: acquire and release.
import { createHash } from 'node:crypto';
import { type AcquireOptions, type LeaseAccount, PoolExhaustedError } from 'kazahana/lease';
import type { AcquireResult, Metrics, ReleaseResult } from './metrics.js';
import { isStoreFailure } from './problem.js';
import { type Route, route } from './route.js';
import * as schemas from './schemas.js';
import { seconds } from './stopwatch.js';
import type { MeasuredStore } from './store.js';
import { authorize, type Caller } from './tokens.js';

const DEFAULT_SERVICE = 'default';

/** The request as the store gets it from this caller. */
function onBehalfOf({ name, token }: Caller, options: AcquireOptions): AcquireOptions {
  const { requestId, ...rest } = options;
  if (!token || requestId === undefined) return options;
  // Another caller must not get secrets for guessing a request ID, so the store knows requests by the name of their
  // caller, too. As a hash, because the store limits the length of names.
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
  'every slot is held': 'exhausted',
  'in quarantine': 'in quarantine',
  'the quota is used up': 'over quota',
  'the layout is changing': 'exhausted',
};

function acquireResult(error: unknown): AcquireResult {
  if (error instanceof PoolExhaustedError) return ACQUIRE_RESULTS[error.reason] ?? 'exhausted';
  if (isStoreFailure(error)) return 'store failure';
  const { code } = (error ?? {}) as { code?: unknown };
  return code === 'TOO_MANY_LEASES' ? 'too many' : code === 'POOL_MISMATCH' ? 'mismatch' : 'refused';
}

function releaseResult(error: unknown): ReleaseResult {
  if (isStoreFailure(error)) return 'store failure';
  const { code } = (error ?? {}) as { code?: unknown };
  if (code === 'STALE_SIGNATURE') return 'stale';
  return code === 'LEASE_NOT_FOUND' || code === 'INVALID_SIGNATURE' ? 'not found' : 'refused';
}

export function leaseRoutes(store: MeasuredStore, metrics: Metrics): Route[] {
  const releaseRoute = (method: Route['method'], path: string, summary: string) =>
    route({
      method,
      path,
      summary,
      scope: 'acquire',
      params: schemas.leaseParams,
      body: schemas.releaseRequest,
      responses: { 204: { description: 'released' } },
      async handle({ context, caller, params, body }) {
        const { serviceId = DEFAULT_SERVICE, signature, timestamp, report } = body;
        authorize(caller, 'acquire', serviceId);
        try {
          const release = { id: Number(params.id), signature, timestamp, serviceId };
          await store.call('release', (provider, call) => provider.release(release, call));
          metrics.releases.inc({ result: 'released' });
          if (report) metrics.reported(serviceId, report);
          return context.body(null, 204);
        } catch (error) {
          metrics.releases.inc({ result: releaseResult(error) });
          throw error;
        }
      },
    });
  return [
    route({
      method: 'POST',
      path: '/lease',
      summary: 'Lease one or more machine IDs',
      scope: 'acquire',
      body: schemas.acquireRequest,
      responses: { 200: { content: schemas.acquireResponse, description: 'the leases' } },
      async handle({ context, caller, body }) {
        const { serviceId = DEFAULT_SERVICE, requestId, report } = body;
        authorize(caller, 'acquire', serviceId);
        const options = onBehalfOf(caller, body as AcquireOptions);
        const account = accountOf(caller);
        const started = seconds();
        try {
          const response = await store.call('acquire', (provider, call) =>
            provider.acquire(options, {
              ...call,
              isTrusted: isTrusted(caller),
              caller: caller.name,
              ...(account && { account }),
            }),
          );
          // A repeated response was counted when it was given first, by this server or another.
          if (report && !response.isRepeated) metrics.reported(serviceId, report);
          metrics.acquired(serviceId, 'granted', response.leases.length, seconds() - started);
          return context.json(requestId === undefined ? response : { ...response, requestId });
        } catch (error) {
          metrics.acquired(serviceId, acquireResult(error), 0, seconds() - started);
          throw error;
        }
      },
    }),
    releaseRoute('DELETE', '/lease/{id}', 'Give a lease back'),
    releaseRoute(
      'POST',
      '/lease/{id}/release',
      'Give a lease back, for proxies that drop the body of a DELETE',
    ),
  ];
}
