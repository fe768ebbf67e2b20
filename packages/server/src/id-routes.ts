// IDs over HTTP, for programs without a client.
import { DEFAULT_SERVICE } from 'kazahana/lease';
import type { Metrics } from './metrics.js';
import { IDS_PER_TURN, type Minter } from './minter.js';
import type { RateLimiter } from './rate-limiter.js';
import { type Route, route } from './route.js';
import * as schemas from './schemas.js';
import { authorize } from './tokens.js';

export function idRoutes(minter: Minter, limiter: RateLimiter, metrics: Metrics): Route[] {
  return [
    route({
      method: 'POST',
      path: '/ids',
      summary: 'Make IDs, for programs without a client',
      scope: 'mint',
      body: schemas.idsRequest,
      responses: { 200: { content: schemas.idsResponse, description: 'as many as the request says' } },
      async handle({ context, caller, body: { count, serviceId = DEFAULT_SERVICE } }) {
        authorize(caller, 'mint', serviceId);
        // The first turn is paid for like any other request.
        limiter.charge(caller, Math.ceil(count / IDS_PER_TURN) - 1);
        const ids = await minter.mint(serviceId, count);
        metrics.minted.inc({ service: metrics.service(serviceId) }, ids.length);
        return context.json({ ids: ids.map(String) });
      },
    }),
  ];
}
