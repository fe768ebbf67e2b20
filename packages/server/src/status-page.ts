// What stands at `/` when no page was handed to the server: a few words, and where to go on.
export function statusPage(version: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>kazahana</title>
<style>
  body { font: 1rem/1.6 system-ui, sans-serif; max-width: 40rem; margin: 4rem auto; padding: 0 1rem; color: #1b2b3a; }
  code { font: 0.95em ui-monospace, monospace; }
  a { color: #0b63a5; }
  @media (prefers-color-scheme: dark) { body { background: #10202d; color: #e8f0f6; } a { color: #8cc8f5; } }
</style>
<h1>kazahana</h1>
<p>The lease server, version ${version}, is running.</p>
<ul>
  <li><a href="/pool">/pool</a>: the pool and its leases</li>
  <li><a href="/metrics">/metrics</a>: for Prometheus</li>
  <li><a href="/readyz">/readyz</a>, <a href="/livez">/livez</a>: its health</li>
  <li><a href="/openapi.json">/openapi.json</a>: all that can be asked</li>
</ul>
<p>Five IDs: <code>curl -d '{"count":5}' -H 'content-type: application/json' http://127.0.0.1:7420/ids</code></p>
</html>
`;
}
