// The home route: a fresh ID, pasted IDs answered in place, faults at their character, the bits as drawn.
import { readFile } from 'node:fs/promises';
import { validateUuid } from 'kazahana/uuid';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  chooseLanguage,
  clipboard,
  goTo,
  type Opened,
  openPage,
  PARTS,
  paste,
  pasteAnywhere,
  textOf,
  V7,
} from './page.ts';
import { servedPage } from './served.ts';

const MAX_SIGNED = '9223372036854775807';
const IMG = '<img src=x onerror="window.hacked=true">';

const server = servedPage();
let shared: Opened;
beforeAll(async () => {
  shared = await openPage(server.url);
});

const kindOf = (page: Page) => page.locator('[data-testid=answer]').getAttribute('data-kind');
const idOf = (page: Page) => textOf(page, 'id');
const box = (page: Page) => page.locator('#box');

describe('what is pasted', () => {
  it('anywhere replaces what is in view; Esc goes back; the address follows', async () => {
    await using opened = await openPage(server.url);
    const { page } = opened;
    const fresh = await idOf(page);
    expect(page.url()).toBe(`${server.url}#/id/${fresh}`);
    await pasteAnywhere(page, V7);
    await expect.poll(() => idOf(page)).toBe(V7);
    expect(page.url()).toBe(`${server.url}#/id/${V7}`);
    await pasteAnywhere(page, MAX_SIGNED);
    await expect.poll(() => idOf(page)).toBe(MAX_SIGNED);
    await page.goBack();
    await expect.poll(() => idOf(page)).toBe(V7);
    await pasteAnywhere(page, MAX_SIGNED);
    await expect.poll(() => idOf(page)).toBe(MAX_SIGNED);
    await page.keyboard.press('Escape');
    await expect.poll(() => idOf(page)).toBe(V7);
    expect(page.url()).toBe(`${server.url}#/id/${V7}`);
    await using again = await openPage(page.url());
    expect(await idOf(again.page)).toBe(V7);
  });

  it('on another route is answered at home', async () => {
    await using opened = await openPage(`${server.url}#/pool`);
    const { page } = opened;
    await pasteAnywhere(page, `"${V7}",`);
    await expect.poll(() => idOf(page)).toBe(V7);
    await page.getByText('The quotes around it were taken off.').waitFor();
  });

  it('into the box, typed or dropped does the same; three IDs go to the log', async () => {
    await using opened = await openPage(server.url);
    const { page } = opened;
    await page.keyboard.press('Control+k');
    await page.keyboard.type(V7);
    await expect.poll(() => idOf(page)).toBe(V7);
    await page.evaluate((text) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([text], 'id.txt', { type: 'text/plain' }));
      document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
    }, MAX_SIGNED);
    await expect.poll(() => idOf(page)).toBe(MAX_SIGNED);
    await paste(page, '#box', `${V7}\n${MAX_SIGNED}\n${V7}`);
    await page.locator('main[data-part="many/log"]').waitFor();
    await page.locator('[data-testid=summary]', { hasText: '3 IDs · 1 repeat' }).waitFor();
  });

  it('can be a megabyte: no ID in it, or thousands', async () => {
    await using opened = await openPage(server.url);
    const { page } = opened;
    await paste(page, '#box', 'x'.repeat(2 ** 20));
    await page.locator('[data-testid=summary]', { hasText: '0 IDs' }).waitFor();
    const log = Array.from(
      { length: 20_000 },
      (_, i) => `GET /${MAX_SIGNED.slice(0, 14)}${10_000 + i} ok`,
    ).join('\n');
    await paste(page, 'textarea', log);
    await page
      .locator('[data-testid=summary]', { hasText: '20,000 IDs, the first 10,000 are listed' })
      .waitFor();
    expect(await page.locator('tbody tr.tall').count()).toBeLessThan(100);
    expect(opened.errors).toEqual([]);
  });

  it('as <img onerror> is text wherever it is put', async () => {
    await using opened = await openPage(`${server.url}#inspect?id=${encodeURIComponent(IMG)}`, {}, (page) =>
      page.addInitScript((text) => localStorage.setItem('kazahana.history', text), IMG),
    );
    const { page } = opened;
    for (const part of PARTS) {
      await goTo(page, part);
      if (part === '64-bit/external') await page.getByText('with a key').click();
      const fields = page.locator('main input:is([type=text], [type=search], [type=password]), textarea');
      for (const field of await fields.all()) if (await field.isVisible()) await field.fill(IMG);
    }
    await goTo(page, 'many/history');
    await page.getByText('kept aside').waitFor();
    expect(await page.locator('img').count()).toBe(0);
    expect(await page.evaluate(() => 'hacked' in window)).toBe(false);
    expect(opened.errors).toEqual([]);
  });
});

