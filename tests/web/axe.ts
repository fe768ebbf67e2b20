// Looks for what keeps people out: WCAG 2.2, level AA, as far as a program can tell.
import axe from 'axe-core';
import type { Page } from 'playwright-core';

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/** Puts axe into the page; it stays there until another document is loaded. */
export async function loadAxe(page: Page): Promise<void> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source);
}

/** What axe, once it is loaded, finds wrong with a part of the page: with these rules, or with all but some. */
export function violationsIn(
  page: Page,
  within: axe.SerialContextObject,
  rules: { readonly only?: readonly string[]; readonly without?: readonly string[] } = {},
): Promise<string[]> {
  const options = {
    runOnly: rules.only ?? RULES,
    rules: Object.fromEntries((rules.without ?? []).map((rule) => [rule, { enabled: false }])),
    resultTypes: ['violations'],
  };
  return page.evaluate(
    async ([context, how]) => {
      const { run } = (
        globalThis as unknown as {
          axe: { run: (c: object, o: object) => Promise<{ violations: Violation[] }> };
        }
      ).axe;
      interface Violation {
        id: string;
        nodes: { html: string; failureSummary: string }[];
      }
      const result = await run(context, how);
      return result.violations.flatMap(({ id, nodes }) =>
        nodes.slice(0, 3).map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)} ${failureSummary}`),
      );
    },
    [within, options] as const,
  );
}

/** What axe finds wrong with the page as it is now. */
export async function violations(page: Page): Promise<string[]> {
  await loadAxe(page);
  return violationsIn(page, { include: [['html']] });
}

/** The same in both themes: names and structure do not depend on the theme, so only colours are looked at again. */
export async function violationsInEachTheme(page: Page): Promise<string[]> {
  await loadAxe(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  const dark = await violationsIn(page, { include: [['html']] }, { only: ['color-contrast'] });
  await page.emulateMedia({ colorScheme: 'light' });
  return [...dark.map((violation) => `dark: ${violation}`), ...(await violations(page))];
}
