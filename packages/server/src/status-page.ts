// The page at `/` of a server without a page of its own: a few words and links.
import { createHash } from 'node:crypto';

const STYLE =
  'body { font-family: system-ui, sans-serif; max-width: 40rem; margin: 4rem auto; padding: 0 1rem }';

/** The style of this page, as a policy allows it. */
export const STATUS_PAGE_STYLE = `'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`;

export function statusPage(version: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>kazahana</title>
<style>${STYLE}</style>
<h1>kazahana</h1>
<p>The lease server, version ${version}, is running.</p>
<ul>
  <li><a href="/pool">/pool</a>: the pool and its leases</li>
  <li><a href="/metrics">/metrics</a>: for Prometheus</li>
  <li><a href="/readyz">/readyz</a>, <a href="/livez">/livez</a>: its health</li>
  <li><a href="/openapi.json">/openapi.json</a>: all routes</li>
</ul>
<p>Five IDs: <code>curl -d '{"count":5}' -H 'content-type: application/json' http://127.0.0.1:7420/ids</code></p>
</html>
`;
}