describe('every error code of the seed is marked at its character', () => {
  const rows: [code: string, text: string, index: number][] = [
    ['INVALID_VARIANT', '24688438-40e1-70d0-d97e-084cfc8992c7', 19],
    ['INVALID_VERSION', '01941f29-7c00-9aaa-aaaa-aaaaaaaaaaaa', 14],
    ['INVALID_HEX', '01941f29-7c00-7aaa-aaaa-aaaaaagaaaaa', 30],
    ['INVALID_LENGTH', '01941f29-7c00-7aaa-aaaa-aaaaaaaaaaa', 35],
    ['INVALID_HYPHEN_POSITION', '01941f297-c00-7aaa-aaaa-aaaaaaaaaaaa', 8],
  ];
  for (const [code, text, index] of rows) {
    it(`${code} at ${index}`, async () => {
      const { page } = shared;
      await box(page).fill(text);
      await page.locator('.faults code', { hasText: code }).waitFor();
      const mark = page.locator(`[data-testid=marked] mark[data-index="${index}"]`);
      expect(await mark.count()).toBe(1);
      expect((await mark.textContent())?.trim()).toBe(text[index] ?? '');
    });
  }

  it('and a wrong prefix or a lost brace is taken off, and said', async () => {
    const { page } = shared;
    for (const [text, note] of [
      [`urn:oid:${V7}`, 'It was found in a longer text.'],
      [`{${V7}`, 'The brackets around it were taken off.'],
    ] as const) {
      await box(page).fill(text);
      await expect.poll(() => idOf(page)).toBe(V7);
      await page.locator('.notes', { hasText: note }).waitFor();
    }
  });

  it('and what can be mended safely is mended by a click', async () => {
    const { page } = shared;
    await box(page).fill('01941f297-c00-7aaa-aaaa-aaaaaaaaaaaa');
    await page.getByRole('button', { name: 'Fix it' }).click();
    await expect.poll(() => idOf(page)).toBe(V7);
    expect(await kindOf(page)).toBe('one');
  });
});

it('two IDs: how far apart, in what order, and the bits that differ', async () => {
  const { page } = shared;
  await pasteAnywhere(page, `${V7}\n01941f29-8fa1-7aaa-aaaa-aaaaaaaaaaab`);
  await expect.poll(() => kindOf(page)).toBe('two');
  expect(await textOf(page, 'order')).toBe('the first is lower');
  expect(await textOf(page, 'apart')).toContain('5 sec');
  expect(await textOf(page, 'bits')).toContain('10 differ');
  expect(await page.locator('.bit.differs').count()).toBe(2 * 10);
  // Each bit of the one stands right above that of the other.
  const places = await page
    .locator('[data-testid=pair] .bit > rect')
    .evaluateAll((all) => all.map((bit) => [Number(bit.getAttribute('x')), Number(bit.getAttribute('y'))]));
  expect(places.length).toBe(2 * 128);
  const distances = places.slice(0, 128).map(([x = 0, y = 0], index) => {
    const [belowX = 0, belowY = 0] = places[128 + index] ?? [];
    return `${belowX - x} ${belowY - y}`;
  });
  expect(new Set(distances)).toEqual(new Set(['0 28']));
  await pasteAnywhere(page, '1212092628029698048 1228393702244134912');
  await expect.poll(() => textOf(page, 'says')).toMatch(/^Two Discord snowflake · possible · 44 days/);
});

describe('a reading', () => {
  it('can be chosen, and the link carries the choice', async () => {
    await using opened = await openPage(`${server.url}#/id/1735689600000`);
    const { page } = opened;
    expect(await textOf(page, 'title')).toContain('Unix time');
    expect(await textOf(page, 'says')).toMatch(/^Unix time/);
    await page.locator('.rail select').selectOption('kazahana-id');
    await expect.poll(() => textOf(page, 'title')).toBe('kazahana ID');
    expect(await textOf(page, 'says')).toMatch(/^Fits, but unlikely: kazahana ID/);
    expect(page.url()).toContain('?as=kazahana-id');
    await using again = await openPage(page.url());
    expect(await textOf(again.page, 'title')).toBe('kazahana ID');
  });

  it('that is only possible is said to be so, in each language, and in the title', async () => {
    await using opened = await openPage(`${server.url}#/id/175928847299117063`);
    const { page } = opened;
    for (const [language, beginning] of [
      ['en', 'Possibly Discord snowflake, created'],
      ['ko', 'Discord snowflake일 수 있음'],
      ['ja', 'Discord snowflake かもしれない'],
      ['zh', '可能是 Discord snowflake'],
    ] as const) {
      await chooseLanguage(page, language);
      expect((await textOf(page, 'says')).slice(0, beginning.length)).toBe(beginning);
      expect((await page.title()).slice(0, 12)).toBe(beginning.slice(0, 12));
    }
  });

  it('has other forms, which a click copies', async () => {
    await using opened = await openPage(`${server.url}#/id/${V7}`);
    const { page } = opened;
    await page.locator('.rail .row.form', { hasText: 'base64url' }).click();
    await expect.poll(() => clipboard(page)).toBe('AZQfKXwAeqqqqqqqqqqqqg');
    await page.locator('[data-testid=id]').click();
    await expect.poll(() => clipboard(page)).toBe(V7);
  });

  it('2⁶³−1 survives the box, the link and the bits', async () => {
    await using opened = await openPage(server.url);
    const { page } = opened;
    await box(page).fill(MAX_SIGNED);
    await expect.poll(() => idOf(page)).toBe(MAX_SIGNED);
    await using again = await openPage(page.url());
    expect(await idOf(again.page)).toBe(MAX_SIGNED);
    expect(await drawnValue(again.page)).toBe(2n ** 63n - 1n);
  });
});

