import { leaseProviderConformance } from 'kazahana/testing';
import { afterAll, describe, it } from 'vitest';
import { sqlite } from '../../../tests/stores/sqlite.ts';

const store = await sqlite.start();
afterAll(() => store.stop());

describe('SQLite conforms:', () => {
  for (const { name, run } of leaseProviderConformance(store.virtualSubject)) it(name, run);
});

describe('SQLite conforms in real time:', () => {
  for (const { name, run } of leaseProviderConformance(store.subject)) it(name, run);
});
