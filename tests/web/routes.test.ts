// Every route and every link, also of earlier versions, shows its heading right under the bar, after everything has loaded.
import { describe, expect, it } from 'vitest';
import { chooseLanguage, goTo, openPage, PARTS, pasteAnywhere, V7 } from './page.ts';
import { servedPage } from './served.ts';

const server = servedPage();

/** How far the heading is below the bar; it may be no more than 16 pixels. */
const MAX_DISTANCE = 16;

const LINKS: readonly (readonly [hash: string, part: string, heading: string])[] = [
  ['', 'id', 'UUID v7'],
  [`#/id/${V7}`, 'id', 'UUID v7'],
  ['#/many', 'many/generate', 'Generate many IDs'],
  ['#/many/log', 'many/log', 'IDs in a log'],
  ['#/many/history', 'many/history', 'History'],
  ['#/64-bit', '64-bit/layout', 'Layout of 64 bits'],
  ['#/64-bit/external?id=7', '64-bit/external', 'External IDs'],
  ['#/64-bit/estelle', '64-bit/estelle', 'Estelle IDs'],
  ['#/pool', 'pool', 'Lease pool'],
  // Of earlier versions.
  ['#generate?kind=v4&count=1', 'id', 'UUID v4'],
  ['#generate?kind=v4&count=500', 'many/generate', 'Generate many IDs'],
  [`#inspect?id=${V7}`, 'id', 'UUID v7'],
  ['#bits', 'id', 'UUID v7'],
  ['#batch', 'many/log', 'IDs in a log'],
  ['#public?id=7&algorithm=none', '64-bit/external', 'External IDs'],
  ['#hierarchy?id=8786953', '64-bit/estelle', 'Estelle IDs'],
  ['#layout?epoch=1767225600000', '64-bit/layout', 'Layout of 64 bits'],
  ['#pool', 'pool', 'Lease pool'],
  ['#history', 'many/history', 'History'],
];

for (const [size, width, height] of [
  ['a laptop', 1280, 720],
  ['a phone', 390, 844],
] as const) {
  describe(`on ${size}`, () => {
    it('every link leads to its heading, right under the bar', async () => {
      await using opened = await openPage(server.url, { viewport: { width, height } });
      const { page } = opened;
      for (const [hash, part, heading] of LINKS) {
        // A link from another site loads the page anew.
        await page.goto('about:blank');
        await page.goto(`${server.url}${hash}`);
        await page.locator(`main[data-part="${part}"]`).waitFor();
        await page.locator('h1', { hasText: heading }).waitFor();
        await page.locator('main .code-tabs').waitFor();
        const distance = await page.evaluate(() => {
          const bottom = document.querySelector('.bar')?.getBoundingClientRect().bottom ?? 0;
          return (document.querySelector('h1')?.getBoundingClientRect().top ?? 0) - bottom;
        });
        expect(distance, hash).toBeGreaterThanOrEqual(0);
        expect(distance, hash).toBeLessThanOrEqual(MAX_DISTANCE);
      }
      expect(opened.errors).toEqual([]);
    });
  });
}

it('links inside the page and pasted IDs begin at the top, even from far below', async () => {
  await using opened = await openPage(server.url, { viewport: { width: 390, height: 500 } });
  const { page } = opened;
  for (const part of PARTS) {
    await page.evaluate(() => scrollTo(0, 400));
    await goTo(page, part);
    expect(await page.evaluate(() => scrollY), part).toBe(0);
  }
  await goTo(page, 'id');
  await page.evaluate(() => scrollTo(0, 400));
  await pasteAnywhere(page, V7);
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(0);
});

it('the route ID leads back to what was read, and the mark to a new ID', async () => {
  await using opened = await openPage(`${server.url}#/id/${V7}`);
  const { page } = opened;
  await page.getByRole('link', { name: 'Pool', exact: true }).click();
  await page.locator('main[data-part=pool]').waitFor();
  await page.getByRole('link', { name: 'ID', exact: true }).click();
  await page.locator('[data-testid=id]', { hasText: V7 }).waitFor();
  await page.locator('.mark').click();
  await expect.poll(() => page.locator('[data-testid=id]').textContent()).not.toBe(V7);
});

it('the title says what is in view, in the language of the reader', async () => {
  await using opened = await openPage(`${server.url}#/id/${V7}`);
  const { page } = opened;
  await expect.poll(() => page.title()).toBe(`UUID v7 · January 1, 2025 at 00:00:00.000 UTC · ${V7}`);
  await goTo(page, 'many/history');
  expect(await page.title()).toBe('History · kazahana');
  await chooseLanguage(page, 'ko');
  expect(await page.title()).toBe('기록 · kazahana');
});
