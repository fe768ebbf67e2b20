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

/** A server whose pool has so many bits of machine ID, and a way to send it requests. */
function serving(bitId: number) {
  const services = { default: { bitId, bitSeq: 22 - bitId, maxLeasesPerRequest: 2 }, orders: {} };
  const store = new MemoryLeaseProvider({ services, serviceShare: 0.75, lossKey: 'a-key-of-all-servers' });
  const app = createLeaseApp({ store, services });
  return (method: string, path: string, body?: object) => {
    const headers = { 'content-type': 'application/json' };
    const init = body ? { method, headers, body: JSON.stringify(body) } : { method };
    return app.fetch(new Request(`http://localhost${path}`, init));
  };
}

const ACQUIRE = { serviceId: 'orders', requestId: '5f0c', meta: { host: 'web-1' } };
/** The bodies of the page, each by a field that only it has. */
const showing = (field: string) => shown.find((body) => field in body) ?? {};

describe('docs/protocol.md', () => {
  it('shows five bodies, each of which is compared here', () => {
    expect(shown).toHaveLength(5);
  });

  it('shows a response to an acquire, the pool, the maker of an ID and IDs as they are', async () => {
    const send = serving(4);
    const granted = (await (await send('POST', '/lease', ACQUIRE)).json()) as {
      leases: [{ id: number; created: number; customEpoch: number; bitId: number; bitSeq: number }];
    };
    expect(shapeOf(showing('requestId'))).toEqual(shapeOf(granted));

    expect(shapeOf(showing('pools'))).toEqual(shapeOf(await (await send('GET', '/pool')).json()));

    const { id, created, customEpoch, bitId, bitSeq } = granted.leases[0];
    const suffix = BigInt(id) << BigInt(bitSeq);
    const made = (BigInt(created - customEpoch) << BigInt(bitId + bitSeq)) + suffix;
    expect(shapeOf(showing('maker'))).toEqual(shapeOf(await (await send('GET', `/whois/${made}`)).json()));

    expect(shapeOf(showing('ids'))).toEqual(
      shapeOf(await (await send('POST', '/ids', { count: 2, serviceId: 'orders' })).json()),
    );
  });

  it('shows a refusal as it is', async () => {
    const example = showing('code');
    const send = serving(2);
    for (const serviceId of ['orders', 'default']) await send('POST', '/lease', { serviceId });
    const response = await send('POST', '/lease', { serviceId: 'another' });
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
