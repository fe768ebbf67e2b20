import { defineConfig } from 'vitest/config';

/** Tests against real servers, which they start: run by `tests/stores/run.ts`, which sees to it that they can. */
const STORES = '{sqlite,redis,postgres,etcd}';

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'library',
          isolate: false,
          include: ['packages/*/src/**/*.test.ts', 'tests/*.test.ts'],
          exclude: [`packages/${STORES}/**`],
        },
      },
      {
        test: {
          name: 'stores',
          isolate: false,
          include: [`packages/${STORES}/src/**/*.test.ts`, 'tests/stores/**/*.test.ts'],
          // Servers take their time to start, to fail over and to stop.
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
