import { describe, expect, it } from 'vitest';
import { FleetReports } from './fleet-reports.js';
import { Metrics } from './metrics.js';

const report = (leasedIds: number, randomIds = 0) => ({
  leasedIds,
  fencedIds: 0,
  randomIds,
  exhaustedMs: 0,
  acquireFailures: 0,
  clockSteps: 0,
});

function counting() {
  const metrics = new Metrics(['default', 'orders'], { version: '1', store: 'memory' });
  const reports = new FleetReports(metrics);
  const total = async (service: string, kind: string) => {
    const line = new RegExp(
      `^kazahana_client_ids_total\\{service="${service}",kind="${kind}"\\} (\\d+)$`,
      'm',
    );
    return Number(line.exec(await metrics.text())?.[1] ?? 0);
  };
  return { reports, total };
}

describe('what a client reports', () => {
  it('counts once, however often its request is sent', async () => {
    const { reports, total } = counting();
    for (let i = 0; i < 5; i++) reports.count('orders', { report: report(100), requestId: 'a' });
    expect(await total('orders', 'leased')).toBe(100);
  });

  it('counts what has come since the first attempt', async () => {
    const { reports, total } = counting();
    reports.count('orders', { report: report(100), requestId: 'a' });
    reports.count('orders', { report: report(100, 30), requestId: 'a' });
    reports.count('orders', { report: report(100, 70), requestId: 'a' });
    expect([await total('orders', 'leased'), await total('orders', 'random')]).toEqual([100, 70]);
  });

  it('never counts backwards', async () => {
    const { reports, total } = counting();
    reports.count('orders', { report: report(100), requestId: 'a' });
    reports.count('orders', { report: report(40), requestId: 'a' });
    expect(await total('orders', 'leased')).toBe(100);
  });

  it('counts each request, each service, and every request without a name', async () => {
    const { reports, total } = counting();
    reports.count('orders', { report: report(1), requestId: 'a' });
    reports.count('orders', { report: report(2), requestId: 'b' });
    reports.count('default', { report: report(4), requestId: 'a' });
    for (let i = 0; i < 3; i++) reports.count('orders', { report: report(10) });
    reports.count('orders', { requestId: 'c' });
    expect([await total('orders', 'leased'), await total('default', 'leased')]).toEqual([33, 4]);
  });

  it('is remembered for five thousand others at least, and not for ever', async () => {
    const { reports, total } = counting();
    const send = (from: number, to: number) => {
      for (let i = from; i < to; i++) reports.count('orders', { report: report(1), requestId: `${i}` });
    };
    send(0, 5000);
    reports.count('orders', { report: report(1), requestId: '0' });
    expect(await total('orders', 'leased')).toBe(5000);
    send(5000, 15_000);
    expect(await total('orders', 'leased')).toBe(15_000);
    reports.count('orders', { report: report(1), requestId: '0' });
    expect(await total('orders', 'leased')).toBe(15_001);
  });
});
