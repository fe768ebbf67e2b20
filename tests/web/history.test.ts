// The history: kept, broken, full, and shared by two tabs.
import { readFile } from 'node:fs/promises';
import { deserializeHistory } from 'kazahana/uuid';
import { expect, it } from 'vitest';
import { goTo, openPage, textOf } from './page.ts';
import { servedPage } from './served.ts';

const server = servedPage();

it('is kept over a reload, searched, pinned, exported and cleared; two tabs see each other', async () => {
  await using opened = await openPage(server.url);
  const { page, context } = opened;
  await page.keyboard.press('g');
  await page.keyboard.press('g');
  const newest = await textOf(page, 'id');
  await page.reload();
  await goTo(page, 'many/history');
  expect(await textOf(page, 'summary')).toContain('0 out of order');
  const rows = page.locator('tbody tr.tall');
  await expect.poll(() => rows.count()).toBe(2);

  const other = await context.newPage();
  await other.goto(server.url);
  await other.locator('[data-testid=says]').waitFor();
  await other.keyboard.press('g');
  await expect.poll(() => rows.count()).toBe(3);
  // A page behind another one is drawn seldom.
  await page.bringToFront();
  const fromOther = await textOf(other, 'id');

  await page.getByRole('searchbox').fill(newest.slice(0, 23));
  await expect.poll(() => rows.filter({ hasText: newest }).count()).toBe(1);
  await page.getByRole('button', { name: `Pin: ${newest}` }).click();
  const download = page.waitForEvent('download');
  await page.getByRole('searchbox').fill('');
  await page.getByRole('button', { name: 'JSON', exact: true }).click();
  const exported = deserializeHistory(await readFile(await (await download).path(), 'utf8'));
  expect(exported.map(({ uuid }) => uuid)).toContain(fromOther);
  expect(exported[0]?.uuid).toBe(newest);
  await page.getByRole('button', { name: 'Forget unpinned' }).click();
  await expect.poll(() => rows.allTextContents()).toEqual([expect.stringContaining(newest)]);
});

it('survives broken storage: the text is kept aside, and said', async () => {
  await using opened = await openPage(server.url, {}, (page) =>
    page.addInitScript(() => {
      if (localStorage.getItem('seen') === null) localStorage.setItem('kazahana.history', '[{"broken');
      localStorage.setItem('seen', 'yes');
    }),
  );
  const { page } = opened;
  await page.keyboard.press('g');
  await goTo(page, 'many/history');
  await page.getByText('The stored history could not be read').waitFor();
  await expect.poll(() => page.locator('tbody tr.tall').count()).toBe(1);
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save that text' }).click();
  expect(await readFile(await (await download).path(), 'utf8')).toBe('[{"broken');
  await page.getByRole('button', { name: 'Delete it' }).click();
  await page.getByText('The stored history could not be read').waitFor({ state: 'detached' });
  expect(opened.errors).toEqual([]);
});

it('survives a full quota: it lives in this tab, and says so', async () => {
  await using opened = await openPage(server.url, {}, (page) =>
    page.addInitScript(() => {
      // Until not even a few characters are left.
      for (let size = 2 ** 22; size >= 1; size = Math.floor(size / 2)) {
        for (let i = 0; i < 3; i++) {
          try {
            localStorage.setItem(`filler ${size} ${i}`, 'x'.repeat(size));
          } catch {
            // Full for this size.
          }
        }
      }
    }),
  );
  const { page } = opened;
  await page.keyboard.press('g');
  await page.keyboard.press('g');
  await goTo(page, 'many/history');
  await page.getByText('It lives in this tab only').waitFor();
  await expect.poll(() => page.locator('tbody tr.tall').count()).toBe(2);
  expect(opened.errors).toEqual([]);
});
