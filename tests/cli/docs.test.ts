// Everything that documents show of the command line is run, and its output compared.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root } from '../../scripts/run.ts';
import { findSnippets } from '../documents/snippets.ts';
import { runStep, type Stage } from './examples.ts';
import { startLeaseServer } from './lease-server.ts';
import { createSandbox } from './sandbox.ts';
import { parseTranscript } from './transcript.ts';

for (const path of ['docs/cli.md', 'docs/recipes.md', 'docs/start-server.md', 'packages/cli/README.md']) {
  describe(path, () => {
    // Its own for each document: one of them stops the pool.
    let stage: Stage;
    beforeAll(async () => {
      const services = { orders: { maxLeasesPerRequest: 100 } };
      const [sandbox, server] = await Promise.all([createSandbox(), startLeaseServer({ services })]);
      stage = { sandbox, server };
      await server.acquire('users', { host: 'web-1' }, 3 * 256);
      await server.acquire('orders', {}, 20 * 256);
    });
    afterAll(async () => {
      await stage.server.dispose();
      stage.sandbox.dispose();
    });

    const snippets = findSnippets(path, readFileSync(join(root, path), 'utf8'));
    const shown = snippets.filter(({ language }) => language === 'console');

    it('shows something', () => expect(shown.length).toBeGreaterThan(0));

    let code = 0;
    for (const { origin, code: text } of shown) {
      for (const step of parseTranscript(text)) {
        it(`${origin}: ${step.command}`, async () => {
          code = await runStep(stage, step, code);
        });
      }
    }
  });
}
