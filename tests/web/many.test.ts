// The route Many: ten thousand at once, every form, logs, and the IDs of a time.
import { readFile } from 'node:fs/promises';
import { validateUuid } from 'kazahana/uuid';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { type Busy, clipboard, goTo, openPage, textOf, V7, watchTasks } from './page.ts';
import { servedPage } from './served.ts';

const server = servedPage();
const MAX_SIGNED = '9223372036854775807';

async function generate(page: Page, count: number): Promise<void> {
  await page.getByLabel('How many').fill(String(count));
  await page.getByRole('button', { name: 'Generate and copy' }).click();
  await page.locator('[data-testid=summary]', { hasText: `${count.toLocaleString('en-US')} IDs` }).waitFor();
}

it('10,000 v7 are unique and rise, the page stays awake, and the clipboard is what is listed', async () => {
  let quietest: Busy = { cpuMs: Number.POSITIVE_INFINITY, wallMs: 0 };
  for (let round = 0; round < 3 && quietest.cpuMs > 200; round++) {
    await using opened = await openPage(`${server.url}#/many`);
    const { page } = opened;
    const stop = await watchTasks(page);
    await generate(page, 10_000);
    await page.locator('tbody tr.tall').first().waitFor();
    // A frame later everything is drawn.
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))));
    const busy = await stop();
    if (busy.cpuMs < quietest.cpuMs) quietest = busy;
    expect(await textOf(page, 'summary')).toBe('10,000 IDs · 0 repeats · 0 out of order');
    const copied = await clipboard(page);
    const ids = copied.split('\n');
    expect(new Set(ids).size).toBe(10_000);
    expect(ids.every((id, i) => i === 0 || id > (ids[i - 1] ?? ''))).toBe(true);
    expect(ids.every((id) => validateUuid(id).version === 'v7')).toBe(true);
    const listed = await page.locator('tbody tr.tall td:nth-child(2)').allTextContents();
    expect(listed).toEqual(ids.slice(0, listed.length));
    expect(listed.length).toBeLessThan(100);
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download' }).click();
    expect(await readFile(await (await download).path(), 'utf8')).toBe(copied);
  }
  const { cpuMs, wallMs } = quietest;
  console.log(
    `10,000 v7: the page computed for ${cpuMs.toFixed(1)} ms at a time, ${wallMs.toFixed(1)} by the clock`,
  );
  expect(cpuMs).toBeLessThanOrEqual(200);
});

describe('the same IDs', () => {
  it('are written anew in every form, and saved as they are shown', async () => {
    await using opened = await openPage(`${server.url}#/many`);
    const { page } = opened;
    await generate(page, 3);
    const plain = (await clipboard(page)).split('\n');
    await page.getByText('UPPER').click();
    await page.getByText('without').click();
    const bare = plain.map((id) => id.replaceAll('-', '').toUpperCase());
    expect(await page.locator('tbody tr.tall td:nth-child(2)').allTextContents()).toEqual(bare);
    await page.getByText('urn:uuid:').click();
    await page.getByText('JSON', { exact: true }).click();
    await page.getByRole('button', { name: 'Copy all' }).click();
    // A URN has hyphens, whatever else is chosen.
    await expect
      .poll(async () => JSON.parse(await clipboard(page)))
      .toEqual(plain.map((id) => `urn:uuid:${id.toUpperCase()}`));
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download' }).click();
    expect((await download).suggestedFilename()).toBe('ids.json');
  });

  for (const [kind, pattern] of [
    ['v1', /^[0-9a-f]{8}-[0-9a-f]{4}-1/],
    ['v4', /^[0-9a-f]{8}-[0-9a-f]{4}-4/],
    ['kazahana', /^[0-9]{15,19}$/],
  ] as const) {
    it(`are made of the kind ${kind}, by a link`, async () => {
      await using opened = await openPage(`${server.url}#/many/generate?kind=${kind}&count=5`);
      const ids = opened.page.locator('tbody tr.tall td:nth-child(2)');
      await expect.poll(() => ids.count()).toBe(5);
      for (const id of await ids.allTextContents()) expect(id).toMatch(pattern);
    });
  }
});

