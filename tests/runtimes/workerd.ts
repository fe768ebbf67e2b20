// workerd, the runtime of Cloudflare Workers: one request runs all tests there. Time stands still in it between two waits, and
// no timer and no randomness may be used before the first request.
import { Miniflare } from 'miniflare';
import type { Report } from './portable-vitest.ts';

const WORKER = `import { runTests } from './suite.mjs';
export default { fetch: async () => Response.json(await runTests()) };
`;

/** `suite` is a module that exports `runTests`. */
export async function runInWorkerd(suite: string): Promise<Report> {
  const workerd = new Miniflare({
    modules: [
      { type: 'ESModule', path: 'worker.mjs', contents: WORKER },
      { type: 'ESModule', path: 'suite.mjs', contents: suite },
    ],
    compatibilityDate: '2026-01-01',
  });
  try {
    const response = await workerd.dispatchFetch('http://worker.example/');
    if (!response.ok) throw new Error(await response.text());
    return (await response.json()) as Report;
  } finally {
    await workerd.dispose();
  }
}
