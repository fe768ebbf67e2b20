// For everybody: axe in both themes and all languages, everything by keyboard, narrow, zoomed, calm.
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { Part } from '../../packages/web/src/app/state/address.ts';
import { violationsInEachTheme } from './axe.ts';
import { chooseLanguage, goTo, openPage, PARTS, textOf, V7 } from './page.ts';
import { servedPage } from './served.ts';

const LANGUAGES = ['en', 'ko', 'ja', 'zh'];
const FAULT = '24688438-40e1-70d0-d97e-084cfc8992c7';

const server = servedPage();

/** Fills a part of the page with all that it can show. */
async function fill(page: Page, part: Part): Promise<void> {
  await goTo(page, part);
  if (part === 'id') await page.locator('#box').fill('115892101120000263');
  if (part === 'many/generate') {
    await page.locator('main .field.short input').fill('5');
    await page.locator('main button.main').click();
  }
  if (part === 'many/log') await page.locator('textarea').fill(`${V7}\n`.repeat(2));
  if (part.startsWith('many/')) await page.locator('tbody tr.tall').first().waitFor();
  await page.locator('details').evaluateAll((all) => {
    for (const details of all) (details as HTMLDetailsElement).open = true;
  });
}

describe('axe finds nothing', () => {
  it('on every route, in each language and each theme', async () => {
    await using opened = await openPage(`${server.url}#/id/115892101120000263`, { reducedMotion: 'reduce' });
    const { page } = opened;
    await page.keyboard.press('g');
    for (const part of PARTS) {
      await fill(page, part);
      for (const language of LANGUAGES) {
        await chooseLanguage(page, language);
        expect(await violationsInEachTheme(page), `${part}, ${language}`).toEqual([]);
      }
    }
  });

  it('on a phone, with an ID, two, a fault, the menu and the keys, in each theme', async () => {
    await using opened = await openPage(`${server.url}#/id/115892101120000263`, { reducedMotion: 'reduce' });
    const { page } = opened;
    for (const [index, text] of [FAULT, `${V7} ${V7}`, 'hello'].entries()) {
      await page.locator('#box').fill(text);
      await chooseLanguage(page, LANGUAGES[index + 1] ?? 'en');
      expect(await violationsInEachTheme(page), text).toEqual([]);
    }
    await page.locator('button[popovertarget=menu]').click();
    expect(await violationsInEachTheme(page), 'with the menu').toEqual([]);
    await page.locator('#menu button').click();
    await page.locator('dialog[open]').waitFor();
    expect(await violationsInEachTheme(page), 'with the keys').toEqual([]);
    await page.keyboard.press('Escape');
    // On a phone, rows and fields have two lines.
    await page.setViewportSize({ width: 390, height: 844 });
    for (const part of ['many/generate', 'many/log', 'id'] as const) {
      await fill(page, part);
      expect(await violationsInEachTheme(page), `${part}, on a phone`).toEqual([]);
    }
  });
});

describe('by keyboard alone', () => {
  it('everything that can be operated is reached by Tab, and the focus can be seen', async () => {
    await using opened = await openPage(`${server.url}#/id/115892101120000263`, { reducedMotion: 'reduce' });
    const { page } = opened;
    for (const part of PARTS) {
      await fill(page, part);
      await page.evaluate(() => {
        (document.activeElement as HTMLElement | null)?.blur();
        scrollTo(0, 0);
      });
      // Radio buttons of a group, and bits of a picture, are one stop each.
      const wanted = await page.evaluate(() => {
        const all = document.querySelectorAll<HTMLElement>(
          'a[href], button, input, select, textarea, summary, [tabindex="0"]',
        );
        const stops = [...all].filter(
          (element) =>
            element.checkVisibility() &&
            element.closest('dialog, #menu') === null &&
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
            : focused.matches('.choices input')
              ? focused.nextElementSibling
              : focused;
          const style = seen && getComputedStyle(seen);
          const isSeen = style?.outlineStyle !== 'none' || (style?.stroke ?? 'none') !== 'none';
          return { index: focused.getAttribute('data-stop') ?? '', isSeen };
        });
        if (stop?.index) reached.add(stop.index);
        if (stop && !stop.isSeen) unseen++;
      }
      expect(reached.size, part).toBe(wanted);
      expect(unseen, part).toBe(0);
    }
  });

  it('bits are walked and flipped; choices, dividers and the map listen to arrows', async () => {
    await using opened = await openPage(`${server.url}#/id/115892101120000263`, { reducedMotion: 'reduce' });
    const { page } = opened;
    await page.locator('[data-bit][tabindex="0"]').focus();
    await page.keyboard.press('End');
    await page.keyboard.press('Space');
    expect(await page.locator('#box').inputValue()).toBe('115892101120000262');
    await page.keyboard.press('Enter');
    expect(await page.locator('#box').inputValue()).toBe('115892101120000263');
    await page.keyboard.press('ArrowUp');
    expect(await page.evaluate(() => document.activeElement?.getAttribute('data-bit'))).toBe('31');
    await page.locator('button[popovertarget=menu]').focus();
    await page.keyboard.press('Enter');
    await page.locator('#menu input[type=radio]:checked').first().focus();
    await page.keyboard.press('ArrowRight');
    expect(await page.evaluate(() => document.documentElement.dataset.theme)).toBe('light');
    await goTo(page, 'pool');
    await page.locator('[data-testid=map]').focus();
    await page.keyboard.press('End');
    expect(await textOf(page, 'slot')).toContain('127');
    const shown = page.locator('#map-title');
    expect(await shown.textContent()).toBe('Machine IDs · 0–127 of 128');
    await page.keyboard.press('+');
    expect(await shown.textContent()).toBe('Machine IDs · 64–127 of 128');
    // The map follows what is chosen.
    await page.keyboard.press('Home');
    expect(await shown.textContent()).toBe('Machine IDs · 0–63 of 128');
    await page.keyboard.press('-');
    expect(await shown.textContent()).toBe('Machine IDs · 0–127 of 128');
  });

  it('single keys can be switched off', async () => {
    await using opened = await openPage(server.url);
    const { page } = opened;
    await page.keyboard.press('?');
    await page.locator('dialog[open] input[type=checkbox]').focus();
    await page.keyboard.press('Space');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    const before = await textOf(page, 'id');
    await page.keyboard.press('g');
    await page.keyboard.press('?');
    expect(await textOf(page, 'id')).toBe(before);
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
      await using opened = await openPage(`${server.url}#/id/${V7}`, {
        viewport: { width, height },
        reducedMotion: 'reduce',
        deviceScaleFactor: 2,
      });
      const { page } = opened;
      for (const part of PARTS) {
        await fill(page, part);
        for (const language of LANGUAGES) {
          await chooseLanguage(page, language);
          const wide = await page.evaluate((limit) => {
            const isScrolled = (element: Element) => element.closest('.scroll, pre') !== null;
            return [...document.querySelectorAll('body *')]
              .filter((element) => element.getBoundingClientRect().right > limit + 1 && !isScrolled(element))
              .filter((element) => element.closest('.unseen') === null && element.checkVisibility())
              .map((element) => element.outerHTML.slice(0, 120));
          }, width);
          expect(wide, `${part}, ${language}`).toEqual([]);
          expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
        }
      }
    });
  }
});

it('a reader who wants no motion gets none', async () => {
  await using opened = await openPage(`${server.url}#/pool`, { reducedMotion: 'reduce' });
  const { page } = opened;
  await page.locator('[data-testid=map]').waitFor();
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
