import type { InspectedPool } from 'kazahana/lease';
import { describe, expect, it } from 'vitest';
import { metricOf, seriesIn } from '../../../tests/server/metric-lines.ts';
import { Metrics } from './metrics.js';

const REPORT = {
  leasedIds: 1,
  fencedIds: 2,
  randomIds: 3,
  exhaustedMs: 4,
  acquireFailures: 5,
  clockSteps: 6,
};
const POOL: InspectedPool = {
  name: 'default',
  id: 'abc',
  serial: 7,
  now: 1,
  layout: { customEpoch: 0, bitReserve: 1, bitTs: 41, bitId: 14, bitSeq: 8 },
  share: { index: 0, of: 1 },
  slots: 8192,
  held: 0,
  quarantinedUntil: 0,
};
const metricsOf = (services: string[]) => new Metrics(services, { version: '1.2.3', store: 'sqlite' });

describe('metrics', () => {
  it('cover acquires, releases, clients, minting and pools, by service', async () => {
    const metrics = metricsOf(['orders']);
    metrics.acquired('orders', 'granted', 3);
    metrics.acquired('orders', 'exhausted');
    metrics.acquireSeconds.observe(0.002);
    metrics.releases.inc({ result: 'released' });
    metrics.reported('orders', REPORT);
    metrics.minted.inc({ service: 'orders' }, 7);
    metrics.poolIs({ ...POOL, held: 3, heldBy: { orders: 2 }, quarantinedUntil: 5 });
    const text = await metrics.text();
    const of = (series: string) => metricOf(text, `kazahana_${series}`);
    expect({
      granted: of('acquires_total{service="orders",result="granted"}'),
      exhausted: of('acquires_total{service="orders",result="exhausted"}'),
      leases: of('leases_granted_total{service="orders"}'),
      released: of('releases_total{result="released"}'),
      leased: of('client_ids_total{service="orders",kind="leased"}'),
      fenced: of('client_ids_total{service="orders",kind="fenced"}'),
      random: of('client_ids_total{service="orders",kind="random"}'),
      exhaustedMs: of('client_exhausted_milliseconds_total{service="orders"}'),
      failures: of('client_acquire_failures_total{service="orders"}'),
      steps: of('client_clock_steps_total{service="orders"}'),
      minted: of('minted_ids_total{service="orders"}'),
      active: of('leases_active{pool="default",service="orders"}'),
      others: of('leases_active{pool="default",service="other"}'),
      quarantined: of('pool_quarantined{pool="default"}'),
      duration: of('acquire_duration_seconds_count'),
      build: of(`build_info{version="1.2.3",store="sqlite",node="${process.version}"}`),
    }).toEqual({
      granted: 1,
      exhausted: 1,
      leases: 3,
      released: 1,
      leased: 1,
      fenced: 2,
      random: 3,
      exhaustedMs: 4,
      failures: 5,
      steps: 6,
      minted: 7,
      active: 2,
      others: 1,
      quarantined: 1,
      duration: 1,
      build: 1,
    });
  });

  it('take no more than 2^32 from one report: a counter near 2^53 would count no more', async () => {
    const metrics = metricsOf([]);
    const lie = { ...REPORT, leasedIds: Number.MAX_SAFE_INTEGER };
    metrics.reported('made up', lie);
    metrics.reported('made up', { ...lie, leasedIds: 5 });
    const counted = metricOf(
      await metrics.text(),
      'kazahana_client_ids_total{service="other",kind="leased"}',
    );
    expect(counted).toBe(2 ** 32 + 5);
  });

  it('have no more series for a thousand services that are not configured than for one', async () => {
    const metrics = metricsOf(['orders']);
    const use = (serviceId: string) => {
      metrics.acquired(serviceId, 'granted', 1);
      metrics.reported(serviceId, REPORT);
      metrics.minted.inc({ service: metrics.service(serviceId) }, 1);
    };
    use('made up');
    const before = seriesIn(await metrics.text()).sort();
    for (let i = 0; i < 1000; i++) use(`made up ${i}`);
    expect(seriesIn(await metrics.text()).sort()).toEqual(before);
    expect(before.join('\n')).not.toContain('made up');
  });

  it('begin at zero, so that a rate can rise from the first event', async () => {
    const text = await metricsOf(['orders']).text();
    const lines = text.split('\n').filter((line) => /^kazahana_/.test(line) && !/build_info/.test(line));
    for (const series of [
      'acquires_total{service="orders",result="store failure"}',
      'acquires_total{service="other",result="granted"}',
      'releases_total{result="stale"}',
      'minted_ids_total{service="orders"}',
      'client_ids_total{service="orders",kind="fenced"}',
      'acquire_duration_seconds_count',
      'store_up',
    ])
      expect(lines).toContain(`kazahana_${series} 0`);
    expect(lines.filter((line) => !line.endsWith(' 0'))).toEqual([]);
  });

  it('put a duration into the buckets that it fits', async () => {
    const metrics = metricsOf([]);
    for (const seconds of [0.001, 0.05, 7])
      metrics.storeSeconds.observe({ operation: 'acquire', result: 'ok' }, seconds);
    const text = await metrics.text();
    const bucket = (le: string) =>
      metricOf(text, `kazahana_store_duration_seconds_bucket{le="${le}",operation="acquire",result="ok"}`);
    expect(['0.0005', '0.001', '0.05', '5', '+Inf'].map(bucket)).toEqual([0, 1, 2, 2, 3]);
  });

  it('count a service that has no lease any more as having none', async () => {
    const metrics = metricsOf(['orders']);
    metrics.poolIs({ ...POOL, held: 1, heldBy: { orders: 1 } });
    metrics.poolIs({ ...POOL, held: 1, heldBy: { orders: 0 } });
    const text = await metrics.text();
    expect(metricOf(text, 'kazahana_leases_active{pool="default",service="orders"}')).toBe(0);
  });

  it('have the process once, however many apps are in it', async () => {
    const all = [metricsOf([]), metricsOf([]), metricsOf([])];
    for (const metrics of all) {
      const series = seriesIn(await metrics.text());
      expect(series.filter((name) => name === 'process_resident_memory_bytes').length).toBe(1);
    }
  });

  it('are a text that Prometheus reads: every series has a type, no name has two', async () => {
    const text = await metricsOf(['a"b\\c\nd']).text();
    expect(text).toContain('kazahana_leases_granted_total{service="a\\"b\\\\c\\nd"} 0');
    const types = [...text.matchAll(/^# TYPE (\S+) (counter|gauge|histogram|summary)$/gm)].map(
      ([, name]) => name,
    );
    expect(new Set(types).size).toBe(types.length);
    for (const series of seriesIn(text)) {
      expect(series).toMatch(/^[a-zA-Z_:][\w:]*(\{.*\})?$/);
      const name = series.replace(/\{.*$/, '').replace(/_(bucket|sum|count)$/, '');
      expect(types.some((type) => type === name || type === series.replace(/\{.*$/, ''))).toBe(true);
    }
  });
});
