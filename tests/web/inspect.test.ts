// Must show 3, 4 and 5: faults at their character, times, 64 bits in every room, and the bits as drawn.
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { clipboard, goTo, loadAllRooms, type Opened, openPage, paste, textOf } from './page.ts';
import { servedPage } from './served.ts';

const V7 = '01941f29-7c00-7aaa-aaaa-aaaaaaaaaaaa';
const MAX_SIGNED = '9223372036854775807';
const IMG = '<img src=x onerror="window.hacked=true">';

const server = servedPage();
let shared: Opened;
beforeAll(async () => {
  shared = await openPage(server.url);
});

const kindOf = (page: Page) => page.locator('[data-testid=inspection]').getAttribute('data-kind');

describe('every error code of the seed is marked at its character', () => {
  const rows: [code: string, text: string, index: number][] = [
    ['INVALID_VARIANT', '24688438-40e1-70d0-d97e-084cfc8992c7', 19],
    ['INVALID_VERSION', '01941f29-7c00-9aaa-aaaa-aaaaaaaaaaaa', 14],
    ['INVALID_HEX', '01941f29-7c00-7aaa-aaaa-aaaaaagaaaaa', 30],
    ['INVALID_LENGTH', '01941f29-7c00-7aaa-aaaa-aaaaaaaaaaa', 35],
    ['INVALID_HYPHEN_POSITION', '01941f297-c00-7aaa-aaaa-aaaaaaaaaaaa', 8],
    ['INVALID_FORMAT', 'urn:oid:01941f29-7c00-7aaa-aaaa-aaaaaaaaaaaa', 4],
  ];
  for (const [code, text, index] of rows) {
    it(`${code} at ${index}`, async () => {
      const { page } = shared;
      await page.locator('#box').fill(text);
      await page.locator('.faults code', { hasText: code }).waitFor();
      const mark = page.locator(`[data-testid=marked] mark[data-index="${index}"]`);
      expect(await mark.count()).toBe(1);
      expect((await mark.textContent())?.trim()).toBe(text[index] ?? '');
    });
  }

  it('and what can be mended safely is mended by a click', async () => {
    const { page } = shared;
    await page.locator('#box').fill('01941f297-c00-7aaa-aaaa-aaaaaaaaaaaa');
    await page.getByRole('button', { name: 'Fix it' }).click();
    expect(await page.locator('#box').inputValue()).toBe(V7);
    expect(await kindOf(page)).toBe('id');
  });
});

it('a megabyte can be pasted: no ID in it, or thousands', async () => {
  const { page } = shared;
  await paste(page, '#box', 'x'.repeat(2 ** 20));
  await expect.poll(() => kindOf(page)).toBe('broken');
  await goTo(page, 'batch');
  await page.locator('[data-testid=batch-summary]', { hasText: '0 found' }).waitFor();
  const log = Array.from(
    { length: 20_000 },
    (_, i) => `GET /${MAX_SIGNED.slice(0, 14)}${10_000 + i} ok`,
  ).join('\n');
  await paste(page, '#batch textarea', log);
  await page
    .locator('[data-testid=batch-summary]', { hasText: '20,000 found, the first 10,000 are listed' })
    .waitFor();
  expect(await page.locator('#batch tbody tr.tall').count()).toBeLessThan(100);
});

it('two IDs: how far apart, and in what order', async () => {
  const { page } = shared;
  await page.locator('#box').fill(`${V7} 01941f29-8fa1-7aaa-aaaa-aaaaaaaaaaaa`);
  expect(await textOf(page, 'order')).toBe('the first is lower');
  expect(await textOf(page, 'apart')).toContain('5 sec');
});

it('an <img onerror> is text wherever it is put', async () => {
  await using opened = await openPage(`${server.url}#inspect?id=${encodeURIComponent(IMG)}`, {}, (page) =>
    page.addInitScript((text) => localStorage.setItem('kazahana.history', text), IMG),
  );
  const { page } = opened;
  await loadAllRooms(page);
  for (const field of await page.locator('input[type=text], input[type=search], textarea').all()) {
    if (await field.isVisible()) await field.fill(IMG);
  }
  await page.locator('#public').getByText('with a key').click();
  await page.locator('#public input[type=password]').fill(IMG);
  await page.locator('#batch textarea').fill(`${IMG} ${V7} ${IMG}`);
  await page.locator('#batch tbody tr.tall').waitFor();
  await page.locator('#history').getByText('kept aside').waitFor();
  expect(await page.locator('img').count()).toBe(0);
  expect(await page.evaluate(() => 'hacked' in window)).toBe(false);
  expect(opened.errors).toEqual([]);
});

describe('times', () => {
  for (const [timezoneId, local] of [
    ['Asia/Seoul', '09:00:00.000'],
    ['America/New_York', '19:00:00.000'],
  ] as const) {
    it(`${V7} is the beginning of 2025, in ${timezoneId} too`, async () => {
      await using opened = await openPage(`${server.url}#inspect?id=${V7}`, { timezoneId });
      const { page } = opened;
      await page.locator('[data-testid=utc]').waitFor();
      expect(await textOf(page, 'utc')).toBe('2025-01-01T00:00:00.000Z');
      expect(await textOf(page, 'local')).toContain(local);
    });
  }
});

