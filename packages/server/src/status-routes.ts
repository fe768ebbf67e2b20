// Health, metrics, the OpenAPI document, and the page.
import type { Metrics } from './metrics.js';
import { openApiDocument } from './openapi.js';
import { json } from './reply.js';
import type { Route } from './route.js';
import * as schemas from './schemas.js';
import { statusPage } from './status-page.js';

/** A page that the server is handed: the files by their paths, `/` the first of them. */
export type Page = ReadonlyMap<
  string,
  { readonly type: string; readonly body: string | Uint8Array<ArrayBuffer> }
>;

/** The page may load its own files and nothing else, talk to its own server, and stand in no frame. */
const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; " +
  "manifest-src 'self'; worker-src 'self' blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** What only documents need. */
const PAGE_HEADERS = {
  'content-security-policy': PAGE_POLICY,
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
};

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
      handle: () => json({ status: 'live' }),
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
        return json({ status: isReady ? 'ready' : 'not ready', store }, isReady ? 200 : 503);
      },
    },
    {
      method: 'GET',
      path: '/metrics',
      summary: 'Metrics in the text format of Prometheus',
      scope: 'observe',
      answers: { 200: { content: 'text/plain', description: 'the metrics' } },
      handle: async () => ({
        status: 200,
        headers: { 'content-type': metrics.contentType },
        body: await metrics.text(),
      }),
    },
    ...[...files].map(
      ([path, { type, body }]): Route => ({
        method: 'GET',
        path,
        summary: 'The page',
        answers: { 200: { content: type, description: 'a file of the page' } },
        handle: () => ({
          status: 200,
          headers: { 'content-type': type, ...PAGE_HEADERS },
          body,
        }),
      }),
    ),
  ];
  const document: Route = {
    method: 'GET',
    path: '/openapi.json',
    summary: 'This document',
    answers: { 200: { content: 'application/json', description: 'OpenAPI 3.1' } },
    handle: () => json(described),
  };
  // The page is one thing for whoever reads the document, however many files it has.
  const isPart = ({ path }: Route) => path !== '/' && files.has(path);
  const described = openApiDocument(
    [...others, ...routes.filter((route) => !isPart(route)), document],
    version,
  );
  return [...routes, document];
}
