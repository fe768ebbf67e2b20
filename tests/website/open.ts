import type { Page } from 'playwright-core';

/** Opens a page of the site, and waits until the site's script runs: until then it hears no key, and a link loads another document. */
export async function openPage(page: Page, url: string): Promise<void> {
  await page.goto(url, { waitUntil: 'networkidle' });
  await page.waitForFunction(() => '__vue_app__' in (document.querySelector('#app') ?? {}));
}
