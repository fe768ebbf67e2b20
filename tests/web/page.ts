// The page in a real Chromium, for the tests of this folder: one browser for all of them, which ends with the process, a
// fresh context for each, and every error on a console and every request written down.
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { HOME, type Part, SECTIONS, writeAddress } from '../../packages/web/src/app/state/address.ts';
import { findChromium, launchChromium } from '../browser.ts';

let launched: Promise<Browser> | undefined;

export function browser(): Promise<Browser> {
  launched ??= (async () => {
    const { path } = findChromium();
    if (path === null) throw new Error('there is no Chromium; tests/web/run.ts says what to install');
    return launchChromium(path);
  })();
  return launched;
}

export async function closeBrowser(): Promise<void> {
  await (await launched)?.close();
  launched = undefined;
}

export interface Opened extends AsyncDisposable {
  readonly page: Page;
  readonly context: BrowserContext;
  /** What the console and uncaught errors said. */
  readonly errors: readonly string[];
  /** Every address that was requested. */
  readonly requests: readonly string[];
}

export const V7 = '01941f29-7c00-7aaa-aaaa-aaaaaaaaaaaa';

/** Every part of the page, as `state/address.ts` names them. */
export const PARTS = Object.values(SECTIONS).flat();

/** Opens the page and waits until its first answer is there. */
export async function openPage(
  url: string,
  options: BrowserContextOptions = {},
  prepare?: (page: Page) => Promise<unknown>,
): Promise<Opened> {
  const context = await (await browser()).newContext({
    locale: 'en-US',
    viewport: { width: 1280, height: 720 },
    permissions: ['clipboard-read', 'clipboard-write'],
    // It loads every file of the page in the background; only what is tested without a network needs it.
    serviceWorkers: 'block',
    ...options,
  });
  const errors: string[] = [];
  const requests: string[] = [];
  context.on('request', (request) => requests.push(request.url()));
  context.on('console', (message) => {
    const isBlocked = message.text().includes('Service Worker registration blocked by Playwright');
    if ((message.type() === 'error' || message.type() === 'warning') && !isBlocked)
      errors.push(message.text());
  });
  context.on('weberror', (error) => errors.push(String(error.error().stack)));
  const page = await context.newPage();
  await prepare?.(page);
  await page.goto(url);
  await isReady(page);
  return { page, context, errors, requests, [Symbol.asyncDispose]: () => context.close() };
}

/** Waits until the route in view is loaded. */
async function isReady(page: Page): Promise<void> {
  await page.locator('main .code-tabs').waitFor();
  await page.locator('[data-testid=answer][data-kind=waiting]').waitFor({ state: 'detached' });
}

/** Goes to a part of the page and waits until it is loaded. */
export async function goTo(page: Page, part: Part): Promise<void> {
  await page.evaluate(
    (hash) => {
      location.hash = hash;
    },
    writeAddress({ ...HOME, part }),
  );
  await page.locator(`main[data-part="${part}"]`).waitFor();
  await isReady(page);
}

/** Pastes as a reader does, with nothing in focus. */
export async function pasteAnywhere(page: Page, text: string): Promise<void> {
  await page.evaluate((pasted) => {
    (document.activeElement as HTMLElement | null)?.blur();
    const clipboardData = new DataTransfer();
    clipboardData.setData('text', pasted);
    document.body.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
    );
  }, text);
}

/** Chooses a language in the menu, whether or not the menu is open. */
export async function chooseLanguage(page: Page, language: string): Promise<void> {
  await page.locator('#menu select').selectOption(language, { force: true });
  await page.locator(`html[lang=${language}]`).waitFor();
}

/** Gives a field or the box a text as a paste would, without the system's clipboard. */
export function paste(page: Page, selector: string, text: string): Promise<void> {
  return page.locator(selector).evaluate((element, pasted) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text', pasted);
    const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
    if (!element.dispatchEvent(event)) return;
    (element as HTMLTextAreaElement).value = pasted;
    element.dispatchEvent(new InputEvent('input', { bubbles: true }));
  }, text);
}

export interface Busy {
  /** Of the longest task of the page's thread, in milliseconds: what it computed, and how long that took. */
  readonly cpuMs: number;
  readonly wallMs: number;
}

interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  readonly dur?: number;
  readonly tdur?: number;
  readonly args?: unknown;
}

/**
 * Watches how long the page's thread is busy without a pause, as Chromium itself traces it. Tests judge the time that a
 * task computed: what else runs on the machine adds to the other one.
 */
export async function watchTasks(page: Page): Promise<() => Promise<Busy>> {
  const session = await page.context().newCDPSession(page);
  const events: TraceEvent[] = [];
  session.on('Tracing.dataCollected', ({ value }) => events.push(...(value as unknown as TraceEvent[])));
  const includedCategories = ['devtools.timeline', 'disabled-by-default-devtools.timeline'];
  await session.send('Tracing.start', { transferMode: 'ReportEvents', traceConfig: { includedCategories } });
  return async () => {
    const url = new URL(page.url());
    const complete = new Promise<void>((resolve) => session.once('Tracing.tracingComplete', () => resolve()));
    await session.send('Tracing.end');
    await complete;
    // The browser has pages of its own, in processes of their own.
    const isOurs = (event: TraceEvent) => JSON.stringify(event.args ?? null).includes(url.host);
    const threadOf = ({ pid, tid }: TraceEvent) => `${pid} ${tid}`;
    const ours = new Set(events.filter(isOurs).map(threadOf));
    // A worker may be busy as long as it likes: that is what it is for.
    const isMain = ({ name, args }: TraceEvent) =>
      name === 'thread_name' && JSON.stringify(args).includes('CrRendererMain');
    const threads = new Set(
      events
        .filter(isMain)
        .map(threadOf)
        .filter((thread) => ours.has(thread)),
    );
    const tasks = events.filter(({ name, pid, tid }) => name === 'RunTask' && threads.has(`${pid} ${tid}`));
    if (tasks.length === 0) throw new Error('nothing was traced');
    const longest = (what: 'dur' | 'tdur') => Math.max(...tasks.map((task) => task[what] ?? 0)) / 1000;
    return { cpuMs: longest('tdur'), wallMs: longest('dur') };
  };
}

export const clipboard = (page: Page): Promise<string> => page.evaluate(() => navigator.clipboard.readText());
export const textOf = async (page: Page, testId: string): Promise<string> =>
  (await page.locator(`[data-testid=${testId}]`).first().textContent()) ?? '';
