// IDs over HTTP, for programs without a client.
import type { ResolvedPools } from 'kazahana/lease';
import { readBody } from './body.js';
import type { Metrics } from './metrics.js';
import type { Minter } from './minter.js';
import { json, type Reply } from './reply.js';
import type { Call, Route } from './route.js';
import * as schemas from './schemas.js';
import { authorize } from './tokens.js';

export interface IdServices {
  readonly minter: Minter;
  readonly pools: ResolvedPools;
  readonly metrics: Metrics;
}

export function idRoutes({ minter, pools, metrics }: IdServices): Route[] {
  const mint = async ({ request, caller }: Call): Promise<Reply> => {
    const { count, serviceId = 'default' } = await readBody(request, schemas.idsRequest);
    authorize(caller, 'mint', serviceId);
    const ids = await minter.mint(pools.service(serviceId).pool, serviceId, count);
    metrics.minted(serviceId, ids.length);
    return json({ ids: ids.map(String) });
  };
  return [
    {
      method: 'POST',
      path: '/ids',
      summary: 'Make IDs, for programs without a client',
      scope: 'mint',
      body: schemas.idsRequest,
      answers: { 200: { content: schemas.idsResponse, description: 'as many as were asked for' } },
      handle: mint,
    },
  ];
}