it('2⁶³−1 survives every room, link and JSON', async () => {
  await using opened = await openPage(server.url);
  const { page } = opened;
  await page.locator('#box').fill(MAX_SIGNED);
  await expect.poll(() => textOf(page, 'id')).toBe(MAX_SIGNED);

  await page.locator('#inspect').getByRole('button', { name: 'Copy link' }).click();
  const link = await clipboard(page);
  expect(link).toContain(`#inspect?id=${MAX_SIGNED}`);
  await using again = await openPage(link);
  await expect.poll(() => textOf(again.page, 'id')).toBe(MAX_SIGNED);

  await goTo(page, 'public');
  const room = page.locator('#public');
  await room.getByLabel('64-bit ID', { exact: true }).fill(MAX_SIGNED);
  const external = await room.getByLabel('Public ID', { exact: true }).inputValue();
  expect(external).toMatch(/^[\w-]{11}$/);
  await room.getByLabel('64-bit ID', { exact: true }).fill('0');
  await room.getByLabel('Public ID', { exact: true }).fill(external);
  expect(await room.getByLabel('64-bit ID', { exact: true }).inputValue()).toBe(MAX_SIGNED);

  await goTo(page, 'batch');
  await page.locator('#batch textarea').fill(`id=${MAX_SIGNED} and ${MAX_SIGNED}`);
  await page.locator('[data-testid=batch-summary]', { hasText: '1 repeat' }).waitFor();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'NDJSON' }).click();
  const [first = ''] = (await readFile(await (await download).path(), 'utf8')).split('\n');
  expect(JSON.parse(first).id).toBe(MAX_SIGNED);
});

/** All bits as they are drawn, as one integer. */
async function drawnValue(page: Page, room: string): Promise<bigint> {
  const digits = await page.locator(`#${room} [data-bit] text`).allTextContents();
  return BigInt(`0b${digits.join('')}`);
}

describe('the bit picture', () => {
  const rows: [text: string, value: bigint, bits: number][] = [
    [V7, 0x01941f297c007aaaaaaaaaaaaaaaaaaan, 128],
    ['FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF', 2n ** 128n - 1n, 128],
    ['24688438-40e1-70d0-d97e-084cfc8992c7', 0x2468843840e170d0d97e084cfc8992c7n, 128],
    [MAX_SIGNED, 2n ** 63n - 1n, 64],
    ['18446744073709551615', 2n ** 64n - 1n, 64],
  ];
  for (const [text, value, bits] of rows) {
    it(`of ${text}, read back, is the input`, async () => {
      const { page } = shared;
      await page.locator('#box').fill(text);
      await expect.poll(() => page.locator('#bits [data-bit]').count()).toBe(bits);
      expect(await drawnValue(page, 'bits')).toBe(value);
      const hex = await page.locator('#bits .hex').allTextContents();
      expect(BigInt(`0x${hex.join('')}`)).toBe(value);
    });
  }

  it('a flipped bit changes everything that follows from it, and flipped twice it changes nothing', async () => {
    const { page } = shared;
    for (const text of [V7, MAX_SIGNED]) {
      await page.locator('#box').fill(text);
      const before = await page
        .locator('main')
        .evaluate((main) => ['#inspect', '#bits'].map((room) => main.querySelector(room)?.textContent));
      for (const bit of [0, 5, 47, 50, 63]) {
        await page.locator(`#bits [data-bit="${bit}"]`).click();
        const flipped = await page.locator('#box').inputValue();
        expect(flipped).not.toBe(text);
        await page.locator(`#bits [data-bit="${bit}"]`).click();
        expect(await page.locator('#box').inputValue()).toBe(text);
      }
      const after = await page
        .locator('main')
        .evaluate((main) => ['#inspect', '#bits'].map((room) => main.querySelector(room)?.textContent));
      expect(after).toEqual(before);
    }
  });

  it('characters, bits and rows light each other up', async () => {
    const { page } = shared;
    await page.locator('#box').fill(V7);
    await page.locator('#bits [data-bit="50"]').hover();
    expect(await page.locator('#inspect .id .lit').allTextContents()).toEqual(['7']);
    expect(await page.locator('#bits tr.lit th').allTextContents()).toEqual(['version']);
    await page.locator('#bits tbody tr', { hasText: 'variant' }).hover();
    expect(await page.locator('#bits .bit.lit').count()).toBe(2);
    await page.locator('#inspect .id span').first().hover();
    expect(await page.locator('#bits .bit.lit').count()).toBe(4);
  });

  it('of a fallback ID shows both readings', async () => {
    const { page } = shared;
    await page.locator('#generate').getByLabel('Kind').first().selectOption('kazahana');
    await page.locator('[data-testid=made]').filter({ hasText: /^\d+$/ }).waitFor();
    await page.locator('#box').fill(await textOf(page, 'made'));
    await page.locator('#inspect').getByText('Two readings: fenced').waitFor();
    await page
      .locator('#bits')
      .getByText(/fallback: slot \d+ fenced, or random/)
      .waitFor();
  });

  it('of the hierarchy follows its sliders, and they follow it', async () => {
    const { page } = shared;
    await goTo(page, 'hierarchy');
    const room = page.locator('#hierarchy');
    expect(await drawnValue(page, 'hierarchy')).toBe(8786953n);
    await room.getByLabel('Conversation', { exact: true }).fill('1023');
    expect(await drawnValue(page, 'hierarchy')).toBe(8787967n);
    expect(await room.getByLabel('Integer', { exact: true }).inputValue()).toBe('8787967');
    await room.locator('[data-bit="23"]').click();
    expect(await room.getByLabel('Integer', { exact: true }).inputValue()).toBe('8787966');
    await room.getByLabel('Integer', { exact: true }).fill('99999999');
    await room.getByText('No ID of this level has this number.').first().waitFor();
    expect(await textOf(page, 'tree')).toContain('8787966');
  });
});
