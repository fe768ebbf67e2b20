// IDs over HTTP, for programs without a client.
import type { ResolvedPools } from 'kazahana/lease';
import type { Metrics } from './metrics.js';
import type { Minter } from './minter.js';
import { type Route, route } from './route.js';
import * as schemas from './schemas.js';
import { authorize } from './tokens.js';

export function idRoutes(minter: Minter, pools: ResolvedPools, metrics: Metrics): Route[] {
  return [
    route({
      method: 'POST',
      path: '/ids',
      summary: 'Make IDs, for programs without a client',
      scope: 'mint',
      body: schemas.idsRequest,
      responses: { 200: { content: schemas.idsResponse, description: 'as many as the request says' } },
      async handle({ context, caller, body: { count, serviceId = 'default' } }) {
        authorize(caller, 'mint', serviceId);
        const ids = await minter.mint(pools.service(serviceId).pool, serviceId, count);
        metrics.minted(serviceId, ids.length);
        return context.json({ ids: ids.map(String) });
      },
    }),
  ];
}
