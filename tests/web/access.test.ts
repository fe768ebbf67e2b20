// Must show 7: for everybody. axe in both themes and all languages, everything by keyboard, narrow, zoomed, calm.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { violations } from './axe.ts';
import { goTo, loadAllRooms, type Opened, openPage, textOf } from './page.ts';
import { servedPage } from './served.ts';

const LANGUAGES = ['en', 'ko', 'ja', 'zh'];

const server = servedPage();

/** Fills the page with all that it can show: IDs, faults, tables, an open list of keys is a page of its own. */
async function fill(page: Page): Promise<void> {
  await page.keyboard.press('g');
  await loadAllRooms(page);
  await page.locator('#batch textarea').fill('01941f29-7c00-7aaa-aaaa-aaaaaaaaaaaa\n'.repeat(2));
  await page.locator('#batch tbody tr.tall').first().waitFor();
  await page.locator('#box').fill('115892101120000263');
  await page.locator('details').evaluateAll((all) => {
    for (const details of all) (details as HTMLDetailsElement).open = true;
  });
}

describe('axe finds nothing', () => {
  for (const colorScheme of ['light', 'dark'] as const) {
    it(`in the ${colorScheme} theme, in any language, with an ID and with a fault`, async () => {
      await using opened = await openPage(server.url, { colorScheme, reducedMotion: 'reduce' });
      const { page } = opened;
      await fill(page);
      for (const language of LANGUAGES) {
        await page.locator('.settings select').selectOption(language);
        await page.locator(`html[lang=${language}]`).waitFor();
        expect(await violations(page), language).toEqual([]);
      }
      await page.locator('#box').fill('24688438-40e1-70d0-d97e-084cfc8992c7');
      await page.locator('[data-testid=marked]').waitFor();
      expect(await violations(page), 'with a fault').toEqual([]);
      await page.locator('footer button').click();
      await page.locator('dialog[open]').waitFor();
      expect(await violations(page), 'with the keys').toEqual([]);
    });
  }
});

describe('by keyboard alone', () => {
  let opened: Opened;
  let page: Page;
  beforeAll(async () => {
    opened = await openPage(server.url, { reducedMotion: 'reduce' });
    page = opened.page;
    await fill(page);
    await page.evaluate(() => {
      (document.activeElement as HTMLElement | null)?.blur();
      scrollTo(0, 0);
    });
  });
  afterAll(() => opened.context.close());

  it('everything that can be operated is reached by Tab, and the focus can be seen', async () => {
    // Radio buttons of a group, and bits of a picture, are one stop each.
    const wanted = await page.evaluate(() => {
      const all = document.querySelectorAll<HTMLElement>(
        'a[href], button, input, select, textarea, summary, [tabindex="0"]',
      );
      const stops = [...all].filter(
        (element) =>
          element.checkVisibility() &&
          element.closest('dialog') === null &&
          !(element instanceof HTMLInputElement && element.type === 'radio' && !element.checked) &&
          !element.matches(':disabled, fieldset:disabled *'),
      );
      for (const [index, element] of stops.entries()) element.setAttribute('data-stop', String(index));
      return stops.length;
    });
    const reached = new Set<string>();
    let unseen = 0;
    for (let presses = 0; presses < wanted + 10 && reached.size < wanted; presses++) {
      await page.keyboard.press('Tab');
      const stop = await page.evaluate(() => {
        const focused = document.activeElement;
        if (!focused || focused === document.body) return null;
        const seen = focused.matches('[role=switch]')
          ? focused.querySelector('rect')
          : focused.matches('input[type=radio]')
            ? focused.nextElementSibling
            : focused;
        const style = seen && getComputedStyle(seen);
        const isSeen = style?.outlineStyle !== 'none' || (style?.stroke ?? 'none') !== 'none';
        return { index: focused.getAttribute('data-stop') ?? '', isSeen };
      });
      if (stop?.index) reached.add(stop.index);
      if (stop && !stop.isSeen) unseen++;
    }
    expect(reached.size).toBe(wanted);
    expect(unseen).toBe(0);
  });

  it('bits are walked and flipped', async () => {
    await page.locator('#bits [data-bit][tabindex="0"]').focus();
    const before = await page.locator('#box').inputValue();
    await page.keyboard.press('End');
    await page.keyboard.press('Space');
    expect(BigInt(await page.locator('#box').inputValue())).toBe(BigInt(before) - 1n);
    await page.keyboard.press('Enter');
    expect(await page.locator('#box').inputValue()).toBe(before);
    await page.keyboard.press('ArrowUp');
    expect(await page.evaluate(() => document.activeElement?.getAttribute('data-bit'))).toBe('31');
  });

  it('choices, sliders and the map listen to arrows', async () => {
    await page.locator('.settings input[type=radio]:checked').first().focus();
    await page.keyboard.press('ArrowRight');
    expect(await page.evaluate(() => document.documentElement.dataset.theme)).toBe('light');
    await page.locator('#layout input[type=range]').first().focus();
    await page.keyboard.press('ArrowRight');
    await page.getByText('The bits must sum to 64; they are 65.').waitFor();
    await page.locator('[data-testid=map]').focus();
    await page.keyboard.press('End');
    expect(await textOf(page, 'slot')).toContain('127');
  });

  it('single keys can be switched off', async () => {
    await page.evaluate(() => (document.activeElement as HTMLElement).blur());
    await page.keyboard.press('?');
    await page.locator('dialog[open] input[type=checkbox]').focus();
    await page.keyboard.press('Space');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await page.evaluate(() => (document.activeElement as HTMLElement).blur());
    const before = await textOf(page, 'made');
    await page.keyboard.press('g');
    await page.keyboard.press('?');
    expect(await textOf(page, 'made')).toBe(before);
    expect(await page.locator('dialog[open]').count()).toBe(0);
  });
});

describe('nothing is cut off', () => {
  // Zooming to 200 % halves the page's own pixels.
  for (const [what, width, height] of [
    ['at 320 pixels', 320, 640],
    ['at 200 % of a small laptop', 640, 400],
  ] as const) {
    it(what, async () => {
      await using opened = await openPage(server.url, {
        viewport: { width, height },
        reducedMotion: 'reduce',
        deviceScaleFactor: 2,
      });
      const { page } = opened;
      await fill(page);
      for (const language of LANGUAGES) {
        await page.locator('.settings select').selectOption(language);
        await page.locator(`html[lang=${language}]`).waitFor();
        const wide = await page.evaluate((limit) => {
          const isScrolled = (element: Element) => element.closest('.scroll, pre') !== null;
          return [...document.querySelectorAll('body *')]
            .filter((element) => element.getBoundingClientRect().right > limit + 1 && !isScrolled(element))
            .filter((element) => element.closest('.unseen') === null && element.checkVisibility())
            .map((element) => element.outerHTML.slice(0, 120));
        }, width);
        expect(wide, language).toEqual([]);
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
      }
    });
  }
});

it('whoever wants no motion gets none', async () => {
  await using opened = await openPage(server.url, { reducedMotion: 'reduce' });
  const { page } = opened;
  await goTo(page, 'pool');
  const moving = await page.evaluate(() => {
    const styles = [...document.querySelectorAll('*')].map((element) => getComputedStyle(element));
    return styles.filter(
      ({ transitionDuration, animationName, scrollBehavior }) =>
        Number.parseFloat(transitionDuration) > 0 || animationName !== 'none' || scrollBehavior === 'smooth',
    ).length;
  });
  expect(moving).toBe(0);
  expect(await page.locator('[data-testid=simulate]').textContent()).toBe('Start');
});