describe('times', () => {
  for (const [timezoneId, local] of [
    ['Asia/Seoul', '09:00:00.000'],
    ['America/New_York', '19:00:00.000'],
  ] as const) {
    it(`are UTC, local or relative everywhere at once, in ${timezoneId}`, async () => {
      await using opened = await openPage(`${server.url}#/id/${V7}`, { timezoneId });
      const { page } = opened;
      expect(await textOf(page, 'time')).toBe('January 1, 2025 at 00:00:00.000 UTC');
      const field = page.locator('[data-testid=fields] tr', { hasText: 'unixMs' });
      expect(await field.textContent()).toContain('2025-01-01T00:00:00.000Z');
      await page.locator('button[popovertarget=menu]').click();
      await page.locator('#menu').getByText('Local').click();
      expect(await textOf(page, 'time')).toContain(local);
      expect(await field.textContent()).toContain(local);
      await page.locator('#menu').getByText('Relative').click();
      expect(await textOf(page, 'time')).toMatch(/years? ago/);
      expect(await field.textContent()).toMatch(/years? ago/);
    });
  }
});

/** All bits as they are drawn, as one integer. */
async function drawnValue(page: Page): Promise<bigint> {
  const digits = await page.locator('[data-bit] text').allTextContents();
  return BigInt(`0b${digits.join('')}`);
}

describe('the bit picture', () => {
  const rows: [text: string, value: bigint, bits: number][] = [
    [V7, 0x01941f297c007aaaaaaaaaaaaaaaaaaan, 128],
    ['FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF', 2n ** 128n - 1n, 128],
    ['24688438-40e1-70d0-d97e-084cfc8992c7', 0x2468843840e170d0d97e084cfc8992c7n, 128],
    ['01ARZ3NDEKTSV4RRFFQ69G5FAV', 0x01563e3ab5d3d6764c61efb99302bd5bn, 128],
    [MAX_SIGNED, 2n ** 63n - 1n, 64],
    ['18446744073709551615', 2n ** 64n - 1n, 64],
  ];
  for (const [text, value, bits] of rows) {
    it(`of ${text}, read back, is the input`, async () => {
      const { page } = shared;
      await box(page).fill(text);
      await expect.poll(() => page.locator('[data-bit]').count()).toBe(bits);
      await expect.poll(() => drawnValue(page)).toBe(value);
      const hex = await page.locator('.hex').allTextContents();
      expect(BigInt(`0x${hex.join('')}`)).toBe(value);
    });
  }

  it('a flipped bit changes everything that follows from it; flipped twice, or undone, it changes nothing', async () => {
    const { page } = shared;
    for (const text of [V7, MAX_SIGNED]) {
      await box(page).fill(text);
      await expect.poll(() => idOf(page)).toBe(text);
      const answer = () =>
        page.locator('[data-testid=answer]').evaluate((element) => {
          // The words for how it was given differ; the answer does not.
          return ['.says', '.picture', '.fields'].map((part) => element.querySelector(part)?.textContent);
        });
      const before = await answer();
      for (const bit of [0, 5, 47, 50, 63]) {
        await page.locator(`[data-bit="${bit}"]`).click();
        expect(await box(page).inputValue()).not.toBe(text);
        await page.locator(`[data-bit="${bit}"]`).click();
        expect(await box(page).inputValue()).toBe(text);
      }
      expect(await answer()).toEqual(before);
    }
    await box(page).fill(V7);
    await page.locator('[data-bit="127"]').click();
    await expect.poll(() => box(page).inputValue()).toBe(`${V7.slice(0, -1)}b`);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => idOf(page)).toBe(V7);
    await page.locator('[data-bit="127"]').click();
    await page.keyboard.press('Control+z');
    await expect.poll(() => idOf(page)).toBe(V7);
  });

  it('characters, bits and rows light each other up', async () => {
    const { page } = shared;
    await box(page).fill(V7);
    await page.locator('[data-bit="50"]').hover();
    expect(await page.locator('.id .lit').allTextContents()).toEqual(['7']);
    expect(await page.locator('tr.lit th').allTextContents()).toEqual(['version']);
    await page.locator('tbody tr', { hasText: 'variant' }).hover();
    expect(await page.locator('.bit.lit').count()).toBe(2);
    await page.locator('.id span').first().hover();
    expect(await page.locator('.bit.lit').count()).toBe(4);
  });

  it('of a fallback ID shows both readings', async () => {
    await using opened = await openPage(server.url);
    const { page } = opened;
    await page.getByRole('button', { name: '64-bit', exact: true }).click();
    await expect.poll(() => idOf(page)).toMatch(/^\d{15,19}$/);
    await page
      .getByText('either fenced, under the machine ID of a lease that could not be renewed')
      .waitFor();
    await page.getByText(/fallback \(slot \d+, or random\)/).waitFor();
  });

  it('of a v7 with a session tail has the session as a field of its own', async () => {
    await using opened = await openPage(server.url);
    const { page } = opened;
    expect(await textOf(page, 'says')).toContain('up to 74 random bits');
    await page.getByText('session tail').click();
    await page.locator('tbody tr', { hasText: 'session' }).waitFor();
    expect(await textOf(page, 'says')).toContain('46 session bits, 16 random bits');
    const session = () => page.locator('tbody tr', { hasText: 'session' }).locator('td').nth(1).textContent();
    const before = await session();
    await page.keyboard.press('g');
    expect(await session()).toBe(before);
  });

  it('is saved as SVG and as PNG, in its colours', async () => {
    await using opened = await openPage(`${server.url}#/id/${V7}`);
    const { page } = opened;
    const saved = async (type: 'SVG' | 'PNG') => {
      const download = page.waitForEvent('download');
      await page.getByRole('button', { name: `Save picture: ${type}` }).click();
      return readFile(await (await download).path());
    };
    const svg = (await saved('SVG')).toString();
    expect(svg).toContain('<title>UUID v7</title>');
    expect(svg.match(/font-size="13"/g)?.length).toBe(128);
    expect(svg).toContain('unixMs · 48');
    const png = await saved('PNG');
    expect(png.subarray(1, 4).toString()).toBe('PNG');
    expect(png.readUInt32BE(16)).toBe(2 * (32 * 25 + 40));
  });
});

