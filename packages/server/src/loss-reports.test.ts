// Rule R7 from outside: what a caller claims to have seen stops a pool only with proof, or when it could stop it anyway.

import { MemoryDriver } from 'kazahana';
import { LeaseEngine } from 'kazahana/lease';
import { virtualEnvironment } from 'kazahana/testing';
import { describe, expect, it } from 'vitest';
import { collectingLog } from '../../../tests/server/log.ts';
import { ask } from '../../../tests/server/requests.ts';
import { token, tokenText } from '../../../tests/server/serving.ts';
import { createLeaseApp } from './app.js';
import { logLoss } from './loss-log.js';

const services = { orders: {}, mails: {} };

function setUp(lossKey?: string) {
  const environment = virtualEnvironment();
  const { log, lines } = collectingLog();
  const driver = new MemoryDriver({ environment });
  const newStore = () =>
    new LeaseEngine(driver, {
      services,
      environment,
      onLoss: (loss) => logLoss(log, loss),
      ...(lossKey !== undefined && { lossKey }),
    });
  const tokens = [
    token('orders', { scopes: ['acquire'], services: ['orders'] }),
    token('mails', { scopes: ['acquire'], services: ['mails'] }),
    token('operator'),
  ];
  const newApp = () => createLeaseApp({ store: newStore(), services, environment, log, tokens });
  let app = newApp();
  /** As a new process: it remembers nothing of the pool. */
  const restart = () => {
    app = newApp();
  };
  const acquire = async (name: string, body: object = {}) => {
    const headers = { authorization: `Bearer ${tokenText(name)}` };
    const serviceId = name === 'operator' ? 'orders' : name;
    return (await ask(app, '/lease', { body: { serviceId, ...body }, headers })).json;
  };
  return { environment, driver, lines, acquire, restart, newStore };
}

describe.each([
  ['without a loss key', undefined],
  ['with a loss key', 'a-key-of-all-servers'],
])('%s, a caller that may only acquire', (_title, lossKey) => {
  it('does not stop a pool by naming another one', async () => {
    const { acquire, lines } = setUp(lossKey);
    await acquire('orders');
    const lie = await acquire('mails', { seen: { pool: '0'.repeat(32), serial: 0 } });
    expect(lie.leases.length).toBe(1);
    expect(
      (await acquire('mails', { seen: { pool: 'ab'.repeat(16), serial: 0, proof: 'cd'.repeat(32) } })).leases
        .length,
    ).toBe(1);
    expect((await acquire('orders')).leases.length).toBe(1);
    expect(lines).toEqual([]);
  });

  it('does not raise the serial, so that a real loss is still noticed', async () => {
    const { acquire, driver, environment, restart } = setUp(lossKey);
    const first = await acquire('orders');
    const backup = driver.snapshot();
    for (const serial of [2 ** 40, 2 ** 52])
      expect((await acquire('mails', { seen: { pool: first.pool, serial } })).leases.length).toBe(1);
    const known = await acquire('orders');
    expect(known.serial).toBeLessThan(10);
    // An older backup, and servers that remember nothing: only this client knows more.
    driver.restore(backup);
    restart();
    await environment.advance(1);
    const { pool, serial, proof } = known;
    const report = { seen: { pool, serial, ...(proof && { proof }) } };
    const outcome = await acquire(lossKey === undefined ? 'operator' : 'orders', report);
    expect(outcome).toMatchObject({ status: 503, code: 'POOL_EXHAUSTED', reason: 'in quarantine' });
  });

  it('grows no record by lies', async () => {
    const { acquire, driver } = setUp(lossKey);
    await acquire('orders');
    const size = async () =>
      (await driver.read('default', { slots: [], requests: [], quotas: [] })).pool?.data.length;
    const before = await size();
    for (let lie = 0; lie < 200; lie++)
      await acquire('mails', { seen: { pool: lie.toString(16).padStart(32, '0'), serial: lie } });
    expect(await size()).toBe(before);
  });
});

describe('a caller that is believed', () => {
  it('leaves a line in the log with its name, and no more than 32 pools are remembered', async () => {
    const { acquire, lines, driver } = setUp();
    await acquire('orders');
    for (let lie = 0; lie < 200; lie++)
      await acquire('operator', { seen: { pool: lie.toString(16).padStart(32, '0'), serial: lie } });
    expect(lines[0]).toMatchObject({ level: 50, pool: 'default', reason: 'pool', caller: 'operator' });
    const { pool } = await driver.read('default', { slots: [], requests: [], quotas: [] });
    expect(JSON.parse(pool?.data ?? '{}').lostIds.length).toBe(32);
  });

  it('stops no pool by an id that is not of our form', async () => {
    const { acquire, lines } = setUp();
    await acquire('orders');
    for (const pool of ['x', 'lie 7', 'AB'.repeat(16)])
      expect((await acquire('operator', { seen: { pool, serial: 0 } })).leases.length).toBe(1);
    expect(lines).toEqual([]);
  });

  it('has proof: the response of a server with the same key', async () => {
    const { acquire, driver, lines, restart } = setUp('a-key-of-all-servers');
    await acquire('orders');
    const backup = driver.snapshot();
    const { pool, serial, proof } = await acquire('orders');
    driver.restore(backup);
    restart();
    expect(await acquire('orders', { seen: { pool, serial, proof } })).toMatchObject({
      reason: 'in quarantine',
    });
    expect(lines).toMatchObject([{ pool: 'default', reason: 'serial', caller: 'orders' }]);
  });
});