it('a count outside 1 to 10,000 is refused, and nothing is made', async () => {
  await using opened = await openPage(`${server.url}#/many`);
  const { page } = opened;
  for (const count of ['0', '10001', '-1', '1.5', 'x', '', '1e3']) {
    await page.getByLabel('How many').fill(count);
    await page.getByRole('button', { name: 'Generate and copy' }).click();
    await page.getByText('a whole number from 1 to 10,000').waitFor();
    await page.getByText('No IDs yet.').waitFor();
  }
});

it('for a time: the lowest and the highest', async () => {
  await using opened = await openPage(`${server.url}#/many`);
  const { page } = opened;
  await page.getByLabel('Instant').fill('2025-01-01');
  await page.getByText('01941f29-7c00-7000-8000-000000000000').waitFor();
  await page.getByText('01941f29-7c00-7fff-bfff-ffffffffffff').waitFor();
  await page.getByLabel('Instant').fill('soon');
  await page.getByText('Write 2025-01-01').waitFor();
});

it('a log is listed with its repeats and what is out of order; rows are filtered, searched, saved and read', async () => {
  await using opened = await openPage(`${server.url}#/many/log`);
  const { page } = opened;
  const early = '01941f29-7bff-7001-8a2e-53c0f1d2b3a4';
  await page
    .locator('textarea')
    .fill(`GET ${V7}\nid=${MAX_SIGNED}\nGET ${V7} again\nPUT ${early}\n${MAX_SIGNED}`);
  await page.locator('[data-testid=summary]', { hasText: '5 IDs · 2 repeats · 1 out of order' }).waitFor();
  const ids = page.locator('tbody tr.tall td:nth-child(2)');
  await page.getByText('repeats', { exact: true }).click();
  await expect.poll(() => ids.allTextContents()).toEqual([V7, MAX_SIGNED]);
  await page.getByText('out of order', { exact: true }).click();
  await expect.poll(() => ids.allTextContents()).toEqual([early]);
  await page.getByText('all', { exact: true }).click();
  await page.getByRole('searchbox').fill('922337');
  await expect.poll(() => ids.allTextContents()).toEqual([MAX_SIGNED, MAX_SIGNED]);
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'NDJSON' }).click();
  const [first = ''] = (await readFile(await (await download).path(), 'utf8')).split('\n');
  expect(JSON.parse(first)).toMatchObject({ id: MAX_SIGNED, line: 2, repeat: false });
  await ids.first().getByRole('button').click();
  await page.locator('[data-testid=id]', { hasText: MAX_SIGNED }).waitFor();
  await page.keyboard.press('Escape');
});

it('on a phone the table is in the first screen, no ID in it is cut off, and what is only possible is said to be so', async () => {
  await using opened = await openPage(`${server.url}#/many/generate?kind=v7&count=5`, {
    viewport: { width: 390, height: 844 },
  });
  const { page } = opened;
  const rows = page.locator('tbody tr.tall');
  const seen = () =>
    page.evaluate(() => ({
      heights: [...document.querySelectorAll('tr.tall')].map((row) => row.getBoundingClientRect().height),
      top: document.querySelector('.rows')?.getBoundingClientRect().top ?? Number.POSITIVE_INFINITY,
      kindWidth: document.querySelector('main select')?.getBoundingClientRect().width ?? 0,
      cut: [...document.querySelectorAll('.of-id button')]
        .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
        .map(({ textContent }) => textContent),
    }));
  await expect.poll(() => rows.count()).toBe(5);
  const generated = await seen();
  expect(generated.top).toBeLessThan(360);
  expect(generated.kindWidth).toBeGreaterThan(200);
  expect(generated.cut).toEqual([]);
  // Rows that are not in view are taken to be as high.
  expect(new Set(generated.heights)).toEqual(new Set([56]));
  // What is folded away can be unfolded.
  await page.getByRole('button', { name: 'Form' }).click();
  await page.getByText('UPPER').waitFor();
  await goTo(page, 'many/log');
  await page.locator('textarea').fill(`${V7}\n175928847299117063\nend`);
  await expect
    .poll(() => rows.locator('.kind').allInnerTexts())
    .toEqual(['UUID v7', 'Possibly Discord snowflake']);
  expect((await seen()).cut).toEqual([]);
  await page.setViewportSize({ width: 320, height: 640 });
  expect((await seen()).cut).toEqual([]);
  await page.setViewportSize({ width: 1280, height: 720 });
  expect(new Set((await seen()).heights)).toEqual(new Set([34]));
});
