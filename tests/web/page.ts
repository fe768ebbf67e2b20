// The page in a real Chromium, for the tests of this folder: one browser for all of them, a fresh context for each, and
// every error on a console and every request written down.
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
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
  /** Every address that was asked for. */
  readonly requests: readonly string[];
}

const LATER_ROOMS = ['batch', 'public', 'hierarchy', 'layout', 'pool', 'history'] as const;

/** Opens the page and waits until its first ID is there. */
export async function openPage(
  url: string,
  options: BrowserContextOptions = {},
  prepare?: (page: Page) => Promise<unknown>,
): Promise<Opened> {
  const context = await (await browser()).newContext({
    locale: 'en-US',
    viewport: { width: 1100, height: 900 },
    permissions: ['clipboard-read', 'clipboard-write'],
    ...options,
  });
  const errors: string[] = [];
  const requests: string[] = [];
  context.on('request', (request) => requests.push(request.url()));
  context.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') errors.push(message.text());
  });
  context.on('weberror', (error) => errors.push(String(error.error().stack)));
  const page = await context.newPage();
  await prepare?.(page);
  await page.goto(url);
  await page.locator('[data-testid=made]').filter({ hasText: /\S/ }).waitFor();
  return { page, context, errors, requests, [Symbol.asyncDispose]: () => context.close() };
}

/** Goes to a room and waits until it is loaded. */
export async function goTo(page: Page, room: string): Promise<void> {
  await page.locator(`#${room}`).evaluate((element) => element.scrollIntoView({ behavior: 'instant' }));
  await page.locator(`#${room} details.same`).waitFor();
}

export async function loadAllRooms(page: Page): Promise<void> {
  for (const room of LATER_ROOMS) await goTo(page, room);
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
    const threads = new Set(events.filter(isOurs).map(({ pid, tid }) => `${pid} ${tid}`));
    const tasks = events.filter(({ name, pid, tid }) => name === 'RunTask' && threads.has(`${pid} ${tid}`));
    if (tasks.length === 0) throw new Error('nothing was traced');
    const longest = (what: 'dur' | 'tdur') => Math.max(...tasks.map((task) => task[what] ?? 0)) / 1000;
    return { cpuMs: longest('tdur'), wallMs: longest('dur') };
  };
}

export const clipboard = (page: Page): Promise<string> => page.evaluate(() => navigator.clipboard.readText());
export const textOf = async (page: Page, testId: string): Promise<string> =>
  (await page.locator(`[data-testid=${testId}]`).first().textContent()) ?? '';
