// Opens the built site from a folder, without a server: a reader sees its style and pictures, follows links, searches, and changes the theme.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';

type Fault = [name: string, ...faults: string[]];

const check = (name: string, isFine: boolean, seen: unknown): Fault =>
  isFine ? [name] : [name, `got ${JSON.stringify(seen)}`];

async function findBySearch(page: Page, query: string): Promise<string[]> {
  await page.keyboard.press('Control+k');
  await page.locator('.FolderSearch input').fill(query);
  const results = page.locator('.FolderSearch li a');
  await results.first().waitFor();
  return results.evaluateAll((links) =>
    links.slice(0, 3).map((link) => (link as HTMLAnchorElement).pathname),
  );
}

/** What is wrong with the site in this folder when it is opened as files. */
export async function openedFromFolder(browser: Browser, site: string): Promise<Fault[]> {
  const faults: Fault[] = [];
  const page = await browser.newPage({ viewport: { width: 1280, height: 720 }, colorScheme: 'light' });
  const elsewhere: string[] = [];
  page.on('request', (request) => {
    if (!/^(file|data):/.test(request.url())) elsewhere.push(request.url());
  });
  const title = () => page.locator('h1').first().innerText();
  await page.goto(pathToFileURL(join(site, 'which-id.html')).href);

  const looks = await page.evaluate(() => ({
    brand: getComputedStyle(document.documentElement).getPropertyValue('--vp-c-brand-1').trim(),
    pictures: [...document.querySelectorAll('img')].map((picture) => picture.naturalWidth > 0),
  }));
  faults.push(check('has its style', looks.brand === '#0b5cad', looks));
  faults.push(check('shows its pictures', looks.pictures.length > 0 && looks.pictures.every(Boolean), looks));

  const appearance = page.locator('.VPNavBarAppearance .VPSwitchAppearance');
  await appearance.click();
  const isDark = await page.locator('html.dark').count();
  faults.push(check('changes to the dark theme', isDark === 1, isDark));
  await appearance.click();

  await page.locator('.VPSidebar').getByRole('link', { name: 'UUIDs', exact: true }).click();
  await page.waitForURL('**/uuid.html');
  faults.push(check('leads to a page', (await title()).startsWith('UUIDs'), await title()));
  await page.locator('.VPNavBarMenu').getByRole('link', { name: 'API', exact: true }).click();
  await page.waitForURL('**/api/index.html');
  await page.locator('.VPSidebar').getByRole('link', { name: 'kazahana/uuid', exact: true }).click();
  await page.waitForURL('**/api/kazahana/uuid.html');
  const background = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  faults.push(check('has its style in folders, too', background === 'rgb(255, 255, 255)', background));

  const found = await findBySearch(page, 'rotate secret');
  faults.push(
    check(
      'searches',
      found.some((path) => path.endsWith('/external-ids.html')),
      found,
    ),
  );
  await page.locator('.FolderSearch li a[href*="external-ids.html"]').first().click();
  await page.waitForURL('**/external-ids.html*');
  faults.push(
    check('leads to what the search found', (await title()).startsWith('External IDs'), await title()),
  );

  await page.setViewportSize({ width: 390, height: 844 });
  await page.locator('.VPNavBarHamburger').click();
  await page.locator('.VPSidebar').getByRole('link', { name: 'Errors by code', exact: true }).click();
  await page.waitForURL('**/errors.html');
  faults.push(check('has a menu on a phone', (await title()).startsWith('Errors'), await title()));
  faults.push(['asks the network for nothing', ...elsewhere]);
  await page.close();
  return faults;
}
