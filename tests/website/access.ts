// Looks at every page of the site with axe, in both themes, as cheaply as that can be done: one document goes through all pages by the
// site's own links, so that axe is loaded once; the frame that pages share is looked at on the first of them; and colours, which come from
// the style sheet, once for each kind of element.
import type { Page } from 'playwright-core';
import { loadAxe, violationsIn } from '../web/axe.ts';
import { openPage } from './open.ts';

/** What stands around the text of a page, the same on all of them. */
const FRAME = ['.VPNav', '.VPSidebar', '.VPLocalNav', '.VPDocFooter', '.VPDocAside'].map((part) => [part]);
const BY_COLOUR = ['color-contrast', 'link-in-text-block'];
const FRESH = 'data-fresh';

/** Follows a link of the site, as a reader does: the document stays, its text changes. */
async function follow(page: Page, url: string): Promise<void> {
  await page.evaluate((href) => {
    const link = document.createElement('a');
    link.href = href;
    document.body.append(link);
    link.click();
    link.remove();
  }, url);
  // VitePress names the text of a page after its path, which has no index.html.
  const { pathname } = new URL(url);
  const name = pathname
    .replace(/index\.html$/, '')
    .replace(/[./]+/g, '_')
    .replace(/_html$/, '');
  await page.locator(`.VPHome, .vp-doc[class~="${name}"]`).waitFor();
}

/** Marks the elements with text that are of a new kind: tags, classes and styles up to the root. Says how many there are. */
function markFresh(page: Page): Promise<number> {
  return page.evaluate((mark) => {
    const page = globalThis as unknown as { knownKinds?: Set<string> };
    page.knownKinds ??= new Set();
    const isText = (node: Node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim() !== '';
    const kindOf = (element: Element | null): string => {
      if (element === null) return '';
      // The name of the page is a class; every other row of a table is shaded.
      const classes = [...element.classList].filter((name) => !name.startsWith('_')).join('.');
      const row = element instanceof HTMLTableRowElement ? element.rowIndex % 2 : '';
      return `${kindOf(element.parentElement)}>${element.tagName}.${classes}${row}${element.getAttribute('style') ?? ''}`;
    };
    let count = 0;
    for (const element of document.querySelectorAll('body *')) {
      element.removeAttribute(mark);
      if (![...element.childNodes].some(isText)) continue;
      const kind = kindOf(element);
      if (page.knownKinds.has(kind)) continue;
      page.knownKinds.add(kind);
      element.setAttribute(mark, '');
      count++;
    }
    // Code is thousands of coloured pieces. Where none is of a new kind, its text is enough: axe takes as long as there are elements.
    for (const code of document.querySelectorAll('pre code')) {
      if (code.querySelector(`[${mark}]`) === null) code.replaceChildren(code.textContent ?? '');
    }
    return count;
  }, FRESH);
}

async function setTheme(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  await page.locator(colorScheme === 'dark' ? 'html.dark' : 'html:not(.dark)').waitFor();
}

/** What axe finds on each of the pages; the first is opened, the others are followed to. */
export async function* axeOf(
  page: Page,
  url: string,
  paths: readonly string[],
): AsyncGenerator<[name: string, faults: string[]]> {
  await setTheme(page, 'light');
  for (const [position, path] of paths.entries()) {
    if (position === 0) {
      await openPage(page, `${url}${path}`);
      await loadAxe(page);
    } else await follow(page, `${url}${path}`);
    const fresh = await markFresh(page);
    const within = { include: [['html']], exclude: position < 2 ? [] : FRAME };
    yield [`axe, /${path}`, await violationsIn(page, within, { without: BY_COLOUR })];
    if (fresh === 0) continue;
    for (const theme of ['dark', 'light'] as const) {
      await setTheme(page, theme);
      const faults = await violationsIn(page, { include: [[`[${FRESH}]`]] }, { only: BY_COLOUR });
      yield [`axe, ${theme}, /${path}`, faults];
    }
  }
}
