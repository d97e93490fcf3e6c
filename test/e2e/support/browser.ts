/**
 * A real browser: headless Chromium from npm, or the one at CHROMIUM_PATH.
 *
 * Started with nothing but what a container needs: the default arguments of the package switch web security off, and
 * tests of attacks would prove nothing.
 */
import { mkdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import chromiumPackage from '@sparticuz/chromium';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';

export async function launchBrowser(): Promise<Browser> {
  const executablePath = process.env.CHROMIUM_PATH ?? (await unpacked());
  return chromium.launch({ executablePath, headless: true, chromiumSandbox: false });
}

const LOCK = join(tmpdir(), 'handover-chromium-unpacking');
const STALE_MS = 90_000;

/** One process at a time: another would find half a browser and start it. */
async function unpacked(): Promise<string> {
  for (;;) {
    try {
      mkdirSync(LOCK);
      break;
    } catch {
      const since = statSync(LOCK, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
      if (Date.now() - since > STALE_MS) rmSync(LOCK, { recursive: true, force: true });
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
  try {
    return await chromiumPackage.executablePath();
  } finally {
    rmSync(LOCK, { recursive: true, force: true });
  }
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
