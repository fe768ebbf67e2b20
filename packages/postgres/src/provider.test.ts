import { leaseProviderConformance } from 'kazahana/testing';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { postgres } from '../../../tests/stores/postgres.ts';
import type { StartedStore } from '../../../tests/stores/store-under-test.ts';

let store: StartedStore;
beforeAll(async () => {
  store = await postgres.start();
});
afterAll(() => store.stop());

describe('PostgreSQL conforms:', () => {
  for (const { name, run } of leaseProviderConformance((options) => store.virtualSubject(options)))
    it(name, run);
});

describe('PostgreSQL conforms in real time:', () => {
  for (const { name, run } of leaseProviderConformance((options) => store.subject(options))) it(name, run);
});
