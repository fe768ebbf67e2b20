// Health, metrics, the OpenAPI document, and the page.
import type { Metrics } from './metrics.js';
import { openApiDocument } from './openapi.js';
import type { Route } from './route.js';
import * as schemas from './schemas.js';
import { statusPage } from './status-page.js';

/** A page that the server is handed: the files by their paths, `/` the first of them. */
export type Page = ReadonlyMap<
  string,
  { readonly type: string; readonly body: string | Uint8Array<ArrayBuffer> }
>;

export interface StatusServices {
  readonly metrics: Metrics;
  readonly version: string;
  /** Whether the server wants requests now: its store answers, and it is not about to stop. */
  readonly readiness: () => { readonly isReady: boolean; readonly store: string };
  readonly page: Page | undefined;
}

export function statusRoutes(
  { metrics, version, readiness, page }: StatusServices,
  others: readonly Route[],
): Route[] {
  const files: Page =
    page ?? new Map([['/', { type: 'text/html; charset=utf-8', body: statusPage(version) }]]);
  const routes: Route[] = [
    {
      method: 'GET',
      path: '/livez',
      summary: 'The process lives',
      answers: { 200: { content: schemas.health, description: 'it does' } },
      handle: () => Response.json({ status: 'live' }),
    },
    {
      method: 'GET',
      path: '/readyz',
      summary: 'The server wants requests',
      answers: {
        200: { content: schemas.health, description: 'it does' },
        503: { content: schemas.health, description: 'its store does not answer, or it is about to stop' },
      },
      handle: () => {
        const { isReady, store } = readiness();
        return Response.json(
          { status: isReady ? 'ready' : 'not ready', store },
          { status: isReady ? 200 : 503 },
        );
      },
    },
    {
      method: 'GET',
      path: '/metrics',
      summary: 'Metrics in the text format of Prometheus',
      scope: 'observe',
      answers: { 200: { content: 'text/plain', description: 'the metrics' } },
      handle: async () =>
        new Response(await metrics.registry.metrics(), {
          headers: { 'content-type': metrics.registry.contentType },
        }),
    },
    ...[...files].map(
      ([path, { type, body }]): Route => ({
        method: 'GET',
        path,
        summary: 'The page',
        answers: { 200: { content: type, description: 'a file of the page' } },
        handle: () => new Response(body, { headers: { 'content-type': type } }),
      }),
    ),
  ];
  const document: Route = {
    method: 'GET',
    path: '/openapi.json',
    summary: 'This document',
    answers: { 200: { content: 'application/json', description: 'OpenAPI 3.1' } },
    handle: () => Response.json(described),
  };
  const described = openApiDocument([...others, ...routes, document], version);
  return [...routes, document];
}
