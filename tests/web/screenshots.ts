// Takes the pictures of the page that the documents show: every room, light and dark, from the built page and a real
// lease server. `npm run screenshots` writes docs/images/page-*.png.
import { join } from 'node:path';
import { HttpLeaseProvider, KazahanaClient } from 'kazahana';
import type { Page } from 'playwright-core';
import { ROOMS } from '../../packages/web/src/app/state/share.ts';
import { build } from '../../scripts/build.ts';
import { root } from '../../scripts/run.ts';
import { serveLeases } from './lease-server.ts';
import { closeBrowser, goTo, loadAllRooms, openPage } from './page.ts';

const V7 = '01941f29-7c00-7aaa-aaaa-aaaaaaaaaaaa';
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

async function fill(page: Page): Promise<void> {
  for (let made = 0; made < 4; made++) await page.keyboard.press('g');
  await loadAllRooms(page);
  await page.locator('#batch textarea').fill(LOG);
  await page.locator('#batch tbody tr.tall').first().waitFor();
  await page.locator('[data-testid=pool-status][data-status=live]').waitFor();
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
}

async function shoot(page: Page, name: string, room: string): Promise<void> {
  await goTo(page, room);
  const path = join(root, 'docs', 'images', `page-${name}.png`);
  const box = await page.locator(`#${room}`).boundingBox();
  if (!box) throw new Error(`there is no room ${room}`);
  // With the page's own margin around it.
  const { scrollY } = await page.evaluate(() => ({ scrollY: window.scrollY }));
  const width = page.viewportSize()?.width ?? box.width;
  await page.screenshot({
    path,
    fullPage: true,
    clip: { x: 0, y: box.y + scrollY, width, height: box.height },
  });
}

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
  const options = { colorScheme, reducedMotion: 'reduce', viewport: { width: 980, height: 800 } } as const;
  await using opened = await openPage(server.url, options);
  const { page } = opened;
  await fill(page);
  await page.evaluate(() => scrollTo(0, 0));
  await page.screenshot({ path: join(root, 'docs', 'images', `page-${colorScheme}.png`) });
  await page.locator('#box').fill('24688438-40e1-70d0-d97e-084cfc8992c7');
  await shoot(page, `fault-${colorScheme}`, 'inspect');
  await page.locator('#box').fill(V7);
  for (const room of ROOMS) {
    await shoot(page, `${room}-${colorScheme}`, room);
  }
}
await closeBrowser();
await Promise.all(clients.map((client) => client.shutdown()));
await server.service.dispose();
