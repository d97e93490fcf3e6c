/** What axe finds on a page. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Through the debugger: the page's own policy lets no script in. Once for each page, before `violations`. */
export const installAxe = (page: Page): Promise<unknown> => page.evaluate(axe);

export async function violations(page: Page, options: RunOptions = {}): Promise<AxeResults['violations']> {
  const found = (await page.evaluate(`axe.run(${JSON.stringify(options)})`)) as AxeResults;
  return found.violations;
}
