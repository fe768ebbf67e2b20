// docs/protocol.md shows the bodies that the server really sends: the same fields, in the same order, of the same types.
import { createLeaseApp } from '@kazahana/server';
import { MemoryLeaseProvider } from 'kazahana';
import { describe, expect, it } from 'vitest';
import { findSnippets } from './documents/snippets.ts';
import { readFile } from './operations-page.ts';

const path = 'docs/protocol.md';
const shown = findSnippets(path, readFile(path))
  .filter(({ language }) => language === 'json')
  .map(({ code }) => JSON.parse(code) as Record<string, unknown>);

/** Fields with the types of their values; lists by their first item. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return [shapeOf(value[0])];
  if (typeof value !== 'object' || value === null) return typeof value;
  return Object.entries(value).map(([name, field]) => [name, shapeOf(field)]);
}

const services = { default: { bitId: 2, bitSeq: 20, maxLeasesPerRequest: 2 }, orders: {} };
const app = createLeaseApp({
  store: new MemoryLeaseProvider({ services, lossKey: 'a-key-of-all-servers' }),
  services,
});
const acquire = async (throughputPerMs: number) => {
  const body = JSON.stringify({ serviceId: 'orders', requestId: `5f0c${throughputPerMs}`, throughputPerMs });
  const headers = { 'content-type': 'application/json' };
  return app.fetch(new Request('http://localhost/lease', { method: 'POST', headers, body }));
};

describe('docs/protocol.md', () => {
  it('shows a response to an acquire as it is', async () => {
    const [example] = shown.filter((body) => 'leases' in body);
    const real = await (await acquire(2 ** 21)).json();
    expect(shapeOf(example)).toEqual(shapeOf(real));
  });

  it('shows a refusal as it is', async () => {
    const [example = {}] = shown.filter((body) => 'code' in body);
    const response = await acquire(1);
    const real = (await response.json()) as Record<string, unknown>;
    expect(response.headers.get('content-type')).toBe('application/problem+json');
    expect(shapeOf(example)).toEqual(shapeOf(real));
    for (const field of ['type', 'title', 'status', 'code', 'pool', 'reason'])
      expect(example[field]).toBe(real[field]);
    const withoutTime = (text: unknown) => String(text).replace(/\d+ ms/, '');
    expect(withoutTime(example.detail)).toBe(withoutTime(real.detail));
  });

  it('names every code of a refusal that has members, with these', async () => {
    const text = readFile(path);
    for (const code of [
      'POOL_EXHAUSTED',
      'LEASE_NOT_FOUND',
      'STALE_SIGNATURE',
      'POOL_MISSING',
      'TOO_MANY_LEASES',
    ])
      expect(text).toContain(`| \`${code}\``);
  });
});
