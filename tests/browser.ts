// A real Chromium for tests: opens a page of a small local server, so that scripts run in the secure context
// that crypto needs, and takes every error on the page's console as a failure.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Browser, chromium, type Page } from 'playwright-core';
import { ensureSystemPackage, type FoundProgram } from '../scripts/system-packages.ts';

export function findChromium(): FoundProgram {
  return ensureSystemPackage({
    commands: ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'],
    paths: [
      '/Applications/Chromium.app/Contents/MacOS/Chromium',
      '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    ],
    override: 'CHROMIUM_PATH',
    debian: 'chromium',
  });
}

const FLAGS = ['--disable-background-networking', '--disable-component-update', '--no-first-run'];

/** Chromium refuses to run as root inside its sandbox. */
const isRoot = process.getuid?.() === 0;

export function launchChromium(executablePath: string): Promise<Browser> {
  return chromium.launch({ executablePath, args: isRoot ? [...FLAGS, '--no-sandbox'] : FLAGS });
}

/** The icon keeps the browser from asking for /favicon.ico, which would be an error on its console. */
const EMPTY_PAGE =
  '<!doctype html><html lang="en"><title>kazahana tests</title><link rel="icon" href="data:,"></html>';

async function serve(scripts: ReadonlyMap<string, string>) {
  const server = createServer((request, response) => {
    const script = scripts.get(request.url ?? '');
    if (request.url === '/') response.setHeader('content-type', 'text/html; charset=utf-8').end(EMPTY_PAGE);
    else if (script === undefined) response.writeHead(404).end();
    else response.setHeader('content-type', 'text/javascript; charset=utf-8').end(script);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** A browser's page on an empty document, beside which the scripts can be imported by their paths. */
export interface TestPage {
  readonly page: Page;
  readonly version: string;
}

/** Opens the page, lets `use` work with it, and rejects when it or the page's console reports an error. */
export async function withBrowserPage<Result>(
  executablePath: string,
  scripts: ReadonlyMap<string, string>,
  use: (opened: TestPage) => Promise<Result>,
): Promise<Result> {
  const server = await serve(scripts);
  try {
    const browser = await launchChromium(executablePath);
    try {
      const page = await browser.newPage();
      const errors: string[] = [];
      page.on('console', (message) => {
        if (message.type() === 'error') errors.push(`console: ${message.text()}`);
      });
      page.on('pageerror', (error) => errors.push(`uncaught: ${error.stack ?? error.message}`));
      await page.goto(server.url);
      // What the console said often explains why the work failed, so both are told.
      const result = await use({ page, version: browser.version() }).catch((error: unknown) => {
        errors.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
      });
      if (errors.length > 0) throw new Error(errors.join('\n'));
      return result as Result;
    } finally {
      await browser.close();
    }
  } finally {
    server.close();
  }
}
