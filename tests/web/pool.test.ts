// The pool of a real server, live. And without one: a simulation that is marked as such.
import { HttpLeaseProvider, KazahanaClient } from 'kazahana';
import type { AcquireResponse } from 'kazahana/lease';
import type { Page } from 'playwright-core';
import { afterEach, describe, expect, it } from 'vitest';
import { violationsInEachTheme } from './axe.ts';
import { type LeaseServer, serveLeases } from './lease-server.ts';
import { goTo, openPage, textOf } from './page.ts';
import { serveStatically } from './static-server.ts';

/** Four numbers to lease, so that a pool can be full. */
const SMALL = { pools: { default: { bitId: 3, bitSeq: 19 } } };

const servers: LeaseServer[] = [];
const clients: KazahanaClient[] = [];
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.shutdown()));
  await Promise.all(servers.splice(0).map(({ service }) => service.dispose()));
});

async function start(configuration: object): Promise<LeaseServer> {
  const server = await serveLeases(configuration);
  servers.push(server);
  return server;
}

/** A client whose leases the test gets to know, secrets included. */
async function connect(url: string, serviceId: string, token?: string) {
  const http = new HttpLeaseProvider(url, token === undefined ? {} : { token });
  const responses: AcquireResponse[] = [];
  const provider = {
    acquire: async (...call: Parameters<typeof http.acquire>) => {
      const response = await http.acquire(...call);
      responses.push(response);
      return response;
    },
    release: (...call: Parameters<typeof http.release>) => http.release(...call),
  };
  const client = new KazahanaClient({ provider, serviceId });
  clients.push(client);
  await client.nextId();
  return { client, secrets: () => responses.flatMap(({ leases }) => leases.map(({ secret }) => secret)) };
}

/** Keeps everything that comes back to the page's requests. */
async function keepBodies(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const bodies: string[] = [];
    Object.assign(globalThis, { bodies });
    const original = globalThis.fetch;
    globalThis.fetch = async (...call) => {
      const response = await original(...call);
      const [own, kept] = response.body?.tee() ?? [null, null];
      const reader = kept?.pipeThrough(new TextDecoderStream()).getReader();
      void (async () => {
        for (;;) {
          const piece = await reader?.read().catch(() => undefined);
          if (piece?.value === undefined) return;
          bodies.push(piece.value);
        }
      })();
      return new Response(own, response);
    };
  });
}

const held = (page: Page) => textOf(page, 'pool-held');
const status = (page: Page) => page.locator('[data-testid=pool-status]').getAttribute('data-status');
const picture = (page: Page) =>
  page.locator('#pool canvas').evaluate((canvas) => (canvas as HTMLCanvasElement).toDataURL());

it('a real server sends the files of the page compressed, and lets browsers keep them', async () => {
  const server = await start({ ...SMALL, hostNames: ['ids.example.com'] });
  const headers = { 'accept-encoding': 'gzip, br' };
  const html = await fetch(server.url, { headers });
  const etag = html.headers.get('etag') ?? '';
  expect([html.headers.get('cache-control'), html.headers.get('content-encoding')]).toEqual([
    'no-cache',
    'br',
  ]);
  const text = await html.text();
  // Other sites want the whole address of the picture that they show beside a link.
  expect(text).toContain('property="og:image" content="https://ids.example.com/share.png"');
  const [, script = ''] = /src="\.(\/assets\/[^"]+\.js)"/.exec(text) ?? [];
  const asset = await fetch(`${server.url}${script}`, { headers });
  expect(asset.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  expect(asset.headers.get('content-encoding')).toBe('br');
  expect((await asset.text()).length).toBeGreaterThan(100);
  const again = await fetch(server.url, { headers: { 'if-none-match': etag } });
  expect(again.status).toBe(304);
});

