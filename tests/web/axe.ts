// Looks for what keeps people out: WCAG 2.2, level AA, as far as a program can tell.
import axe from 'axe-core';
import type { Page } from 'playwright-core';

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/** What axe finds wrong with the page as it is now. */
export async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  return page.evaluate(async (tags) => {
    const { run } = (
      globalThis as unknown as { axe: { run: (o: object) => Promise<{ violations: Violation[] }> } }
    ).axe;
    interface Violation {
      id: string;
      nodes: { html: string; failureSummary: string }[];
    }
    const result = await run({ runOnly: { type: 'tag', values: tags }, resultTypes: ['violations'] });
    return result.violations.flatMap(({ id, nodes }) =>
      nodes.slice(0, 3).map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)} ${failureSummary}`),
    );
  }, RULES);
}
