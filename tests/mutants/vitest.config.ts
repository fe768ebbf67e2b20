// The tests that mutants are shown to. `main.ts` says which; Stryker runs them in a copy of packages/kazahana.
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const tests: readonly string[] = JSON.parse(process.env.KAZAHANA_MUTANT_TESTS ?? '["**/*.test.ts"]');

export default defineConfig({
  test: {
    root: process.cwd(),
    include: tests.map((pattern) => `src/${pattern}`),
    setupFiles: [fileURLToPath(new URL('setup.ts', import.meta.url))],
    isolate: false,
    // Stryker ends what hangs, and counts it as noticed; on a busy machine a test must not look as if it did.
    testTimeout: 120_000,
  },
});
