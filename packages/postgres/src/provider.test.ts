import { leaseProviderConformance } from 'kazahana/testing';
import { afterAll, describe, it } from 'vitest';
import { postgres } from '../../../tests/stores/postgres.ts';

const store = await postgres.start();
afterAll(() => store.stop());

describe('PostgreSQL conforms:', () => {
  for (const { name, run } of leaseProviderConformance(store.virtualSubject)) it(name, run);
});

describe('PostgreSQL conforms in real time:', () => {
  for (const { name, run } of leaseProviderConformance(store.subject)) it(name, run);
});