describe('the pool of a real server', () => {
  it('changes as clients come; is stale when the server is killed, and live when it is back; no secret is shown', async () => {
    const server = await start(SMALL);
    await using opened = await openPage(server.url, {}, keepBodies);
    const { page, requests } = opened;
    expect(opened.errors).toEqual([]);
    await goTo(page, 'pool');
    await expect.poll(() => status(page)).toBe('live');
    expect(await held(page)).toBe('0');
    const empty = await picture(page);

    const first = await connect(server.url, 'orders');
    const since = performance.now();
    await expect.poll(() => held(page), { interval: 20, timeout: 5000 }).toBe('1');
    console.log(`a lease was on the map ${Math.round(performance.now() - since)} ms after it was granted`);
    expect(await picture(page)).not.toBe(empty);
    const second = await connect(server.url, 'users');
    await expect.poll(() => held(page), { interval: 20, timeout: 5000 }).toBe('2');
    await page.locator('#pool .legend', { hasText: 'orders' }).waitFor();

    // By arrows, and by a typed number.
    await page.locator('[data-testid=map]').focus();
    await page.keyboard.press('ArrowRight');
    expect(await textOf(page, 'slot')).toContain('Machine ID 1: held by users');
    await page.locator('#pool').getByLabel('Machine ID', { exact: true }).fill('0');
    expect(await textOf(page, 'slot')).toContain('Machine ID 0: held by orders');

    await server.service.kill();
    await expect.poll(() => status(page), { timeout: 10_000 }).toBe('stale');
    await page.getByText(/Disconnected \d+ seconds? ago, retrying/).waitFor();
    // What is not true any more does not look as if it were; a simulation is offered, and the way back from it.
    await page.locator('.picture-of-pool.stale').waitFor();
    expect(await violationsInEachTheme(page), 'stale').toEqual([]);
    expect(await held(page)).toBe('2');
    // Without a server, and without a service worker, it is there.
    await page.getByRole('button', { name: 'Show a simulation' }).click();
    await page.getByText('Simulation', { exact: true }).waitFor();
    await page.locator('[data-testid=map]').waitFor();
    await page.getByRole('button', { name: 'Back to the server' }).click();
    await server.service.start();
    await expect.poll(() => status(page), { timeout: 15_000 }).toBe('live');
    expect(await held(page)).toBe('2');

    const bodies = await page.evaluate(() => (globalThis as unknown as { bodies: string[] }).bodies.join(''));
    expect(bodies).toContain('"serviceId":"orders"');
    const everything = `${bodies}${await page.content()}${await page.evaluate(() => JSON.stringify({ ...localStorage }))}`;
    const secrets = [...first.secrets(), ...second.secrets()];
    expect(secrets.length).toBeGreaterThanOrEqual(2);
    for (const secret of secrets) expect(everything).not.toContain(secret);
    expect(new Set(requests.map((url) => new URL(url).origin))).toEqual(new Set([server.url]));
  });

  it('is shown when it is full, and its leases are in a table', async () => {
    const pools = { ...SMALL.pools, spare: { bitId: 4, bitSeq: 18 } };
    const server = await start({ pools });
    await Promise.all(['a', 'b', 'c', 'd'].map((service) => connect(server.url, service)));
    await using opened = await openPage(server.url);
    const { page } = opened;
    await goTo(page, 'pool');
    await page.locator('[data-testid=full]').waitFor();
    expect([await held(page), await textOf(page, 'pool-free')]).toEqual(['4', '0']);
    await page.getByText('Leases (4)').click();
    expect(await violationsInEachTheme(page), 'full').toEqual([]);
    const services = page.locator('#pool tbody tr.tall td:nth-child(2)');
    expect((await services.allTextContents()).toSorted()).toEqual(['a', 'b', 'c', 'd']);
    await page.locator('#pool thead').getByRole('button', { name: 'Service' }).click();
    expect(await services.allTextContents()).toEqual(['a', 'b', 'c', 'd']);
    await page.locator('#pool thead').getByRole('button', { name: 'Service' }).click();
    expect(await services.allTextContents()).toEqual(['d', 'c', 'b', 'a']);
    // Another pool of the same server.
    await page.locator('#pool select').selectOption('spare');
    await expect.poll(() => textOf(page, 'pool-free')).toBe('8');
  });

  it('with tokens asks for one, refuses a wrong one, and keeps the right one to itself', async () => {
    const token = 'observer-token-0123456789abcdef0123456789';
    const tokens = [{ name: 'observer', token, scopes: ['observe', 'acquire', 'mint'] }];
    const server = await start({ ...SMALL, tokens });
    await using opened = await openPage(server.url);
    const { page } = opened;
    await goTo(page, 'pool');
    await page.getByLabel('Token').fill('wrong-token-0123456789abcdef0123456789abc');
    await page.getByRole('button', { name: 'Connect' }).click();
    await page.getByText('The server refused this token.').waitFor();
    expect(await violationsInEachTheme(page), 'a wrong token').toEqual([]);
    await page.getByLabel('Token').fill(token);
    await page.keyboard.press('Enter');
    await expect.poll(() => status(page)).toBe('live');
    // IDs that the server leases and makes, with the same token.
    await page.getByRole('link', { name: 'ID', exact: true }).click();
    await page.getByRole('button', { name: 'leased', exact: true }).click();
    await page
      .locator('[data-testid=id]')
      .filter({ hasText: /^\d{15,19}$/ })
      .waitFor();
    // Who made it: the server's own client, whose lease the pool knows.
    const made = await textOf(page, 'id');
    await goTo(page, 'pool');
    await page.getByLabel('Token').waitFor({ state: 'detached' });
    // The ID is sent to the server, so the page must not say that nothing leaves it.
    expect(await page.locator('.foot').innerText()).toContain('Find sends the ID');
    await page.locator('.whois input').fill(made);
    await page.keyboard.press('Enter');
    await page.locator('[data-testid=whois]', { hasText: 'Service' }).waitFor();
    const kept = await page.evaluate(() =>
      JSON.stringify([{ ...localStorage }, { ...sessionStorage }, location.href]),
    );
    expect(kept).not.toContain(token);
    expect(await page.content()).not.toContain(token);
  });
});

it('without a server a marked simulation runs the real rules', async () => {
  const server = await serveStatically();
  try {
    await using opened = await openPage(server.url);
    const { page } = opened;
    await goTo(page, 'pool');
    await page.locator('.badge', { hasText: 'Simulation' }).waitFor();
    await expect.poll(() => held(page)).toBe('40');
    await page.locator('#pool').getByLabel('Clients').fill('150');
    await page.locator('[data-testid=full]').waitFor();
    await page.locator('#pool').getByLabel('Lease time').fill('10');
    await page.locator('#pool').getByLabel('Clients').fill('20');
    await page.locator('#pool').getByLabel('Crashes a minute').fill('60');
    await page.locator('[data-testid=simulate]').click();
    await expect.poll(() => textOf(page, 'pool-kept'), { timeout: 30_000 }).not.toBe('0');
    expect(opened.errors).toEqual([]);
  } finally {
    await server.stop();
  }
});
