// Takes the pictures of the page that the documents show: every route, light and dark, on a laptop and on a phone, from
// the built page and a real lease server. `npm run screenshots` writes docs/images/page-*.png.
import { join } from 'node:path';
import { HttpLeaseProvider, KazahanaClient } from 'kazahana';
import type { Page } from 'playwright-core';
import { build } from '../../scripts/build.ts';
import { root } from '../../scripts/run.ts';
import { serveLeases } from './lease-server.ts';
import { closeBrowser, goTo, openPage, V7 } from './page.ts';

const LOG = [
  `2025-01-01T00:00:01Z GET /users/${V7} 200`,
  '2025-01-01T00:00:02Z GET /orders/115892101120000263 200',
  `2025-01-01T00:00:03Z GET /users/${V7} 304`,
  '2025-01-01T00:00:04Z PUT /users/01941f29-7bff-7001-8a2e-53c0f1d2b3a4 200',
].join('\n');
/** Services with so many clients each, for a pool with something to see. */
const FLEET = { orders: 120, users: 90, search: 60 };
/** Its clients vanish at once; their leases end after a moment, and are kept for fallback. */
const VANISHED = { serviceId: 'mail', count: 8, leaseDuration: 500 };

const SIZES = {
  laptop: { width: 1280, height: 720 },
  phone: { width: 390, height: 844 },
} as const;

/** What each picture shows, and how the page gets there. */
const PICTURES: Readonly<Record<string, (page: Page) => Promise<unknown>>> = {
  id: (page) => page.locator('#box').fill(V7),
  compare: (page) => page.locator('#box').fill(`${V7} 01941f29-8fa1-7b3c-9d2e-4f5a6b7c8d9e`),
  fault: (page) => page.locator('#box').fill('24688438-40e1-70d0-d97e-084cfc8992c7'),
  generate: async (page) => {
    await goTo(page, 'many/generate');
    await page.getByRole('button', { name: 'Generate and copy' }).click();
    await page.locator('tbody tr.tall').first().waitFor();
  },
  log: async (page) => {
    await goTo(page, 'many/log');
    await page.locator('textarea').fill(LOG);
    await page.locator('tbody tr.tall').first().waitFor();
  },
  history: async (page) => {
    await goTo(page, 'many/history');
    await page.locator('tbody tr.tall').first().waitFor();
  },
  layout: (page) => goTo(page, '64-bit/layout'),
  external: (page) => goTo(page, '64-bit/external'),
  estelle: (page) => goTo(page, '64-bit/estelle'),
  pool: async (page) => {
    await goTo(page, 'pool');
    await page.locator('[data-testid=pool-status][data-status=live]').waitFor();
    await page.locator('[data-testid=map]').waitFor();
  },
};

/** What other sites show beside a link to the page. */
const SHARED = { path: join(root, 'packages', 'web', 'public', 'share.png'), width: 1200, height: 630 };

await build();
const { serviceId: vanished, leaseDuration } = VANISHED;
const server = await serveLeases({
  pools: { default: { bitId: 10, bitSeq: 12 } },
  services: { [vanished]: { leaseDuration, fallbackGrace: 600_000 } },
});
for (let i = 0; i < VANISHED.count; i++) {
  await new HttpLeaseProvider(server.url).acquire({ serviceId: vanished, meta: { host: `mail-${i + 1}` } });
}
const clients: KazahanaClient[] = [];
for (const [serviceId, count] of Object.entries(FLEET)) {
  for (let i = 0; i < count; i++) {
    const client = new KazahanaClient({ provider: new HttpLeaseProvider(server.url), serviceId });
    clients.push(client);
    await client.nextId();
  }
}
for (const colorScheme of ['light', 'dark'] as const) {
  for (const [size, viewport] of Object.entries(SIZES)) {
    await using opened = await openPage(server.url, { colorScheme, reducedMotion: 'reduce', viewport });
    const { page } = opened;
    for (const [name, show] of Object.entries(PICTURES)) {
      await goTo(page, 'id');
      await show(page);
      await page.evaluate(() => {
        (document.activeElement as HTMLElement | null)?.blur();
        scrollTo(0, 0);
      });
      await page.screenshot({
        path: join(root, 'docs', 'images', `page-${name}-${size}-${colorScheme}.png`),
      });
    }
  }
}
{
  const { path, ...viewport } = SHARED;
  await using opened = await openPage(`${server.url}/#/id/${V7}`, { viewport });
  await opened.page.screenshot({ path });
}
await closeBrowser();
await Promise.all(clients.map((client) => client.shutdown()));
await server.service.dispose();
