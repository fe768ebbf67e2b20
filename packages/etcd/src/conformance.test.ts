import { leaseDriverConformance, leaseProviderConformance, virtualEnvironment } from 'kazahana/testing';
import { afterAll, describe, it } from 'vitest';
import { etcd } from '../../../tests/stores/etcd.ts';
import { EtcdDriver } from './driver.js';
import { resolveSettings } from './options.js';

const store = await etcd.start();
afterAll(() => store.stop());
let cases = 0;

describe.concurrent('the driver for etcd conforms:', () => {
  const subject = async () => {
    const environment = virtualEnvironment();
    const settings = resolveSettings({ endpoints: [store.address], prefix: `/driver-${++cases}/` });
    const [driver, other] = [new EtcdDriver(settings, environment), new EtcdDriver(settings, environment)];
    const dispose = async () => {
      await driver.close();
      await other.close();
    };
    return { driver, other, now: environment.now, advance: environment.advance, dispose };
  };
  for (const { name, run } of leaseDriverConformance(subject)) it(name, run);
});

// Each case has keys of its own, and its time stands still: they do not disturb each other.
describe.concurrent('etcd conforms:', () => {
  for (const { name, run } of leaseProviderConformance(store.virtualSubject)) it(name, run);
});

describe('etcd conforms in real time:', () => {
  for (const { name, run } of leaseProviderConformance(store.subject)) it(name, run);
});
