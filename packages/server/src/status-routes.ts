// Health, metrics, the OpenAPI document, and the page.
import type { Metrics } from './metrics.js';
import { openApiDocument } from './openapi.js';
import { type PageFile, sendFile } from './page-file.js';
import { type Route, route } from './route.js';
import * as schemas from './schemas.js';
import { STATUS_PAGE_STYLE, statusPage } from './status-page.js';

/** The files of a page by their paths, `/` the first of them. */
export type Page = ReadonlyMap<string, PageFile>;

/** The page may load its own files and nothing else, talk to its own server, and stand in no frame. */
const PAGE_POLICY =
  `default-src 'none'; script-src 'self'; style-src 'self' ${STATUS_PAGE_STYLE}; img-src 'self'; connect-src 'self'; ` +
  "manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** For documents only. */
const PAGE_HEADERS = {
  'content-security-policy': PAGE_POLICY,
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
};

export interface StatusServices {
  readonly metrics: Metrics;
  readonly version: string;
  /** Whether the server wants requests now: its store responds, and it is not about to stop. */
  readonly readiness: () => { readonly isReady: boolean; readonly store: string };
  readonly page: Page | undefined;
}

export function statusRoutes(
  { metrics, version, readiness, page }: StatusServices,
  others: readonly Route[],
): Route[] {
  const files: Page =
    page ?? new Map([['/', { type: 'text/html; charset=utf-8', body: statusPage(version) }]]);
  const pageRoutes = [...files].map(([path, file]) =>
    route({
      method: 'GET',
      path,
      summary: 'The page',
      responses: { 200: { content: file.type, description: 'a file of the page' } },
      handle: ({ context }) => sendFile(context, file, PAGE_HEADERS),
    }),
  );
  const routes = [
    route({
      method: 'GET',
      path: '/livez',
      summary: 'The process lives',
      responses: { 200: { content: schemas.health, description: 'it does' } },
      handle: ({ context }) => context.json({ status: 'live' }),
    }),
    route({
      method: 'GET',
      path: '/readyz',
      summary: 'The server wants requests',
      responses: {
        200: { content: schemas.health, description: 'it does' },
        503: { content: schemas.health, description: 'its store does not respond, or it is about to stop' },
      },
      handle({ context }) {
        const { isReady, store } = readiness();
        return context.json({ status: isReady ? 'ready' : 'not ready', store }, isReady ? 200 : 503);
      },
    }),
    route({
      method: 'GET',
      path: '/metrics',
      summary: 'Metrics in the text format of Prometheus',
      scope: 'observe',
      responses: { 200: { content: 'text/plain', description: 'the metrics' } },
      handle: async ({ context }) =>
        context.body(await metrics.text(), 200, { 'content-type': metrics.contentType }),
    }),
    route({
      method: 'GET',
      path: '/openapi.json',
      summary: 'This document',
      responses: { 200: { content: 'application/json', description: 'OpenAPI 3.1' } },
      handle: ({ context }) => context.json(described),
    }),
  ];
  // In the document the page is one route, however many files it has.
  const first = pageRoutes.filter(({ path }) => path === '/');
  const described = openApiDocument([...others, ...routes, ...first], version);
  return [...routes, ...pageRoutes];
}
