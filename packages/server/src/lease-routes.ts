// The wire protocol of leases: acquire and release.
import { createHash } from 'node:crypto';
import { type AcquireOptions, DEFAULT_SERVICE, type LeaseAccount } from 'kazahana/lease';
import { acquireResult, type Metrics, releaseResult } from './metrics.js';
import { type Route, route } from './route.js';
import * as schemas from './schemas.js';
import type { CallStore } from './store.js';
import { authorize, type Caller } from './tokens.js';

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

export function leaseRoutes(callStore: CallStore, metrics: Metrics): Route[] {
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
          await callStore('release', (provider, call) => provider.release(release, call));
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
        const ended = metrics.acquireSeconds.startTimer();
        try {
          const response = await callStore('acquire', (provider, call) =>
            provider.acquire(options, {
              ...call,
              isTrusted: isTrusted(caller),
              caller: caller.name,
              ...(account && { account }),
            }),
          );
          // A repeated response was counted when it was given first, by this server or another.
          if (report && !response.isRepeated) metrics.reported(serviceId, report);
          metrics.acquired(serviceId, 'granted', response.leases.length);
          return context.json(requestId === undefined ? response : { ...response, requestId });
        } catch (error) {
          metrics.acquired(serviceId, acquireResult(error));
          throw error;
        } finally {
          ended();
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
