// Builds the documentation site and looks at it: every page is in the contents, every link leads somewhere, a reader who
// types a question finds the page, axe finds nothing, the first load is small, and all of it works from a folder, too. Where there is
// no Chromium, what needs one is skipped, loudly.
import { globSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { root, run } from '../../scripts/run.ts';
import { CHAPTERS, OTHER_PAGES, pathsOf } from '../../website/contents.ts';
import { findChromium, launchChromium } from '../browser.ts';
import { reportSkipped } from '../skipped.ts';
import { serveStatically } from '../web/static-server.ts';
import { axeOf } from './access.ts';
import { openedFromFolder } from './folder.ts';
import { openPage } from './open.ts';
import { QUESTIONS } from './questions.ts';

const MAX_FIRST_LOAD = 150_000;
const site = join(root, 'website', 'dist');
const failures: string[] = [];
let passed = 0;

function report(name: string, ...faults: string[]): void {
  if (faults.length === 0) passed++;
  else failures.push(`${name}: ${faults.join('\n  ')}`);
}

function checkContents(): void {
  const listed = [...CHAPTERS.flatMap(({ pages }) => pathsOf(pages)), ...OTHER_PAGES];
  const files = globSync('**/*.md', { cwd: join(root, 'docs') }).map((path) => path.replace(/\.md$/, ''));
  report('a page of docs/ is not in the contents', ...files.filter((file) => !listed.includes(file)));
  report('the contents name a page that is not there', ...listed.filter((page) => !files.includes(page)));
  report('a page is twice in the contents', ...listed.filter((page, i) => listed.indexOf(page) !== i));
}

const pagesOfSite = () =>
  globSync('**/*.html', { cwd: site, exclude: (name) => name === 'playground' }).sort();

/** Every link inside the site leads to a file, and to a place in it where it names one. */
function checkLinks(base: string): void {
  const html = new Map(pagesOfSite().map((page) => [page, readFileSync(join(site, page), 'utf8')]));
  const ids = new Map(
    [...html].map(([page, text]) => [
      page,
      new Set([...text.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id)),
    ]),
  );
  const dead: string[] = [];
  for (const [page, text] of html) {
    for (const [, href = ''] of text.matchAll(/<a [^>]*?href="([^"]+)"/g)) {
      if (/^[a-z]+:/i.test(href) || href.startsWith(`${base}playground/`)) continue;
      const [path = '', hash] = href.split('#');
      const absolute = path.startsWith(base)
        ? path.slice(base.length)
        : posix.join(posix.dirname(page), path);
      const target = path === '' ? page : absolute.replace(/(^|\/)$/, '$1index.html');
      const file = html.has(target) ? target : `${target}.html`;
      if (!html.has(file)) dead.push(`${page} → ${href}`);
      else if (hash && page !== '404.html' && !ids.get(file)?.has(decodeURIComponent(hash)))
        dead.push(`${page} → ${href}: no such place`);
    }
  }
  report('dead links', ...new Set(dead));
}

async function checkFirstLoad(page: Page, url: string): Promise<void> {
  const elsewhere: string[] = [];
  const seen: Promise<number>[] = [];
  page.on('response', (response) => {
    if (!response.url().startsWith('data:') && !response.url().startsWith(new URL(url).origin))
      elsewhere.push(response.url());
    seen.push(response.body().then((body) => gzipSync(body).length));
  });
  await openPage(page, url);
  const bytes = (await Promise.all(seen)).reduce((sum, size) => sum + size, 0);
  page.removeAllListeners('response');
  report('a page asks another origin', ...elsewhere);
  const isSmall = bytes <= MAX_FIRST_LOAD;
  report('the first load', ...(isSmall ? [] : [`${bytes} bytes gzip, at most ${MAX_FIRST_LOAD}`]));
  console.log(`first load of ${url}: ${bytes} bytes gzip`);
}

/** Types a question into the search, and reads which pages it offers. */
async function search(page: Page, query: string): Promise<string[]> {
  await page.keyboard.press('Control+k');
  const box = page.locator('#localsearch-input');
  await box.fill(query);
  await page.locator('.VPLocalSearchBox :is(.result, .no-results)').first().waitFor();
  const links = await page
    .locator('.VPLocalSearchBox .result')
    .evaluateAll((results) => results.map((result) => (result as HTMLAnchorElement).pathname));
  await page.keyboard.press('Escape');
  await box.waitFor({ state: 'detached' });
  return links;
}

async function checkQuestions(page: Page, base: string): Promise<void> {
  for (const { question, queries, page: expected } of QUESTIONS) {
    for (const query of queries) {
      const offered = (await search(page, query)).slice(0, 3);
      const isFound = offered.some((path) => path === `${base}${expected}.html`);
      report(`${question} (search: ${query})`, ...(isFound ? [] : [`expected ${expected}, got ${offered}`]));
    }
  }
}

async function checkInBrowser(chromium: string, base: string): Promise<void> {
  const server = await serveStatically(0, site);
  const browser = await launchChromium(chromium);
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
    const errors: string[] = [];
    page.on('pageerror', (error) => errors.push(error.message));
    await checkFirstLoad(page, server.url);
    await checkFirstLoad(page, `${server.url}which-id.html`);
    await checkQuestions(page, base);
    for await (const [name, faults] of axeOf(page, server.url, pagesOfSite())) report(name, ...faults);
    report('an error on the console', ...errors);
    for (const [name, ...faults] of await openedFromFolder(browser, site))
      report(`opened from a folder, the site ${name}`, ...faults);
  } finally {
    await browser.close();
    await server.stop();
  }
}

const base = '/some/folder/';
// With --built, the site as it was built last: for work on these checks.
const built = process.argv.includes('--built')
  ? { code: 0, output: '' }
  : await run(process.execPath, ['website/main.ts', '--build', '--base', base]);
report('the build', ...(built.code === 0 ? [] : [built.output]));
checkContents();
let skippedIsFine = true;
if (built.code === 0) {
  checkLinks(base);
  const found = findChromium();
  if (found.path === null) skippedIsFine = reportSkipped([{ name: 'the documentation site', ...found }]);
  else await checkInBrowser(found.path, base);
}

for (const failure of failures) console.log(failure);
console.log(`${passed} passed, ${failures.length} failed`);
process.exitCode = failures.length === 0 && skippedIsFine ? 0 : 1;
