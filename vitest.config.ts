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
          include: ['packages/*/src/**/*.test.ts', 'tests/*.test.ts', 'chaos/**/*.test.ts'],
          exclude: [`packages/${STORES}/**`],
          // Ends a test that hangs. On a busy machine a property takes ten times as long as on an idle one.
          testTimeout: 30_000,
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
      {
        test: {
          name: 'cli',
          isolate: false,
          include: ['tests/cli/**/*.test.ts'],
          globalSetup: ['tests/cli/setup.ts'],
          // Every test starts processes.
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'server',
          isolate: false,
          include: ['tests/server/**/*.test.ts'],
          // They wait more than they work. Projects with another number of workers run one after another.
          maxWorkers: 3,
          sequence: { groupOrder: 1 },
          // Processes take their time to start, and some of the server's limits are seconds.
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          // In a real browser: run by `tests/web/run.ts`, which sees to it that there is one.
          name: 'page',
          isolate: false,
          include: ['tests/web/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
