/**
 * A real browser: headless Chromium from npm, or the one at CHROMIUM_PATH.
 *
 * Started with nothing but what a container needs: the default arguments of the package switch web security off, and
 * tests of attacks would prove nothing.
 */
import chromiumPackage from '@sparticuz/chromium';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';

export async function launchBrowser(): Promise<Browser> {
  const executablePath = process.env.CHROMIUM_PATH ?? (await chromiumPackage.executablePath());
  return chromium.launch({ executablePath, headless: true, chromiumSandbox: false });
}

export interface Watched {
  readonly context: BrowserContext;
  readonly page: Page;
  /** Everything the page asked for, in order. */
  readonly requests: { readonly url: string; readonly referrer: string | undefined }[];
  /** Violations of the policy and errors of scripts: none is expected. */
  readonly problems: string[];
}

/** A fresh context whose requests and problems are kept. */
export async function openContext(
  browser: Browser,
  options: Parameters<Browser['newContext']>[0] = {},
): Promise<Watched> {
  const context = await browser.newContext({ locale: 'en-GB', timezoneId: 'UTC', ...options });
  const requests: Watched['requests'] = [];
  const problems: string[] = [];
  context.on('request', (request) => {
    requests.push({ url: request.url(), referrer: request.headers().referer });
  });
  context.on('weberror', (error) => problems.push(String(error.error())));
  context.on('console', (message) => {
    // A refused status is part of many tests; what the policy blocks is part of none.
    if (message.type() === 'error' && !/Failed to load resource/.test(message.text()))
      problems.push(message.text());
  });
  return { context, page: await context.newPage(), requests, problems };
}