describe('a fresh ID', () => {
  it('has all that is said of it in the first screen of a laptop', async () => {
    await using opened = await openPage(server.url);
    const bottom = await opened.page
      .locator('.fields tbody tr:last-child')
      .evaluate((row) => row.getBoundingClientRect().bottom);
    expect(bottom).toBeLessThanOrEqual(720);
  });

  for (const [chip, pattern] of [
    ['v1', /^[0-9a-f]{8}-[0-9a-f]{4}-1/],
    ['v4', /^[0-9a-f]{8}-[0-9a-f]{4}-4/],
    ['64-bit', /^[0-9]{15,19}$/],
  ] as const) {
    it(`of the kind ${chip} is one click away`, async () => {
      await using opened = await openPage(server.url);
      await opened.page.getByRole('button', { name: chip, exact: true }).click();
      await opened.page.locator('[data-testid=id]').filter({ hasText: pattern }).waitFor();
    });
  }

  it('keys: Enter makes and copies, g makes, c copies, / goes to the box, ? tells', async () => {
    await using opened = await openPage(server.url);
    const { page } = opened;
    const first = await idOf(page);
    expect(validateUuid(first).version).toBe('v7');
    await page.keyboard.press('Enter');
    await expect.poll(() => idOf(page)).not.toBe(first);
    const second = await idOf(page);
    await expect.poll(() => clipboard(page)).toBe(second);
    await page.keyboard.press('g');
    await expect.poll(() => idOf(page)).not.toBe(second);
    await page.keyboard.press('c');
    const third = await idOf(page);
    await expect.poll(() => clipboard(page)).toBe(third);
    await page.keyboard.press('?');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await page.keyboard.press('/');
    await page.keyboard.type('g');
    expect(await box(page).inputValue()).toBe('g');
  });

  it('keys are the page’s as soon as the list of keys is closed, even before the browser moves the focus', async () => {
    await using opened = await openPage(server.url);
    const { page } = opened;
    await page.keyboard.press('?');
    await page.locator('dialog[open]').waitFor();
    const focused = await page.evaluate(() => {
      document.querySelector<HTMLElement>('dialog input')?.focus();
      document.querySelector('dialog')?.close();
      // In the same task: the field in the closed dialog still has the focus.
      document.activeElement?.dispatchEvent(
        new KeyboardEvent('keydown', { key: '/', bubbles: true, cancelable: true }),
      );
      return document.activeElement?.id;
    });
    expect(focused).toBe('box');
  });
});
