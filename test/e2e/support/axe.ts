/** What axe finds on a page. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Through the debugger: the page's own policy lets no script in. Once for each page, before `violations`. */
export const installAxe = (page: Page): Promise<unknown> => page.evaluate(axe);

/** What passed is neither gathered in full nor sent over: it is many times as much. */
export function violations(page: Page, options: RunOptions = {}): Promise<AxeResults['violations']> {
  const run = JSON.stringify({ ...options, resultTypes: ['violations'] });
  return page.evaluate(`axe.run(${run}).then(({ violations }) => violations)`) as Promise<
    AxeResults['violations']
  >;
}
