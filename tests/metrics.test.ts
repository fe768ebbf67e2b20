// The metrics that the lease server exports, and what docs/metrics.md, the dashboard and the alerts make of them.
import { createLeaseApp, type Store } from '@kazahana/server';
import { MemoryLeaseProvider } from 'kazahana';
import { InvalidArgumentError, PoolMismatchError, StoreError, signRelease } from 'kazahana/lease';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { coded, readFile, snippets, sorted, table } from './operations-page.ts';

/** A server that everything has happened to, so that every series is there. */
async function scrape(): Promise<string> {
  const memory = new MemoryLeaseProvider({
    serviceShare: 1,
    pools: { default: { bitId: 2, bitSeq: 20 } },
    services: { default: { maxLeasesPerRequest: 1 }, few: { maxLeases: 1 } },
  });
  const wrong: unknown[] = [];
  const failing =
    <Args extends unknown[], Result>(call: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      if (wrong.length > 0) throw wrong.shift();
      return call(...args);
    };
  const store: Store = Object.assign(Object.create(memory) as MemoryLeaseProvider, {
    acquire: failing(memory.acquire.bind(memory)),
    release: failing(memory.release.bind(memory)),
    inspectPool: memory.inspectPool.bind(memory),
    listLeases: memory.listLeases.bind(memory),
    quarantine: memory.quarantine.bind(memory),
    revoke: memory.revoke.bind(memory),
    changeLayout: memory.changeLayout.bind(memory),
    createPool: memory.createPool.bind(memory),
    whois: memory.whois.bind(memory),
    checkWritable: memory.checkWritable.bind(memory),
  });
  const app = createLeaseApp({ store, services: { few: {} } });
  const send = async (method: string, path: string, body?: object) => {
    const headers = { 'content-type': 'application/json' };
    const init = body ? { method, headers, body: JSON.stringify(body) } : { method };
    return app.fetch(new Request(`http://localhost${path}`, init));
  };
  const report = {
    leasedIds: 1,
    fencedIds: 1,
    randomIds: 1,
    exhaustedMs: 1,
    acquireFailures: 1,
    clockSteps: 1,
  };
  const granted = await send('POST', '/lease', { serviceId: 'few', report });
  const { leases, now } = (await granted.json()) as { leases: { id: number; secret: string }[]; now: number };
  const { id, secret } = leases[0] ?? { id: -1, secret: '' };
  await send('POST', '/lease', { serviceId: 'few' });
  await send('POST', '/lease', { throughputPerMs: 2 ** 21 });
  await send('POST', '/ids', { count: 1 });
  await send('POST', '/lease');
  await send('POST', '/lease', {});
  const release = (timestamp: number) =>
    send('DELETE', `/lease/${id}`, { timestamp, signature: signRelease(secret, id, timestamp) });
  await release(1);
  await release(now);
  await release(now);
  await send('POST', '/pool/create', {});
  await send('GET', '/whois/1');
  await send('GET', '/pool');
  await send('POST', '/pool/revoke', { id: 1 });
  await send('POST', '/pool/layout', { bitId: 3, bitSeq: 19 });
  await send('POST', '/pool/quarantine', {});
  await send('POST', '/lease', {});
  for (const error of [
    new StoreError('STORE_UNAVAILABLE', 'away'),
    new PoolMismatchError('bitTs', 41, 42),
    new InvalidArgumentError('it', 'right', 'wrong'),
  ]) {
    wrong.push(error);
    await send('POST', '/lease', {});
  }
  for (const error of [
    new StoreError('STORE_UNAVAILABLE', 'away'),
    new InvalidArgumentError('it', 'right', 'wrong'),
  ]) {
    wrong.push(error);
    await release(now);
  }
  await app.check();
  const text = await (await send('GET', '/metrics')).text();
  await app.close();
  return text;
}

