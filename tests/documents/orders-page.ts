// The page of examples/vite-react, in a real Chromium: an order is made, its link leads to it, and a made-up link says so.
import assert from 'node:assert/strict';
import { findChromium, launchChromium } from '../browser.ts';

export async function checkOrdersPage(url: string): Promise<void> {
  const chromium = findChromium();
  if (chromium.path === null) throw new Error(`${chromium.missing}; ${chromium.install}`);
  const browser = await launchChromium(chromium.path);
  try {
    const page = await browser.newPage();
    const errors: string[] = [];
    page.on('pageerror', ({ message }) => errors.push(message));
    await page.goto(url);
    await page.getByLabel('What?').fill('tea');
    await page.getByRole('button', { name: 'Order' }).click();
    await page.getByRole('link', { name: 'tea' }).click();
    await page.getByRole('heading', { name: 'tea' }).waitFor();
    const { pathname } = new URL(page.url());
    assert.match(pathname, /^\/orders\/order_[\w-]{11}$/);
    assert.equal(await page.locator('code').textContent(), pathname.slice('/orders/'.length));
    const response = await page.goto(`${url}/orders/order_madeupmadeU`);
    assert.equal(response?.status(), 404);
    await page.getByRole('heading', { name: 'There is no such order' }).waitFor();
    assert.deepEqual(errors, []);
  } finally {
    await browser.close();
  }
}
