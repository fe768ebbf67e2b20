import { leaseProviderConformance } from 'kazahana/testing';
import { afterAll, describe, it } from 'vitest';
import { etcd } from '../../../tests/stores/etcd.ts';

const store = await etcd.start();
afterAll(() => store.stop());

// Each case has keys of its own, and its time stands still: they do not disturb each other.
describe.concurrent('etcd conforms:', () => {
  for (const { name, run } of leaseProviderConformance(store.virtualSubject)) it(name, run);
});

describe('etcd conforms in real time:', () => {
  for (const { name, run } of leaseProviderConformance(store.subject)) it(name, run);
});
