import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    isolate: false,
    include: ['packages/*/src/**/*.test.ts', 'tests/*.test.ts'],
  },
});
