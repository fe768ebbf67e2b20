// The route 64-bit: a layout that cannot break, external IDs with prefix and keys, Estelle.
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { openPage, textOf } from './page.ts';
import { servedPage } from './served.ts';

const server = servedPage();
const MAX_SIGNED = '9223372036854775807';

describe('the layout', () => {
  const bitsOf = async (page: Page) =>
    (await page.locator('.layout-bar [data-part] b').allTextContents()).map(Number);

  it('moves bits to the neighbour when a divider is dragged, and holds wherever it is dragged', async () => {
    await using opened = await openPage(`${server.url}#/64-bit`);
    const { page } = opened;
    expect(await bitsOf(page)).toEqual([1, 41, 14, 8]);
    const drag = async (divider: number, bits: number) => {
      const handle = await page.locator(`[data-divider="${divider}"]`).boundingBox();
      const bar = await page.locator('.layout-bar').boundingBox();
      if (!handle || !bar) throw new Error('there is no bar');
      const [x, y] = [handle.x + handle.width / 2, handle.y + handle.height / 2];
      await page.mouse.move(x, y);
      await page.mouse.down();
      await page.mouse.move(x + (bits * bar.width) / 64, y, { steps: 5 });
      await page.mouse.up();
    };
    await drag(2, -2);
    expect(await bitsOf(page)).toEqual([1, 41, 12, 10]);
    expect(await textOf(page, 'gives')).toContain('1,024 a machine');
    await drag(1, 60);
    await drag(0, -60);
    await drag(2, 60);
    const bits = await bitsOf(page);
    expect(bits.reduce((sum, each) => sum + each, 0)).toBe(64);
    expect(bits.every((each) => each >= 1)).toBe(true);
    expect(await page.getByRole('alert').count()).toBe(0);
    await page.getByRole('button', { name: 'Like Twitter' }).click();
    expect(await bitsOf(page)).toEqual([1, 41, 10, 12]);
    expect(await textOf(page, 'configuration')).toContain('1288834974657');
    expect(opened.errors).toEqual([]);
  });

  it('moves them by arrow keys as well', async () => {
    await using opened = await openPage(`${server.url}#/64-bit`);
    const { page } = opened;
    await page.locator('[data-divider="1"]').focus();
    await page.keyboard.press('ArrowRight');
    expect(await bitsOf(page)).toEqual([1, 42, 13, 8]);
    await page.keyboard.press('PageDown');
    expect(await bitsOf(page)).toEqual([1, 38, 17, 8]);
  });

  it.each([
    ['#layout?epoch=9999999999999999', 'The epoch in this link is out of range.'],
    ['#layout?ts=45', 'The bits in this link do not fit'],
  ])('of the link %s is refused in words, and the page goes on', async (hash, message) => {
    await using opened = await openPage(`${server.url}${hash}`);
    const { page } = opened;
    await page.locator('[data-testid=link-problem]', { hasText: message }).waitFor();
    expect(await bitsOf(page)).toEqual([1, 41, 14, 8]);
    expect(opened.errors).toEqual([]);
  });
});

describe('external IDs', () => {
  it('lead both ways, 2⁶³−1 included', async () => {
    await using opened = await openPage(`${server.url}#/64-bit/external`);
    const { page } = opened;
    const id = page.getByLabel('64-bit ID', { exact: true });
    const external = page.getByLabel('External ID', { exact: true });
    await id.fill(MAX_SIGNED);
    const text = await external.inputValue();
    expect(text).toMatch(/^[\w-]{11}$/);
    await id.fill('0');
    await external.fill(text);
    expect(await id.inputValue()).toBe(MAX_SIGNED);
    await external.fill('not one');
    await page.getByText('This is no external ID of this mode, prefix and key.').waitFor();
  });

  it('have a prefix and keys that can be rotated; no link and no storage has a key', async () => {
    await using opened = await openPage(`${server.url}#/64-bit/external`);
    const { page } = opened;
    const external = page.getByLabel('External ID', { exact: true });
    await page.getByLabel('Prefix').fill('user');
    expect(await external.inputValue()).toMatch(/^user_[\w-]{11}$/);
    await page.getByText('with a key').click();
    await page.getByText('Write a key first.').waitFor();
    await page.getByLabel('Key', { exact: true }).fill('secret-one');
    await page.getByRole('button', { name: 'Add a key' }).click();
    await page.getByLabel('Key b', { exact: true }).fill('secret-two');
    expect(await external.inputValue()).toMatch(/^user_b[\w-]{11}$/);
    await page.getByLabel('Use key a for new texts').check();
    expect(await external.inputValue()).toMatch(/^user_a[\w-]{11}$/);
    await page.getByRole('button', { name: 'Copy link' }).click();
    const kept = await page.evaluate(async () =>
      JSON.stringify([{ ...localStorage }, location.href, await navigator.clipboard.readText()]),
    );
    expect(kept).not.toContain('secret-');
    expect(await page.content()).not.toContain('secret-');
  });
});

it('Estelle: sliders, integer and bits follow each other', async () => {
  await using opened = await openPage(`${server.url}#hierarchy?id=8786953`);
  const { page } = opened;
  const drawn = async () => BigInt(`0b${(await page.locator('[data-bit] text').allTextContents()).join('')}`);
  expect(await drawn()).toBe(8786953n);
  await page.getByLabel('Conversation', { exact: true }).fill('1023');
  expect(await drawn()).toBe(8787967n);
  const integer = page.getByLabel('Integer', { exact: true });
  expect(await integer.inputValue()).toBe('8787967');
  await page.locator('[data-bit="23"]').click();
  expect(await integer.inputValue()).toBe('8787966');
  await integer.fill('99999999');
  await page.getByText('No ID of this level has this number.').first().waitFor();
  expect(await textOf(page, 'tree')).toContain('8787966');
});