describe('the metrics', async () => {
  const text = await scrape();
  const exported = [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name ?? '');
  const ours = exported.filter((name) => name.startsWith('kazahana_'));
  const values = (metric: string, label: string) =>
    [...text.matchAll(new RegExp(`^${metric}(?:_count)?{[^}]*\\b${label}="([^"]*)"`, 'gm'))].map(
      ([, value]) => value,
    );
  const dashboard = JSON.parse(readFile('docs/grafana-dashboard.json')) as {
    schemaVersion: number;
    templating: { list: { name: string; type: string; definition?: string }[] };
    panels: {
      id: number;
      type: string;
      title: string;
      datasource?: { uid: string };
      gridPos: { x: number; y: number; w: number; h: number };
      targets?: { expr: string }[];
    }[];
  };
  const { groups } = parse(readFile('docs/alert-rules.yml')) as {
    groups: {
      rules: {
        alert: string;
        expr: string;
        labels: { severity: string };
        annotations: Record<string, string>;
      }[];
    }[];
  };
  const alerts = groups.flatMap(({ rules }) => rules);
  const queries = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));

  it('are all in the table, with their labels', () => {
    const rows = table('metrics');
    expect(sorted(coded(rows, 0))).toEqual(sorted(ours));
    for (const row of rows) {
      const [metric = ''] = coded([row], 0) as string[];
      const [, labels = ''] = new RegExp(`^${metric}(?:_count)?{([^}]*)}`, 'm').exec(text) ?? [];
      const names = [...labels.matchAll(/(\w+)="/g)].map(([, name]) => name);
      expect(sorted(coded([row], 1)), metric).toEqual(sorted(names));
    }
  });

  it('have the values of labels that the table says', () => {
    const labelOf: Record<string, string[]> = {
      kazahana_acquires_total: ['result'],
      kazahana_releases_total: ['result'],
      kazahana_store_duration_seconds: ['operation', 'result'],
      kazahana_client_ids_total: ['kind'],
    };
    for (const [metric, labels] of Object.entries(labelOf)) {
      const row = table('metrics').find((cells) => cells[0]?.includes(`\`${metric}\``)) ?? [];
      const real = labels.flatMap((label) => values(metric, label));
      expect(sorted(coded([row], 2)), metric).toEqual(sorted(real));
    }
  });

  /** Names of metrics and of labels' values that a query uses, and that the server does not have. */
  const strangers = (expr: string): string[] => {
    const names = [...expr.matchAll(/\b(?:kazahana|nodejs|process)_\w+/g)].map(([name]) => name);
    const unknown = names.filter((name) => !exported.includes(name.replace(/_(?:bucket|sum|count)$/, '')));
    if (names.length === 0 && !/^up\{/.test(expr)) unknown.push(`no metric in ${expr}`);
    for (const [, metric = '', selector = ''] of expr.matchAll(/(\w+?)(?:_bucket|_count)?\{([^}]*)\}/g)) {
      for (const [, label = '', wanted = ''] of selector.matchAll(/(\w+)(?:=~|!=|=)"([^"$]*)"/g)) {
        if (label === 'job') continue;
        const real = values(metric, label);
        unknown.push(...wanted.split('|').filter((value) => !real.includes(value)));
      }
    }
    return unknown;
  };

  it('are the only ones that the alerts use', () => {
    for (const { alert, expr } of alerts) expect(strangers(expr), alert).toEqual([]);
  });

  it('are scraped by the job that the alerts expect', () => {
    const [shown] = snippets.filter(({ language }) => language === 'yaml');
    expect(shown?.origin).toContain('docs/monitoring.md');
    const { scrape_configs: jobs } = parse(shown?.code ?? '') as { scrape_configs: { job_name: string }[] };
    expect(alerts.some(({ expr }) => expr.includes(`job="${jobs[0]?.job_name}"`))).toBe(true);
  });

  it('are the only ones that the dashboard uses', () => {
    for (const expr of queries) expect(strangers(expr), expr).toEqual([]);
    for (const { definition } of dashboard.templating.list)
      if (definition) expect(strangers(definition)).toEqual([]);
  });

  it('are all on the dashboard', () => {
    for (const name of ours) expect(queries.join('\n'), name).toContain(name);
  });

  it('are drawn on panels that do not overlap, from the data source that is chosen', () => {
    const { panels, templating, schemaVersion } = dashboard;
    expect(schemaVersion).toBeGreaterThanOrEqual(36);
    expect(templating.list[0]).toMatchObject({ name: 'datasource', type: 'datasource' });
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    for (const { title, type, datasource } of panels)
      if (type !== 'row') expect(datasource?.uid, title).toBe('$' + '{datasource}');
    for (const { title, gridPos: a } of panels) {
      expect(a.x + a.w, title).toBeLessThanOrEqual(24);
      const over = panels.filter(
        ({ gridPos: b }) =>
          a !== b && a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h,
      );
      expect(over, title).toEqual([]);
    }
  });

  it('raise alerts that are explained, each once', () => {
    expect(sorted(coded(table('alerts'), 0))).toEqual(sorted(alerts.map(({ alert }) => alert)));
    for (const { alert, labels, annotations } of alerts) {
      expect(['warning', 'critical'], alert).toContain(labels.severity);
      expect(Object.keys(annotations), alert).toEqual(['summary', 'description']);
    }
  });
});
