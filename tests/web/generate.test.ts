// Must show 2: many IDs at once, and what else the first room promises.
import { readFile } from 'node:fs/promises';
import { validateUuid } from 'kazahana/uuid';
import { describe, expect, it } from 'vitest';
import { type Busy, clipboard, openPage, textOf, watchTasks } from './page.ts';
import { servedPage } from './served.ts';

const server = servedPage();

it('10,000 v7 are unique and rise, the page stays awake, and the clipboard is what the screen shows', async () => {
  let quietest: Busy = { cpuMs: Number.POSITIVE_INFINITY, wallMs: 0 };
  for (let round = 0; round < 3 && quietest.cpuMs > 200; round++) {
    await using opened = await openPage(server.url);
    const { page } = opened;
    const stop = await watchTasks(page);
    await page.getByLabel('How many').fill('10000');
    await page.getByRole('button', { name: 'Make another' }).click();
    await page.locator('[data-testid=list]').waitFor();
    // A frame later everything is drawn.
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))));
    const busy = await stop();
    if (busy.cpuMs < quietest.cpuMs) quietest = busy;
    const shown = await textOf(page, 'list');
    const ids = shown.split('\n');
    expect(ids.length).toBe(10_000);
    expect(new Set(ids).size).toBe(10_000);
    expect(ids.every((id, i) => i === 0 || id > (ids[i - 1] ?? ''))).toBe(true);
    expect(ids.every((id) => validateUuid(id).version === 'v7')).toBe(true);
    await expect.poll(() => clipboard(page)).toBe(shown);
    await page.getByRole('button', { name: 'Copy all' }).click();
    expect(await clipboard(page)).toBe(shown);
  }
  const { cpuMs, wallMs } = quietest;
  console.log(
    `10,000 v7: the page computed for ${cpuMs.toFixed(1)} ms at a time, ${wallMs.toFixed(1)} by the clock`,
  );
  expect(cpuMs).toBeLessThanOrEqual(200);
});

describe('the same IDs', () => {
  it('are written anew in every form, and saved as they are shown', async () => {
    await using opened = await openPage(server.url);
    const { page } = opened;
    await page.getByLabel('How many').fill('3');
    await page.getByRole('button', { name: 'Make another' }).click();
    const plain = (await textOf(page, 'list')).split('\n');
    const room = page.locator('#generate');
    await room.getByText('UPPER').click();
    await room.getByText('without').click();
    await room.getByText('urn:uuid:').click();
    await room.getByText('JSON', { exact: true }).click();
    const written = JSON.parse(await textOf(page, 'list'));
    expect(written).toEqual(plain.map((id) => `urn:uuid:${id.replaceAll('-', '').toUpperCase()}`));
    const download = page.waitForEvent('download');
    await room.getByRole('button', { name: 'Download' }).click();
    const saved = await download;
    expect(saved.suggestedFilename()).toBe('ids.json');
    expect(await readFile(await saved.path(), 'utf8')).toBe(await textOf(page, 'list'));
  });

  for (const [kind, pattern] of [
    ['v1', /^[0-9a-f]{8}-[0-9a-f]{4}-1/],
    ['v4', /^[0-9a-f]{8}-[0-9a-f]{4}-4/],
    ['kazahana', /^[0-9]{17,19}$/],
  ] as const) {
    it(`are made of the kind ${kind}`, async () => {
      await using opened = await openPage(server.url);
      await opened.page.getByLabel('Kind').first().selectOption(kind);
      await opened.page.locator('[data-testid=made]').filter({ hasText: pattern }).waitFor();
    });
  }
});

it('a count outside 1 to 10,000 is refused, and nothing is made', async () => {
  await using opened = await openPage(server.url);
  const { page } = opened;
  const before = await textOf(page, 'made');
  for (const count of ['0', '10001', '-1', '1.5', 'x', '', '1e3']) {
    await page.getByLabel('How many').fill(count);
    await page.getByRole('button', { name: 'Make another' }).click();
    await page.getByText('a whole number from 1 to 10,000').waitFor();
    expect(await textOf(page, 'made')).toBe(before);
  }
});

it('keys: Enter makes and copies, g makes, c copies, / goes to the box, ? tells', async () => {
  await using opened = await openPage(server.url);
  const { page } = opened;
  const first = await textOf(page, 'made');
  await page.keyboard.press('Enter');
  await expect.poll(() => textOf(page, 'made')).not.toBe(first);
  const second = await textOf(page, 'made');
  await expect.poll(() => clipboard(page)).toBe(second);
  await page.keyboard.press('g');
  await expect.poll(() => textOf(page, 'made')).not.toBe(second);
  await page.keyboard.press('c');
  const third = await textOf(page, 'made');
  await expect.poll(() => clipboard(page)).toBe(third);
  await page.keyboard.press('?');
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Escape');
  // Browsers close it in a moment of their own; until then the keys are the dialog's.
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  await page.keyboard.press('/');
  await page.keyboard.type('g');
  expect(await page.locator('#box').inputValue()).toBe('g');
  expect(await textOf(page, 'made')).toBe(third);
});

it('for a time: the lowest and the highest', async () => {
  await using opened = await openPage(server.url);
  const { page } = opened;
  await page.getByText('For a time').click();
  await page.getByLabel('Instant').fill('2025-01-01');
  await page.getByText('01941f29-7c00-7000-8000-000000000000').waitFor();
  await page.getByText('01941f29-7c00-7fff-bfff-ffffffffffff').waitFor();
  await page.getByLabel('Instant').fill('soon');
  await page.getByText('Write 2025-01-01').waitFor();
});
